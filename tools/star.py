#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Takes pictures of the page of /actuator/highwaystar in a real browser, Debian's chromium: tools/star.py

The page is that of FaultsReportTest, with the report of a real run: a dead gateway, a misrouted island, a full one. Pictures go to
docs/operate/pictures: wide and light, wide and dark, and as wide as a phone. Ends with 1 if the page logs an error.
"""
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODULE = "integration-tests"
PAGE = ROOT / MODULE / "target" / "star" / "faults.html"
PICTURES = ROOT / "docs" / "operate" / "pictures"
MOST_BYTES = 200_000
LIGHT, DARK = "preferredColorScheme=1", "preferredColorScheme=0"

# A window of the browser is never as narrow as a phone, so that one is a frame.
FRAME = '<body style="margin: 0"><iframe src="{}" style="border: 0; width: 390px; height: 1000px"></iframe>'


def picture(name, page, width, height, scheme):
    file = PICTURES / name
    with tempfile.TemporaryDirectory() as profile:
        ran = subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--enable-logging=stderr",
             f"--user-data-dir={profile}", f"--blink-settings={scheme}", f"--window-size={width},{height}",
             "--virtual-time-budget=3000", f"--screenshot={file}", page.as_uri()],
            capture_output=True, text=True, timeout=120)
    errors = [line for line in ran.stderr.splitlines() if "CONSOLE" in line]
    print(f"{file.relative_to(ROOT)}: {file.stat().st_size} bytes", *errors, sep="\n")
    return not errors and file.stat().st_size < MOST_BYTES


def main():
    subprocess.run(
        ["mvn", "-B", "-ntp", "-q", "test", "-pl", MODULE, "-am", "-Dtest=FaultsReportTest", "-DskipErrorProne",
         "-Dspotless.check.skip", "-Dsurefire.failIfNoSpecifiedTests=false"],
        cwd=ROOT, check=True)
    PICTURES.mkdir(parents=True, exist_ok=True)
    frame = PAGE.with_name("phone.html")
    frame.write_text(FRAME.format(PAGE.name), encoding="utf-8")
    good = [
        picture("star.png", PAGE, 1100, 560, LIGHT),
        picture("star-dark.png", PAGE, 1100, 560, DARK),
        picture("star-phone.png", frame, 390, 1000, LIGHT)]
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
