"""Real browsers without a window, driven through what they bring along: Chromium by chromedriver (WebDriver over HTTP), Firefox by
Marionette (the same commands over a socket, as JSON behind its length)."""

import base64
import contextlib
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request


def free_port():
    with socket.socket() as made:
        made.bind(("127.0.0.1", 0))
        return made.getsockname()[1]


def until(what, attempt, seconds=60):
    """The first true value of attempt(), which is asked again and again."""
    end = time.monotonic() + seconds
    while True:
        with contextlib.suppress(OSError):
            value = attempt()
            if value:
                return value
        if time.monotonic() > end:
            raise SystemExit(f"FAILED: {what}: not in {seconds} s")
        time.sleep(0.05)


class Browser:
    """script(JAVASCRIPT): what it returns; `keys` goes to the element with the focus."""

    def __init__(self, command, ready):
        self.folder = tempfile.mkdtemp(dir=".")
        environment = {**os.environ, "HOME": os.path.abspath(self.folder), "MOZ_HEADLESS": "1"}
        self.process = subprocess.Popen([*command, *self.options()], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until(f"{command[0]} answers", ready)

    def options(self):
        return []

    def open(self, path, place=""):
        self.go("about:blank")
        self.go(f"file://{os.path.abspath(path)}{place}")
        until("the page is there", lambda: self.script("return document.documentElement.dataset.ready"))

    def close(self):
        self.quit()
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class Chromium(Browser):
    name = "chromium"

    def __init__(self):
        self.address = f"http://127.0.0.1:{free_port()}"
        super().__init__(["chromedriver", f"--port={self.address.rsplit(':', 1)[1]}"], lambda: self.ask("GET", "/status")["ready"])
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1300,900", "--allow-file-access-from-files"]
        made = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": {"goog:chromeOptions": {"args": arguments}}}})
        self.session = f"/session/{made['sessionId']}"

    def ask(self, method, path, body=None):
        request = urllib.request.Request(self.address + path, method=method, data=None if body is None else json.dumps(body).encode())
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise SystemExit(f"FAILED: chromedriver: {method} {path}: {error.read().decode()[:600]}")

    def go(self, address):
        self.ask("POST", self.session + "/url", {"url": address})

    def script(self, text):
        return self.ask("POST", self.session + "/execute/sync", {"script": text, "args": []})

    def actions(self, actions):
        self.ask("POST", self.session + "/actions", {"actions": actions})

    def picture(self):
        return base64.b64decode(self.ask("GET", self.session + "/screenshot"))

    def printed(self):
        """The page as PDF."""
        return base64.b64decode(self.ask("POST", self.session + "/print", {}))

    def emulate(self, media, scheme):
        self.ask("POST", self.session + "/goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": {"media": media, "features": [{"name": "prefers-color-scheme", "value": scheme}]}})

    def quit(self):
        self.ask("DELETE", self.session)


class Firefox(Browser):
    name = "firefox-esr"
    preferences = {"browser.shell.checkDefaultBrowser": "false"}

    def __init__(self):
        self.port = free_port()
        self.profile = tempfile.mkdtemp(dir=".")
        with open(os.path.join(self.profile, "user.js"), "w", encoding="utf-8") as settings:
            for name, value in {"marionette.port": self.port, **self.preferences}.items():
                settings.write(f'user_pref("{name}", {value});\n')
        super().__init__(["firefox-esr"], self.connect)
        self.ask("WebDriver:NewSession", {})
        self.ask("WebDriver:SetWindowRect", {"width": 1300, "height": 900})

    def options(self):
        return ["--marionette", "--headless", "--no-remote", "--profile", os.path.abspath(self.profile)]

    def connect(self):
        self.socket = socket.create_connection(("127.0.0.1", self.port), timeout=120)
        self.messages = 0
        return self.receive()

    def receive(self):
        digits = b""
        while not digits.endswith(b":"):
            byte = self.socket.recv(1)
            if not byte:
                raise OSError("Firefox went away")
            digits += byte
        text = b""
        while len(text) < int(digits[:-1]):
            text += self.socket.recv(int(digits[:-1]) - len(text))
        return json.loads(text)

    def ask(self, command, parameters):
        self.messages += 1
        text = json.dumps([0, self.messages, command, parameters])
        self.socket.sendall(f"{len(text.encode())}:{text}".encode())
        _, _, error, value = self.receive()
        if error:
            raise SystemExit(f"FAILED: Firefox: {command}: {json.dumps(error)[:600]}")
        return value.get("value", value) if isinstance(value, dict) else value

    def go(self, address):
        self.ask("WebDriver:Navigate", {"url": address})

    def script(self, text):
        return self.ask("WebDriver:ExecuteScript", {"script": text, "args": []})

    def actions(self, actions):
        self.ask("WebDriver:PerformActions", {"actions": actions})

    def picture(self):
        return base64.b64decode(self.ask("WebDriver:TakeScreenshot", {"full": False}))

    def printed(self):
        return base64.b64decode(self.ask("WebDriver:Print", {}))

    def emulate(self, media, scheme):
        return NotImplemented

    def quit(self):
        with contextlib.suppress(SystemExit, OSError):
            self.ask("Marionette:Quit", {"flags": ["eForceQuit"]})
        shutil.rmtree(self.profile, ignore_errors=True)


def installed():
    """The browsers that are there."""
    found = []
    if shutil.which("chromium") and shutil.which("chromedriver"):
        found.append(Chromium)
    if shutil.which("firefox-esr"):
        found.append(Firefox)
    return found


def press(browser, *keys):
    """Keys for the element with the focus, one after the other."""
    browser.actions([{"type": "key", "id": "keys", "actions": [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]}])
