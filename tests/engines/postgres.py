"""A PostgreSQL server of the tests' own: in a temporary folder, on a socket in it, stopped by its process id."""

import os
import shutil
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

BINARIES = "/usr/lib/postgresql/*/bin"
PATIENCE = 60


def programs():
    """Return the folder of the server's programs, None where there is none."""
    found = shutil.which("initdb")
    if found and shutil.which("psql"):
        return Path(found).resolve().parent
    folders = sorted(Path("/").glob(f"{BINARIES[1:]}/initdb"), key=lambda path: int(path.parts[-3]))
    return folders[-1].parent if folders and shutil.which("psql") else None


class Server:
    """A running server, spoken to by psql."""

    def __init__(self, folder, owner):
        self.folder, self.owner = folder, owner

    def csv(self, sql):
        """Return what `psql --csv` prints of the last statement."""
        file = self.folder / "statement.sql"
        file.write_text(sql, encoding="utf-8")
        options = ["--csv", "--quiet", "--no-psqlrc", "--set", "ON_ERROR_STOP=1", "--host", str(self.folder)]
        command = ["psql", *options, "--username", "tests", "--dbname", "postgres", "--file", str(file)]
        ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
        if ran.returncode:
            raise RuntimeError(ran.stderr)
        return ran.stdout


@contextmanager
def running():
    """Start a server; root hands it to nobody, as PostgreSQL refuses to run as root."""
    as_root = os.geteuid() == 0
    owner = ["runuser", "-u", "nobody", "--"] if as_root else []
    folder = Path(tempfile.mkdtemp(prefix="rocconf-pg-", dir="/tmp"))  # a socket's path must be short
    try:
        if as_root:
            shutil.chown(folder, "nobody")
            folder.chmod(0o755)
        data = folder / "data"
        initdb = [*owner, str(programs() / "initdb"), "--pgdata", str(data), "--username", "tests", "--auth", "trust"]
        subprocess.run([*initdb, "--encoding", "UTF8", "--locale", "C"], check=True, capture_output=True, cwd=folder)
        settings = ["listen_addresses=", f"unix_socket_directories={folder}", "fsync=off", "work_mem=256MB"]
        serve = [*owner, str(programs() / "postgres"), "-D", str(data)]
        serve += [word for setting in settings for word in ("-c", setting)]
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(serve, stdout=log, stderr=log, cwd=folder)
        try:
            server = Server(folder, owner)
            _wait_for(server, process)
            yield server
        finally:
            process.terminate()  # runuser hands the signal on
            process.wait(PATIENCE)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _wait_for(server, process):
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return server.csv("SELECT 1;")
        except RuntimeError:
            if process.poll() is not None or time.monotonic() > end:
                raise
            time.sleep(0.05)
