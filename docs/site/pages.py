# SPDX-License-Identifier: Apache-2.0
"""Copies the pages of the repository, and the files that they link, into a folder for mkdocs.

A link to a folder goes to its README, or to a list of its files. The site has the repository's layout, so that links
between pages need no change.
"""
import html
import os
import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = pathlib.Path(sys.argv[1]).resolve()
LINK = re.compile(r"(\]\()([^)\s#]+)(#[^)]*)?(\))")
CODE = re.compile(r"(^```.*?^```|`[^`\n]+`)", re.S | re.M)
# What the search of the site does with pages whose paths begin so: the first that matches.
SEARCH = {
    "tools/": "exclude: true",
    "docs/operate/": "boost: 4",
    "docs/reference/": "boost: 2",
    "docs/zh/operations.md": "boost: 1",
    "docs/zh/": "boost: 0.5",
    "README.zh-CN.md": "boost: 0.25",
    "docs/guides/gateways.md": "boost: 5",
    "docs/maintain/": "boost: 0.5",
    "CHANGELOG.md": "boost: 0.5",
}


def files(folder):
    """Paths from the root of what the folder has, without what a build wrote."""
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != "target" and not name.startswith("."))
        yield from (str((pathlib.Path(parent) / name).relative_to(ROOT)) for name in sorted(names))


def list_of(folder):
    """A page that lists what a folder without README has."""
    inside = [path[len(folder) + 1:] for path in files(ROOT / folder)]
    for path in inside:
        if not path.endswith(".md"):  # pages have their links changed
            copy(f"{folder}/{path}")
    text = f"# {folder}\n\n" + "".join(f"* [{path}]({path})\n" for path in inside)
    write(f"{folder}/README.md", text, "exclude: true")


def write(page, text, search="boost: 1"):
    """A page, with what the search does with it before its text, and the text as a file that the page links."""
    search = next((how for start, how in SEARCH.items() if page.startswith(start)), search)
    place(page).write_text(f"---\nsearch:\n  {search}\n---\n{text}")
    source = ROOT / page
    place(page + ".txt").write_text(source.read_text() if source.exists() else text)


def place(path):
    """Where a file goes, in a folder that is there."""
    target = TARGET / path
    target.parent.mkdir(parents=True, exist_ok=True)
    return target


def copy(path):
    shutil.copyfile(ROOT / path, place(path))


def linked(page, match):
    before, target, anchor, after = match.groups(default="")
    if "://" in target or target.startswith("mailto:"):
        return match.group()
    path = (ROOT / page).parent.joinpath(target).resolve()
    inside = str(path.relative_to(ROOT))
    if path.is_dir():
        if not (path / "README.md").exists():
            list_of(inside)
        target = target.rstrip("/") + "/README.md"
    elif path.suffix != ".md":
        copy(inside)
    return before + target + anchor + after


def first_call_first(text):
    """The front page without what stands between its introduction and the first call, which follows it."""
    sections = re.split(r"(?m)^(?=## )", text)
    what = [section for section in sections if section.startswith(("## What you get", "## 特性"))]
    rest = [section for section in sections if section not in what]
    return "".join(rest[:2] + what + rest[2:])


def with_headings(text):
    """Keys and meters in the first column of a table are headings, of which the search finds the row."""
    lines, known, named = [], set(), False
    for line in text.split("\n"):
        if not line.startswith("|"):
            named = False
        elif re.match(r"\| (key|meter)\b", line):
            named = True
        elif named:
            cell, rest = line[1:].split("|", 1)
            line = "|" + re.sub("`([^`]+)`", lambda name: heading(name[1], known), cell) + "|" + rest
        lines.append(line)
    return "\n".join(lines)


def heading(name, known):
    anchor = re.sub("[^a-z0-9.-]", "", name.lower())
    if anchor in known:
        return f"`{name}`"
    known.add(anchor)
    parts = html.escape(name).replace(".", ".<wbr>")  # where a phone breaks it
    return f'<h6 id="{anchor}"><code>{parts}</code></h6>'


def staged(page):
    text = (ROOT / page).read_text()
    if page.startswith("README"):
        text = first_call_first(text)
    if page.startswith("docs/reference/"):
        text = with_headings(text)
    parts = CODE.split(text)  # code at the odd places
    parts[::2] = [LINK.sub(lambda match: linked(page, match), part) for part in parts[::2]]
    return "".join(parts).replace("<details>", '<details markdown="1">')


shutil.rmtree(TARGET, ignore_errors=True)
for page in [path for path in files(ROOT) if path.endswith(".md")]:
    write(page, staged(page))
