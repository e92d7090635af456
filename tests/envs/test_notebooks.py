"""The notebooks run from the first cell to the last."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parent.parent.parent / "docs" / "notebooks").glob("*.ipynb"))


def test_there_are_three():
    assert len(NOTEBOOKS) == 3


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path, tmp_path):
    book = nbformat.read(path, as_version=4)
    assert not any(cell.get("outputs") for cell in book.cells), "commit notebooks without outputs"
    NotebookClient(book, timeout=1800, startup_timeout=600, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [output.get("text", "") for cell in book.cells for output in cell.get("outputs", [])]
    assert any(shown)
