# SPDX-License-Identifier: Apache-2.0
"""Copies the pages of the repository, and the files that they link, into a folder for mkdocs.

A link to a folder goes to its README, or to a list of its files. The site has the repository's layout, so that links
between pages need no change.
"""
import os
import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = pathlib.Path(sys.argv[1]).resolve()
LINK = re.compile(r"(\]\()([^)\s#]+)(#[^)]*)?(\))")
CODE = re.compile(r"(^```.*?^```|`[^`\n]+`)", re.S | re.M)


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
    place(f"{folder}/README.md").write_text(
        f"# {folder}\n\n" + "".join(f"* [{path}]({path})\n" for path in inside))


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


def staged(page):
    text = (ROOT / page).read_text()
    parts = CODE.split(text)  # code at the odd places
    parts[::2] = [LINK.sub(lambda match: linked(page, match), part) for part in parts[::2]]
    return "".join(parts).replace("<details>", '<details markdown="1">')


shutil.rmtree(TARGET, ignore_errors=True)
for page in [path for path in files(ROOT) if path.endswith(".md")]:
    place(page).write_text(staged(page))
