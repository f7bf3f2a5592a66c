#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints which behaviours the tests have asserted, from Surefire's reports below a folder:

tools/behaviours.py <folder>            rows of behaviour, tunnel, call mode, cases, test classes
tools/behaviours.py <before> <after>    compares two such lists; ends with 1 if a row of the first is missing in the second
tools/behaviours.py --seconds <folder>  seconds of each package, and its slowest class; mvn verify prints this for each module

A behaviour is the name of a test method; a test may move to another class. Tunnel and mode are those among its arguments;
what a test repeats in its own loop is not seen. A row with fewer cases or classes than before is printed, but does not fail.
"""
import re
import sys
import xml.etree.ElementTree
from collections import defaultdict
from pathlib import Path

TUNNELS = {"dubbo", "triple", "http"}
MODES = {"sync", "async", "completable_future", "async_call", "context_future", "generic", "generic_async", "protobuf",
         "protobuf_future"}


def suites(folder):
    for report in sorted(Path(folder).glob("**/surefire-reports/TEST-*.xml")):
        yield xml.etree.ElementTree.parse(report).getroot()


def rows(folder):
    """Cases and classes by behaviour, tunnel and mode. Tests that were skipped have asserted nothing."""
    found = defaultdict(lambda: [0, set()])
    for suite in suites(folder):
        for case in suite.iter("testcase"):
            if case.find("skipped") is None:
                name = case.get("name")
                values = [value.lower() for value in re.findall(r"(?:\] |, )(?:\w+ ?= ?)?(\w+)(?=,|$)", name)]
                tunnel = next((value for value in values if value in TUNNELS), "-")
                mode = next((value for value in values if value in MODES), "-")
                row = found[re.match(r"\w*", name).group(), tunnel, mode]
                row[0] += 1
                row[1].add(case.get("classname").split(".")[-1])
    return {key: (cases, ",".join(sorted(classes))) for key, (cases, classes) in found.items()}


def read(list_):
    lines = [line.split("\t") for line in Path(list_).read_text(encoding="utf-8").splitlines()]
    return {tuple(line[:3]): (int(line[3]), line[4]) for line in lines}


def compare(before, after):
    missing = sorted(set(before) - set(after))
    for key, (cases, classes) in sorted(before.items()):
        now, there = after.get(key, (0, ""))
        if key in missing:
            print("missing:", *key, "of", classes)
        elif now < cases or there.count(",") < classes.count(","):
            print("fewer:", *key, f"{now} cases of {there}, before {cases} of {classes}")
    print(f"{len(before)} rows before, {len(after)} after, {len(missing)} missing")
    return 1 if missing else 0


def seconds(folder):
    packages = defaultdict(list)
    for suite in suites(folder):
        package, name = suite.get("name").rsplit(".", 1)
        packages[package].append((float(suite.get("time").replace(",", "")), name))
    for package, times in sorted(packages.items(), key=lambda one: -sum(time for time, _ in one[1])):
        longest, name = max(times)
        print(f"{sum(time for time, _ in times):8.1f} s  {package}: {len(times)} classes, slowest {name} {longest:.1f} s")
    if packages:
        print(f"{sum(time for times in packages.values() for time, _ in times):8.1f} s  in all packages, all processes added up")
    return 0


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "--seconds":
        return seconds(arguments[1])
    if len(arguments) == 2 and not arguments[0].startswith("-"):
        return compare(*map(read, arguments))
    if len(arguments) == 1 and not arguments[0].startswith("-"):
        for key, value in sorted(rows(arguments[0]).items()):
            print(*key, *value, sep="\t")
        return 0
    print(__doc__)
    return 0 if arguments == ["--help"] else 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
