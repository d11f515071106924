"""The code of the documentation runs, and does what it says."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("docs/how-to/python.md", [r"^(2\.(49|50)|5\*mass)", r'there is no operator "sine"; did you mean "sin"\?']),
        ("python/README.md", [r"^3\*x0/x1$"]),
    ],
)
def test_a_page_runs(page, expected, capsys):
    text = (ROOT / page).read_text()
    program = "\n".join(re.findall(r"^```python\n(.*?)^```$", text, re.S | re.M))
    assert program
    exec(compile(program, page, "exec"), {})  # noqa: S102
    printed = capsys.readouterr().out
    for one in expected:
        assert re.search(one, printed, re.M), printed
