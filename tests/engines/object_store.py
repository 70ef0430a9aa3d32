"""A store of objects on 127.0.0.1: an emulator of S3 as a process, stopped by its id, and one that answers as it is told."""

import os
import shutil
import socket
import subprocess
import time
import urllib.request
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

ROOT = Path(__file__).parents[2]
PATIENCE = 60
SECRET = "do-not-tell-anybody"  # noqa: S105


def program():
    """Return the path of the emulator, None where there is none."""
    folders = (ROOT / ".venv" / "bin", ROOT / ".venv-engines" / "bin")
    return shutil.which("moto_server", path=os.pathsep.join([*map(str, folders), os.environ["PATH"]]))


def environment(endpoint):
    """Return the variables by which a store is found."""
    return {
        "AWS_ACCESS_KEY_ID": "somebody",
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_ALLOW_HTTP": "true",
        "AWS_REGION": "us-east-1",
    }


class Store:
    """A running emulator."""

    def __init__(self, endpoint):
        self.endpoint, self.env = endpoint, environment(endpoint)

    def put(self, path, data=b""):
        """Make a bucket, or an object in it."""
        signed = (
            "AWS4-HMAC-SHA256 Credential=somebody/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=x"
        )
        headers = {"Content-Type": "application/octet-stream", "Authorization": signed}
        request = urllib.request.Request(f"{self.endpoint}/{path}", data=data, method="PUT", headers=headers)  # noqa: S310
        with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310
            answer.read()


@contextmanager
def running(folder):
    """Start an emulator."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen([program(), "-H", "127.0.0.1", "-p", str(port)], stdout=log, stderr=log)
    try:
        _wait_for(process, port)
        yield Store(f"http://127.0.0.1:{port}")
    finally:
        process.terminate()
        process.wait()


def _wait_for(process, port):
    for _ in range(PATIENCE * 10):
        if process.poll() is not None:
            raise RuntimeError(f"the emulator ended with status {process.returncode}")
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError("the emulator does not answer")


@contextmanager
def answering(status, body, *, length=None):
    """Answer every request like this; a greater length than the body has cuts it off."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(status)
            self.send_header("Content-Length", str(length or len(body)))
            self.send_header("Content-Type", "application/xml")
            self.send_header("ETag", '"etag"')
            self.send_header("Last-Modified", "Thu, 19 Nov 2026 10:00:00 GMT")
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(body)
                self.close_connection = True

        do_HEAD = do_PUT = do_GET  # noqa: N815

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield Store(f"http://127.0.0.1:{server.server_address[1]}")
    finally:
        server.shutdown()
        server.server_close()
