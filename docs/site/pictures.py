# SPDX-License-Identifier: Apache-2.0
"""Takes pictures of the built site (docs/site.sh) in Debian's chromium, for the eyes of those who change how it looks.

Needs the packages chromium, chromium-driver and python3-pil (or pillow of pip).

Usage: docs/site/pictures.py [<folder>], by default docs/site/pictures
"""
import base64
import functools
import http.server
import io
import json
import pathlib
import socket
import subprocess
import sys
import threading
import time
import urllib.request

from PIL import Image

ROOT = pathlib.Path(__file__).resolve().parents[2]
SITE = ROOT / "target/site"
PAGES = {
    "front": "index.html",
    "keys": "docs/reference/configuration.html#keys-of-an-island",
    "runbook": "docs/operate/operations.html#gateway-down",
}
SIZES = {1440: 900, 390: 844}
COLOURS = 64
LARGEST = 200_000  # bytes


class Files(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *unused):
        pass


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Browser:
    def __init__(self):
        port = free_port()
        self.driver = subprocess.Popen(["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL)
        self.url = f"http://127.0.0.1:{port}/session"
        options = {"args": ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]}
        for _ in range(50):
            try:
                opened = self.post("", {"capabilities": {"alwaysMatch": {"goog:chromeOptions": options}}})
                break
            except OSError:
                time.sleep(0.2)
        self.url += "/" + opened["sessionId"]

    def post(self, path, data):
        request = urllib.request.Request(self.url + path, json.dumps(data).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)["value"]

    def devtools(self, command, **parameters):
        return self.post("/goog/cdp/execute", {"cmd": command, "params": parameters})

    def run(self, script):
        return self.post("/execute/sync", {"script": script, "args": []})

    def close(self):
        urllib.request.urlopen(urllib.request.Request(self.url, method="DELETE")).close()
        self.driver.terminate()
        self.driver.wait()


def picture(browser, url, width, dark):
    """PNG of what the window shows, and the height of the page."""
    browser.devtools("Emulation.setDeviceMetricsOverride", width=width, height=SIZES[width], deviceScaleFactor=1,
                     mobile=width < 600)
    scheme = "dark" if dark else "light"
    browser.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    browser.post("/url", {"url": url})
    browser.run("localStorage.clear()")  # where the site remembers light or dark
    browser.post("/refresh", {})
    time.sleep(2)  # until diagrams are drawn
    shot = Image.open(io.BytesIO(base64.b64decode(browser.devtools("Page.captureScreenshot")["data"])))
    written = io.BytesIO()
    shot.convert("RGB").quantize(COLOURS).save(written, "png", optimize=True)
    return written.getvalue(), browser.run("return document.documentElement.scrollHeight")


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "docs/site/pictures")
    folder.mkdir(parents=True, exist_ok=True)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=str(SITE)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    browser = Browser()
    try:
        for name, page in PAGES.items():
            for width in SIZES:
                for dark in False, True:
                    url = f"http://127.0.0.1:{server.server_port}/{page}"
                    png, height = picture(browser, url, width, dark)
                    file = folder / f"{name}-{width}-{'dark' if dark else 'light'}.png"
                    file.write_bytes(png)
                    print(f"{file.name}: {len(png)} bytes; the page has {height} px")
                    if len(png) > LARGEST:
                        sys.exit(f"{file} is larger than {LARGEST} bytes")
    finally:
        browser.close()
        server.shutdown()


main()
