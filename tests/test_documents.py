"""What the documents in `docs/` and at the top say is there, and what they show is made from the code."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from firmware_bridge.app.config.keys import KEYS
from firmware_bridge.arbiter.findings import FAULTS, INCIDENTS, NOTES
from firmware_bridge.arbiter.phases import diagram
from firmware_bridge.console.cards import TITLES
from firmware_bridge.link.messages import TABLE
from firmware_bridge.record.words import FAULT_TEXTS

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
DOCUMENTS = [*sorted(DOCS.glob("*.md")), *sorted(ROOT.glob("*.md"))]
WANTED = ("architecture", "arbiter", "stories", "clock-line", "glossary", "decisions")

TOP = frozenset(
    "pyproject.toml README.md firmware_bridge hw tests config systemd docs".split()
    + "LICENSE CHANGELOG.md CONTRIBUTING.md SECURITY.md Makefile".split()
)
"""All that stands at the top, besides files whose names begin with a dot."""
_PATH = re.compile(r"`([A-Za-z0-9_.-]+(?:/[A-Za-z0-9_.-]+)*/?)`")
_HOMES = ("", "firmware_bridge/")


def _ids(path: Path) -> str:
    return str(path.relative_to(ROOT))


def _kept() -> list[str]:
    """What git keeps of this checkout; empty outside of one."""
    found = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    return found.stdout.splitlines()


def test_nothing_else_stands_at_the_top() -> None:
    tops = {path.split("/")[0] for path in _kept()}
    assert {top for top in tops if not top.startswith(".")} <= TOP


def test_every_document_is_there() -> None:
    assert [name for name in WANTED if not (DOCS / f"{name}.md").is_file()] == []


def _is_path(word: str) -> bool:
    """Whether a word in code type is meant as a path of this checkout."""
    first = word.split("/", maxsplit=1)[0]
    tops = (*TOP, ".ci", ".pre-commit-config.yaml")
    rooms = [path.name for path in (ROOT / "firmware_bridge").iterdir()]
    return first in tops or ("/" in word and first in rooms)


@pytest.mark.parametrize("document", DOCUMENTS, ids=_ids)
def test_every_path_that_is_named_exists(document: Path) -> None:
    words = _PATH.findall(document.read_text(encoding="utf-8"))
    paths = [word for word in words if _is_path(word)]
    assert [path for path in paths if not any((ROOT / home / path).exists() for home in _HOMES)] == []


def _headings(document: Path) -> set[str]:
    """The anchors of a document, as GitHub makes them of its headings."""
    titles = re.findall(r"^#+ (.*)$", document.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("document", DOCUMENTS, ids=_ids)
def test_every_link_leads_to_a_heading(document: Path) -> None:
    links = re.findall(r"\]\(([^):]+)\)", document.read_text(encoding="utf-8"))
    broken = []
    for link in links:
        name, _, anchor = link.partition("#")
        target = document.parent / name if name else document
        if not target.exists() or (anchor and anchor not in _headings(target)):
            broken.append(link)
    assert broken == []


def _between(document: str, mark: str) -> str:
    text = (DOCS / document).read_text(encoding="utf-8")
    found = re.search(rf"<!-- {mark} -->\n(.*?)<!-- /{mark} -->", text, re.S)
    assert found is not None
    return found[1]


def test_the_diagram_of_the_phases_is_the_table() -> None:
    assert _between("arbiter.md", "diagram") == f"```mermaid\n{diagram()}```\n"


def test_the_messages_of_the_clock_line_are_the_table() -> None:
    rows = [
        f"| `{code:#04x}` | `{kind.__name__}` | {'daemon to unit' if code < 0x80 else 'unit to daemon'} |"
        for code, kind in TABLE.items()
    ]
    head = ["| code | message | direction |", "|---|---|---|"]
    assert _between("clock-line.md", "messages").splitlines() == [*head, *rows]


def test_the_specification_names_every_finding() -> None:
    text = (DOCS / "arbiter.md").read_text(encoding="utf-8")
    codes = [*INCIDENTS, *NOTES, *FAULTS]
    assert [code for code in codes if not re.search(rf"`{code}[`@:]", text)] == []


@pytest.mark.parametrize("code", INCIDENTS)
def test_the_specification_cites_the_rules_of_a_finding_and_its_proposals(code: str) -> None:
    text = (DOCS / "arbiter.md").read_text(encoding="utf-8")
    (row,) = [line for line in text.splitlines() if line.startswith(f"| `{code}` |")]
    kind = INCIDENTS[code]
    rules, proposals = row.split("|")[-3:-1]
    assert [rule for rule in kind.rules.values() if not rule.startswith("no ") and rule not in rules] == []
    assert [one for one in {*kind.first.values(), *kind.later.values()} if one not in proposals] == []


def test_every_incident_has_a_title() -> None:
    assert set(TITLES) == set(INCIDENTS)


def test_the_architecture_names_every_module_of_the_arbiter() -> None:
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")
    modules = (ROOT / "firmware_bridge" / "arbiter").glob("[!_]*.py")
    assert [path.name for path in modules if f"`arbiter/{path.name}`" not in text] == []


def test_every_fault_has_words_for_people() -> None:
    assert set(FAULT_TEXTS) == set(FAULTS)


def test_the_documents_name_no_key_that_does_not_exist() -> None:
    groups = {key.name.split(".")[0] for key in KEYS}
    names = {key.name for key in KEYS}
    for document in DOCUMENTS:
        words = re.findall(r"`([a-z]+\.[a-z_]+)(?: = [^`]*)?`", document.read_text(encoding="utf-8"))
        strays = [word for word in words if word.split(".")[0] in groups and word not in names]
        assert strays == [], document.name
