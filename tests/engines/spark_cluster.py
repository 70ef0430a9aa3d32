"""A Spark cluster on 127.0.0.1 for tests: a standalone master, two workers and a Connect server, stopped by pid.

`python tests/engines/spark_cluster.py` starts one and prints its address until it is interrupted.
"""

import contextlib
import ctypes
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parents[2]
PR_SET_PDEATHSIG = 1
HOST = "127.0.0.1"
LONGEST_START = 300.0
"""Seconds in which a cluster starts even on a busy machine."""

QUICK_START = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""What short runs of a JVM gain from; a cluster of a day does not."""

SERVER = "org.apache.spark.sql.connect.service.SparkConnectServer"


def spark_home():
    """Return the folder of an installed Spark: $SPARK_HOME, or that of the group `engines`; None if there is none."""
    named = os.environ.get("SPARK_HOME")
    found = [Path(named)] if named else sorted((ROOT / ".venv-engines").glob("lib/python*/site-packages/pyspark"))
    return next((home for home in found if (home / "bin" / "spark-class").exists()), None)


def missing():
    """Return what is missing to start a cluster; None if nothing is."""
    if spark_home() is None:
        return "no Spark (`make engines` installs it)"
    if shutil.which("java") is None:
        return "no Java (`make engines` installs it)"
    return None


def _end_with_the_test():
    """Let Linux end this process with its parent, also where that is killed."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def free_ports(n):
    """Return ports that nobody listens on."""
    with contextlib.ExitStack() as sockets:
        bound = [sockets.enter_context(socket.socket()) for _ in range(n)]
        for each in bound:
            each.bind((HOST, 0))
        return [each.getsockname()[1] for each in bound]


class Cluster:
    """A running cluster. Files that its jobs read are those of this machine."""

    def __init__(self, folder, *, memory="2g", **configuration):
        self.folder, self.home, self._memory = Path(folder), spark_home(), memory
        self._configuration = configuration
        self._processes = {}
        self.port, self._master_port, self.ui_port, *self._web_ports = free_ports(6)
        self.remote = f"sc://{HOST}:{self.port}"

    def __enter__(self):
        try:
            self._start_all()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def _start_all(self):
        master = f"spark://{HOST}:{self._master_port}"
        ui, *uis = self._web_ports
        self._start("master", "org.apache.spark.deploy.master.Master", *self._at(self._master_port, ui))
        for name, port in zip(("worker1", "worker2"), uis, strict=True):
            self._start_worker(name, port)  # which waits for the master
        self._start_server(master)
        self._wait_for("server", self.port)

    def _start_server(self, master):
        configuration = {
            "spark.connect.grpc.binding.address": HOST,
            "spark.connect.grpc.binding.port": self.port,
            "spark.driver.host": HOST,
            "spark.driver.bindAddress": HOST,
            "spark.ui.port": self.ui_port,
            "spark.local.dir": self.folder / "local",
            "spark.sql.warehouse.dir": self.folder / "warehouse",
            "spark.sql.shuffle.partitions": 4,
            "spark.ui.showConsoleProgress": "false",
            "spark.driver.extraJavaOptions": QUICK_START,
            "spark.executor.extraJavaOptions": QUICK_START,
            **self._configuration,
        }
        options = [part for key, value in configuration.items() for part in ("--conf", f"{key}={value}")]
        submit = ("org.apache.spark.deploy.SparkSubmit", "--class", SERVER, "--master", master, *options)
        self._start("server", *submit, "spark-internal")

    def _at(self, port, web_port):
        return ("--host", HOST, "--port", str(port), "--webui-port", str(web_port))

    def _start_worker(self, name, web_port):
        worker = ("org.apache.spark.deploy.worker.Worker", *self._at(0, web_port), "-c", "1", "-m", self._memory)
        self._start(name, *worker, "-d", str(self.folder / name), f"spark://{HOST}:{self._master_port}")

    def _start(self, name, *arguments):
        environment = {
            "PATH": os.environ["PATH"],
            "SPARK_HOME": str(self.home),
            "SPARK_LOCAL_IP": HOST,
            "SPARK_DAEMON_MEMORY": "1g" if name == "server" else "256m",
            "SPARK_LOCAL_DIRS": str(self.folder / "local"),
            "SPARK_CONF_DIR": str(self.folder),
            "SPARK_DAEMON_JAVA_OPTS": QUICK_START,
            "SPARK_LAUNCHER_OPTS": QUICK_START,
        }
        if "JAVA_HOME" in os.environ:
            environment["JAVA_HOME"] = os.environ["JAVA_HOME"]
        with self.log(name).open("ab") as log:
            self._processes[name] = subprocess.Popen(
                [str(self.home / "bin" / "spark-class"), *arguments],
                cwd=self.folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # a worker's executors are of its group, so that both are killed at once
                preexec_fn=_end_with_the_test,  # noqa: PLW1509  # it calls the kernel alone
            )

    def _wait_for(self, name, port):
        until = time.monotonic() + LONGEST_START
        while time.monotonic() < until and self._processes[name].poll() is None:
            with contextlib.suppress(OSError), socket.create_connection((HOST, port), 1):
                return
            time.sleep(0.05)
        raise RuntimeError(f"{name} of Spark did not start:\n{self.log(name).read_text()[-3000:]}")

    def log(self, name):
        """Return the file that a process writes its log to."""
        return self.folder / f"{name}.log"

    def kill_worker(self, name="worker1"):
        """Kill a worker and its executors, which takes with it the shuffle output they hold."""
        self._kill(name)

    def restart_worker(self, name="worker1"):
        """Start a worker that was killed."""
        (port,) = free_ports(1)
        self._start_worker(name, port)
        self._wait_for(name, port)

    def kill_server(self):
        """Kill the Connect server."""
        self._kill("server")

    def restart_server(self, **configuration):
        """Start the server at the same port once more, with other settings."""
        if "server" in self._processes:
            self._kill("server")
        self._configuration |= configuration
        self._start_server(f"spark://{HOST}:{self._master_port}")
        self._wait_for("server", self.port)

    def _kill(self, name):
        process = self._processes.pop(name)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def jobs(self, status=""):
        """Return the jobs of the server, newest first; with a status only those in it (running, succeeded, ...)."""
        found = self._rest("applications")
        return self._rest(
            f"applications/{found[0]['id']}/jobs?status={status}" if status else f"applications/{found[0]['id']}/jobs"
        )

    def stages(self):
        """Return the stages of the server's jobs, newest first."""
        return self._rest(f"applications/{self._rest('applications')[0]['id']}/stages")

    def _rest(self, path):
        with urllib.request.urlopen(f"http://{HOST}:{self.ui_port}/api/v1/{path}", timeout=LONGEST_START) as answer:
            return json.load(answer)

    def stop(self):
        """Stop every process, in the reverse order, by its pid."""
        for name in reversed(list(self._processes)):
            self._kill(name)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with tempfile.TemporaryDirectory() as name, Cluster(name, memory=(sys.argv[1:] or ["2g"])[0]) as cluster:
        print(cluster.remote, cluster.ui_port, cluster.folder, flush=True)  # noqa: T201
        with contextlib.suppress(KeyboardInterrupt):
            signal.pause()
