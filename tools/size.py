#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures modules, samples, tools and pages at a revision, the present one by default:

tools/size.py [revision] [--details]
tools/size.py [revision] --draw SEED N    names N internal types of the Dubbo module and of the HTTP artifact, for a reader to judge

Lines of code are those of .ci/ceilings: neither blank nor comment, import or package. Types are files; a circle of types is
a group in which each uses each other one, directly or not, by the names in the sources. A wing is a first package below
internal, the ground all others; the floors are the packages of its longest chain in which each uses the next. A method is
counted from its first line to its last. Words of a page are separated by blanks: with tables, and outside tables and code.
Chinese pages are left out.
"""
import random
import re
import subprocess
import sys
from collections import defaultdict

LONGEST_FILE, LONGEST_METHOD, MOST_PARAMETERS = 400, 40, 7
SOURCE = re.compile(r"(highway-sdk-[a-z-]+)/src/main/java/(.*)/(\w+)\.java$")
TOOL = re.compile(r"((?:samples|tools|test-support|fuzz)(?:/[a-z-]+)?)/.*\.(?:java|kt|py|sh)$|docs/.*\.(?:py|sh)$")
PAGE = re.compile(r"(?!docs/zh/|README\.zh-CN).*\.md$")
INTERNAL = "io/highway/sdk/dubbo/internal/"
DRAWN_FROM = "highway-sdk-dubbo-filter", "highway-sdk-http"
WINGS = "caller", "network", "provider", "policy", "operate", "ground"


def git(*arguments):
    return subprocess.run(["git", *arguments], capture_output=True, text=True, check=True).stdout


def without_comments(text):
    texts = r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
    return re.sub(texts + r"|/\*.*?\*/|//[^\n]*", lambda m: m.group() if m.group()[0] in "\"'" else "", text, flags=re.S)


def methods(lines):
    """The name and length of each method of a formatted file: its body ends at the closing brace of its indent."""
    start = None
    for number, line in enumerate(lines):
        if start is None and re.match(r"^ {4,8}[\w@<].*\(", line) and not line.rstrip().endswith((";", "{}")):
            start, indent = number, len(line) - len(line.lstrip())
        elif start is not None and line.startswith(" " * indent + "}"):
            name = re.search(r"(\w+)\(", lines[start])
            yield name.group(1) if name else "?", number - start + 1
            start = None
        elif start is not None and line.startswith(" " * indent) and line.rstrip().endswith(";") and line[indent] != " ":
            start = None


def constructors(name, code):
    for match in re.finditer(r"(?:\brecord )?\b" + name + r"\s*(?:<[^>]*>)?\(([^{;]*)\)\s*(?:throws [\w, ]+)?(?:implements [^{]+)?\{", code):
        depth, count = 0, 1 if match.group(1).strip() else 0
        for c in match.group(1):
            depth += c in "<(" and 1 or c in ">)" and -1 or 0
            count += c == "," and depth == 0
        yield count


def circles(uses):
    """Tarjan's strongly connected components of more than one type."""
    index, low, stack, found = {}, {}, [], []

    def visit(type_):
        index[type_] = low[type_] = len(index)
        stack.append(type_)
        for other in uses[type_]:
            if other not in index:
                visit(other)
                low[type_] = min(low[type_], low[other])
            elif other in stack:
                low[type_] = min(low[type_], index[other])
        if low[type_] == index[type_]:
            circle = stack[stack.index(type_):]
            del stack[stack.index(type_):]
            if len(circle) > 1:
                found.append(sorted(circle))

    for type_ in list(uses):
        if type_ not in index:
            visit(type_)
    return found


def floors(uses):
    """The packages of the longest chain of internal ones in which each uses the next."""
    below = defaultdict(set)
    for (package, _), used in uses.items():
        if package.startswith(INTERNAL):
            below[package] |= {other for other, _ in used if other.startswith(INTERNAL) and other != package}
    known = {}

    def floor(package):
        if package not in known:
            known[package] = 0  # where packages use each other, the chain ends
            known[package] = 1 + max(map(floor, below[package]), default=0)
        return known[package]

    return max(map(floor, list(below)), default=0)


def wing(package):
    first = package.removeprefix(INTERNAL).split("/")[0]
    return first if first in WINGS else "ground"


def words(page):
    """With tables, and outside tables and code."""
    text = re.sub(r"```.*?```|<!--.*?-->", "", page, flags=re.S)
    outside = [line for line in text.split("\n") if not line.startswith("|")]
    return len(page.replace("|", " ").split()), len("\n".join(outside).split())


def pages_and_tools(revision, paths, details):
    pages, tools = {}, defaultdict(int)
    for path in paths:
        tool = TOOL.match(path)
        if PAGE.match(path):
            pages[path] = words(git("show", f"{revision}:{path}"))
        elif tool:
            lines = without_comments(git("show", f"{revision}:{path}")).split("\n")
            tools[tool.group(1) or "docs"] += sum(1 for line in lines if line.strip() and not line.lstrip().startswith("#"))
    for kind in "samples", "tools":
        print(f"lines of {kind}:", ", ".join(f"{name} {count}" for name, count in sorted(tools.items()) if name.startswith(kind)),
              f"(all {sum(count for name, count in tools.items() if name.startswith(kind))})")
    docs = [count for path, count in pages.items() if path.startswith("docs/")]
    print(f"words: all pages {sum(all_ for all_, _ in pages.values())};"
          f" docs {sum(all_ for all_, _ in docs)}, outside tables {sum(outside for _, outside in docs)};"
          f" most outside tables {max(outside for _, outside in docs)};"
          f" README {pages['README.md'][1]}, CHANGELOG {pages['CHANGELOG.md'][1]}")
    if details:
        for path, (all_, outside) in sorted(pages.items()):
            print(f"  {path}: {all_} words, {outside} outside tables")


def options(arguments):
    """The revision, whether details are printed, and the seed and number of a drawing."""
    drawn = None
    if "--draw" in arguments:
        at = arguments.index("--draw")
        drawn = [int(one) for one in arguments[at + 1:at + 3] if one.isdecimal()]
        arguments = arguments[:at] + arguments[at + 3:]
    unknown = [one for one in arguments if one.startswith("-") and one != "--details"]
    if unknown or drawn is not None and len(drawn) != 2:
        print(__doc__)
        sys.exit(0 if unknown == ["--help"] else 2)
    return next((one for one in arguments if not one.startswith("-")), "HEAD"), "--details" in arguments, drawn


def main():
    sys.setrecursionlimit(10_000)
    revision, details, drawn = options(sys.argv[1:])
    lines, packages, public, codes = defaultdict(int), defaultdict(list), defaultdict(int), {}
    wings, internal = {name: [0, 0, 0, set()] for name in WINGS}, []
    long_files, long_methods, long_constructors = [], [], []
    paths = git("ls-tree", "-r", "--name-only", revision).split("\n")
    for path in paths:
        source = SOURCE.match(path)
        if not source or source.group(3) == "package-info":
            continue
        module, package, name = source.groups()
        if module in DRAWN_FROM and package.startswith(INTERNAL):
            internal.append(f"{package.removeprefix(INTERNAL).replace('/', '.')}.{name}")
        if drawn:
            continue
        text = git("show", f"{revision}:{path}")
        code = without_comments(text)
        count = sum(1 for line in code.split("\n") if line.strip() and not re.match(r"\s*(import|package)\b", line))
        is_public = bool(re.search(r"^public ", code, re.M))
        lines[module] += count
        packages[package].append(name)
        public[package] += is_public
        if package.startswith(INTERNAL):
            one = wings[wing(package)]
            one[0], one[1], one[2] = one[0] + count, one[1] + 1, one[2] + is_public
            one[3].add(package)
        codes[package, name] = re.sub(r'"(?:\\.|[^"\\\n])*"', "", code)
        if text.count("\n") > LONGEST_FILE:
            long_files.append((text.count("\n"), name))
        long_methods += [(length, f"{name}#{method}") for method, length in methods(code.split("\n")) if length > LONGEST_METHOD]
        long_constructors += [(count, name) for count in constructors(name, code) if count > MOST_PARAMETERS]
    if drawn:
        print(*random.Random(drawn[0]).sample(sorted(internal), drawn[1]), sep="\n")
        return
    uses = defaultdict(set)
    for (package, name), code in codes.items():
        words = set(re.findall(r"\b[A-Z]\w*", re.sub(r"^(?:import|package) [^\n]*", "", code, flags=re.M)))
        known = {other: (package, other) for other in packages[package]}
        for imported in re.findall(r"^import (?:static )?([\w.]+);", code, re.M):
            parts = imported.split(".")
            for end in range(len(parts), 0, -1):
                key = "/".join(parts[: end - 1]), parts[end - 1]
                if key in codes:
                    known[parts[-1]] = key
        uses[package, name] |= {key for word, key in known.items() if word in words and key != (package, name)}
    groups = circles(uses)
    print("lines of code:", ", ".join(f"{module} {count}" for module, count in sorted(lines.items())), f"(all {sum(lines.values())})")
    for name, (count, types, public_types, rooms) in wings.items():
        print(f"  {name}: {count} lines, {types} types, {public_types} public, in {len(rooms)} packages")
    inside = [package for package in packages if "/internal" in package]
    print(f"types: {len(codes)}, public {sum(public.values())}, in {len(packages)} packages;"
          f" internal public {sum(public[package] for package in inside)}; floors {floors(uses)}")
    print(f"circles of types: {len(groups)} with {sum(map(len, groups))} types")
    print(f"files over {LONGEST_FILE} lines: {len(long_files)}; methods over {LONGEST_METHOD}: {len(long_methods)};"
          f" constructors over {MOST_PARAMETERS} parameters: {len(long_constructors)}")
    if details:
        for package in sorted(packages):
            print(f"  {package.replace('/', '.')}: {len(packages[package])} types, {public[package]} public")
        for title, found in ("files", long_files), ("methods", long_methods), ("constructors", long_constructors):
            print(f"  {title}:", ", ".join(f"{name} {size}" for size, name in sorted(found, reverse=True)))
        for group in groups:
            print("  circle:", ", ".join(name for _, name in group))
    pages_and_tools(revision, paths, details)


main()
