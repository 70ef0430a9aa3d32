"""The notebook of the documents goes from a data frame of polars to a plot on its own axes and a verdict."""

import os

import nbclient
import nbformat
import pytest
from conftest import ROOT

NOTEBOOK = ROOT / "docs" / "notebook.ipynb"


def read():
    return nbformat.read(NOTEBOOK, as_version=4)


def test_the_notebook_is_valid_and_stored_without_outputs():
    notebook = read()
    nbformat.validate(notebook)
    assert [cell.outputs for cell in notebook.cells if cell.cell_type == "code"] == [[]] * 4


@pytest.mark.thorough
def test_the_notebook_goes_from_a_frame_to_a_figure_and_a_verdict(monkeypatch, tmp_path):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    monkeypatch.setenv("JUPYTER_PLATFORM_DIRS", "1")
    monkeypatch.setenv("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    notebook = read()
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": os.fspath(ROOT)}}).execute()
    frame, swept, figure, verdicts = [cell.outputs for cell in notebook.cells if cell.cell_type == "code"]
    assert "shape: (3, 6)" in frame[0].data["text/plain"]
    assert swept[0].data["text/html"].startswith("<div><p>new: AUC 0.8")
    assert [output.output_type for output in figure] == ["display_data"]
    assert len(figure[0].data["image/png"]) > 10_000
    assert verdicts[0].data["text/plain"].startswith("Verdicts: pass\n  pass: auc >= 0.85: new: auc is 0.8")
