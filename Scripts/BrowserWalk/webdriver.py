"""A headless Chromium, driven through chromedriver's HTTP interface (https://www.w3.org/TR/webdriver2/).

Only Python's standard library is used.
"""

import base64
import json
import socket
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request


class Failure(Exception):
    """A step of the walk did not find what it expected."""


def check(condition, message):
    if not condition:
        raise Failure(message)


class Browser:
    """One window. Use it in a `with` statement, which ends the browser and its driver."""

    def __init__(self, chromium, chromedriver, dark=False, scripts=True):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.base = f"http://127.0.0.1:{port}"
        self.driver = subprocess.Popen(
            [chromedriver, f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.session = None
        self.downloads = tempfile.mkdtemp()
        options = {
            "binary": chromium,
            # Chromium's sandbox needs rights that containers lack. The walk opens only the app's own pages.
            "args": ["--headless", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars"]
            + (["--force-dark-mode", "--blink-settings=preferredColorScheme=0"] if dark else []),
            "prefs": {"download.default_directory": self.downloads}
            | ({} if scripts else {"profile.managed_default_content_settings.javascript": 2}),
        }
        capabilities = {"browserName": "chrome", "goog:chromeOptions": options,
                        "goog:loggingPrefs": {"browser": "ALL"}, "pageLoadStrategy": "eager"}
        try:
            self.wait("chromedriver to start", lambda: self.call("GET", "/status")["ready"])
            created = self.call("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
            self.session = f"/session/{created['sessionId']}"
        except BaseException:
            self.driver.terminate()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            if self.session:
                self.call("DELETE", self.session)
        finally:
            self.driver.terminate()
            self.driver.wait(10)
            shutil.rmtree(self.downloads, ignore_errors=True)

    def call(self, method, path, body=None):
        """Sends a command, and returns the value of the answer."""
        data = None if method in ("GET", "DELETE") else json.dumps(body or {}).encode()
        request = urllib.request.Request(
            self.base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise Failure(json.load(error)["value"]["message"].split("\n")[0]) from None

    def wait(self, what, condition, limit=30):
        """Returns the condition's value as soon as it is true."""
        end, last = time.monotonic() + limit, None
        while time.monotonic() < end:
            try:
                value = condition()
                if value:
                    return value
            except (Failure, OSError) as error:
                last = error
            time.sleep(0.05)
        raise Failure(f"waited {limit} s for {what}" + (f": {last}" if last else ""))

    def open(self, url):
        self.call("POST", self.session + "/url", {"url": url})

    def run(self, script):
        """Runs a function body in the page, and returns its value."""
        return self.call("POST", self.session + "/execute/sync", {"script": script, "args": []})

    def elements(self, css):
        found = self.call("POST", self.session + "/elements", {"using": "css selector", "value": css})
        return [f"{self.session}/element/{next(iter(element.values()))}" for element in found]

    def names(self, css):
        """The roles and accessible names of the displayed elements, as a screen reader gets them."""
        return [(self.call("GET", e + "/computedrole"), self.call("GET", e + "/computedlabel"))
                for e in self.elements(css) if self.call("GET", e + "/displayed")]

    def named(self, css, name):
        """The element with an accessible name, as soon as it is there. The name may go on after a space."""
        def find():
            for element in self.elements(css):
                if (self.call("GET", element + "/computedlabel") + " ").startswith(name + " "):
                    return element
        return self.wait(f"'{name}' ({css})", find)

    def click(self, css, name):
        self.call("POST", self.named(css, name) + "/click")

    def follow(self, name):
        """Clicks a row of a list, whose name begins with a text."""
        self.call("POST", self.named("main .rows a, main .rows button", name) + "/click")

    def press(self, name):
        """Ticks a box."""
        self.call("POST", self.named("input[type=checkbox]", name) + "/click")

    def keys(self, text):
        """Types into the element with the focus."""
        element = self.call("GET", self.session + "/element/active")
        self.call("POST", f"{self.session}/element/{next(iter(element.values()))}/value", {"text": text})

    def fill(self, name, text):
        field = self.named("input", name)
        self.call("POST", field + "/clear")
        self.call("POST", field + "/value", {"text": text})

    def text(self, css):
        """The visible text of the first element; empty if no element matches."""
        found = self.elements(css)
        return self.call("GET", found[0] + "/text") if found else ""

    def expect(self, css, text):
        """Waits until an element contains a text."""
        shown = ""

        # A page that is replaced meanwhile has no such element any more, which `wait` expects of a condition.
        def is_there():
            nonlocal shown
            shown = self.text(css)
            return text in shown

        try:
            self.wait(f"'{text}' in {css}", is_there)
        except Failure as failure:
            raise Failure(f"{failure}; it shows '{shown}'") from None

    def size(self, width, height):
        """Gives the page exactly this size. A window of Chromium would be at least 500 wide."""
        self.call("POST", self.session + "/goog/cdp/execute", {
            "cmd": "Emulation.setDeviceMetricsOverride",
            "params": {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}})

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("GET", self.session + "/screenshot")))

    def errors(self):
        """What the page logged as an error or a warning."""
        entries = self.call("POST", self.session + "/se/log", {"type": "browser"})
        return [entry["message"] for entry in entries if entry["level"] in ("SEVERE", "WARNING")]
