"""The console examples of the documents that need a Spark cluster: blocks that begin with ```console spark.

`python tests/engines/spark_examples.py` starts a cluster and refreshes them; test_spark.py compares them.
"""

import re
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from examples import DOCUMENTS, ROOT, make_folder, rerun
from spark_cluster import Cluster

BLOCK = re.compile(r"```console spark\n(.*?)```", re.DOTALL)
REMOTE = "sc://127.0.0.1:15002"
"""The address in the documents; a test's server takes a port that is free."""


def documents():
    """Return the documents that have such examples."""
    return [document for document in DOCUMENTS if BLOCK.search(document.read_text(encoding="utf-8"))]


def refreshed(text, cluster):
    """Return a document with the current output of these examples; the server sees the files of the project."""
    link = cluster.folder / "sample_data"
    if not link.exists():
        link.symlink_to(ROOT / "sample_data")

    def block(found, folder):
        here = rerun(found[1].replace(REMOTE, cluster.remote), folder)
        return f"```console spark\n{here.replace(cluster.remote, REMOTE)}```"

    with tempfile.TemporaryDirectory() as name:
        make_folder(Path(name))
        return BLOCK.sub(lambda found: block(found, Path(name)), text)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name, Cluster(name) as cluster:
        for document in documents():
            document.write_text(refreshed(document.read_text(encoding="utf-8"), cluster), encoding="utf-8")
