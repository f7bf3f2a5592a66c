#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a command and writes what it prints as a picture of a terminal, so that the picture shows what a run has printed.

Usage: docs/site/recording.py [--check] PICTURE COMMAND [ARGUMENT]...

With --check it writes nothing, and fails if the run prints other lines than the picture has, but for numbers and blanks:
durations and their width differ between runs. A command that fails is not recorded. The exit code is 0 only then.
"""
import html
import pathlib
import re
import subprocess
import sys

WIDTH, HEIGHT, MARGIN = 8.43, 20, 16  # of a character of 14 px, of a line, around the text; in px
TEXT = re.compile(r'<text class="line"[^>]*>(.*?)</text>')
FAILED = re.compile(r" refused=| - +\d+  \S")  # of a line of keys and values, and of a table's row without an answer
ROOT = f"{pathlib.Path(__file__).resolve().parents[2]}/"  # is not shown: paths begin in the repository


def lines_of(command):
    """What the command prints, which is also passed on; its error output is not recorded."""
    lines = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8") as run:
        for line in run.stdout:
            print(line, end="", flush=True)
            lines.append(line.rstrip().replace(ROOT, ""))
    if run.returncode:
        sys.exit(f"recording: {command[0]} ended with {run.returncode}")
    return lines


def picture(command, lines):
    """Colours are the picture's own, so it can be read on a light and on a dark page; a reader of the screen gets the text."""
    shown = ["$ " + " ".join(command)] + lines
    width = round(2 * MARGIN + WIDTH * max(map(len, shown)))
    height = 2 * MARGIN + HEIGHT * len(shown)
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">'
    yield f"<title>Output of {html.escape(' '.join(command))}</title>"
    yield ("<style>.frame{fill:#0d1117}text{white-space:pre;font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"
           "'DejaVu Sans Mono',monospace;fill:#e6edf3}.command{fill:#7ee787;font-weight:bold}.failed{fill:#ffa657}</style>")
    yield f'<rect class="frame" width="{width}" height="{height}" rx="8"/>'
    for number, line in enumerate(shown):
        part = html.escape(line, quote=False)
        if number and FAILED.search(line):
            part = f'<tspan class="failed">{part}</tspan>'
        name = "line" if number else "command"
        yield (f'<text class="{name}" xml:space="preserve" x="{MARGIN}" y="{MARGIN + HEIGHT * number + 15}"'
               f' textLength="{round(WIDTH * len(line), 1)}">{part}</text>' if line else "")
    yield "</svg>"


def comparable(line):
    return re.sub(r"\s+", " ", re.sub(r"\d+", "0", line)).strip()


def recorded(path):
    with open(path, encoding="utf-8") as file:
        return [html.unescape(re.sub("<[^>]*>", "", text)) for text in TEXT.findall(file.read())]


def main(arguments):
    check = arguments[:1] == ["--check"]
    if len(arguments) < 2 + check or arguments[0] == "--help":
        print(__doc__)
        sys.exit(0 if "--help" in arguments else 2)
    path, command = arguments[check], arguments[check + 1:]
    lines = lines_of(command)
    if not check:
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(filter(None, picture(command, lines))) + "\n")
        return
    printed, shown = ([comparable(line) for line in some if line] for some in (lines, recorded(path)))
    different = [f"  run: {line}" for line in printed if line not in shown]
    different += [f"  picture: {line}" for line in shown if line not in printed]
    if different or printed != shown:
        sys.exit(f"recording: {path} has other lines than this run. Look at them, then record it again:"
                 f" docs/site/recording.py {path} <command of its first line>\n" + "\n".join(different))


main(sys.argv[1:])
