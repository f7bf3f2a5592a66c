#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the tests of docs/maintain/dubbo-internals.md with a version of Dubbo, and prints the rows that do not hold: tools/dubbo.py <version>

Ends with 0 if all rows hold, with 1 otherwise, or if the SDK does not compile with that version.
"""
import re
import subprocess
import sys
import xml.etree.ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODULES = ["highway-sdk-dubbo-filter", "highway-sdk-http", "integration-tests", "highway-sdk-spring-starter"]
TEST = re.compile(r"`(\w+Test)(?:#(\w+))?`")


def rows():
    """Each row of the page's tables with its tests."""
    page = (ROOT / "docs" / "maintain" / "dubbo-internals.md").read_text(encoding="utf-8")
    lines = [line for line in page.splitlines() if line.startswith("| ")]
    return [(line, TEST.findall(line)) for line in lines if TEST.search(line)]


def results():
    """Whether each test, and each class of tests, has passed; all parameters of a test together. Skipped ones are missing."""
    passed = {}
    for module in MODULES:
        for report in (ROOT / module / "target" / "surefire-reports").glob("TEST-*.xml"):
            for case in xml.etree.ElementTree.parse(report).iter("testcase"):
                if case.find("skipped") is None:
                    failed = case.find("failure") is not None or case.find("error") is not None
                    for method in re.match(r"\w*", case.get("name")).group(), "":
                        name = (case.get("classname").split(".")[-1], method)
                        passed[name] = passed.get(name, True) and not failed
    return passed


def main(version):
    tests = sorted({f"{name}#{method}*" if method else name for _, found in rows() for name, method in found})
    code = subprocess.run(
        ["mvn", "-B", "-ntp", "clean", "test", "-pl", ",".join(MODULES), "-am", f"-Ddubbo.version={version}",
         "-DskipErrorProne", "-Dspotless.check.skip", "-Dmaven.test.failure.ignore",
         "-Dsurefire.failIfNoSpecifiedTests=false", "-DexcludedGroups=", f"-Dtest={','.join(tests)}"],
        cwd=ROOT).returncode
    if code != 0:
        sys.exit(1)
    passed = results()
    broken = 0
    for line, found in rows():
        for test in found:
            if not passed.get(test, True):
                broken += 1
                print(f"{'#'.join(filter(None, test))}: {line}")
    ran = sum(1 for _, found in rows() if any(test in passed for test in found))
    print(f"Dubbo {version}: {ran} of {len(rows())} rows ran, {broken} tests failed")
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    if len(sys.argv) != 2 or not re.fullmatch(r"\d+(\.\d+)+\S*", sys.argv[1]):
        print(__doc__)
        sys.exit(0 if sys.argv[1:] == ["--help"] else 2)
    main(sys.argv[1])
