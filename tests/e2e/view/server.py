"""A server of `fathom view`, and requests of it, right ones and wrong ones."""

import gzip
import http.client
import json
import os
import re
import signal
import subprocess
import time

from browser import until


class Server:
    def __init__(self, *words, environment=None):
        self.process = subprocess.Popen([os.environ["FATHOM"], "view", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env=environment)
        self.address = self.process.stdout.readline().strip()
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/", self.address)
        if not found:
            raise SystemExit(f"FAILED: no address: {self.address!r} {self.process.stderr.read()}")
        self.port, self.token = int(found[1]), found[2]

    def send(self, path, method="GET", body=None, **headers):
        """The connection on which a path below the token, or, with a slash before it, as it is, was asked for; None leaves a header out."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        lines = {"Host": f"127.0.0.1:{self.port}", **{name.replace("_", "-"): value for name, value in headers.items()}}
        connection.putrequest(method, path if path.startswith("/") else f"/{self.token}/{path}", skip_host=True, skip_accept_encoding=True)
        for name, value in lines.items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders(body)
        return connection

    def ask(self, path, method="GET", body=None, **headers):
        """(status, headers, bytes) of what send asks for."""
        connection = self.send(path, method, body, **headers)
        answer = connection.getresponse()
        got = answer.read()
        connection.close()
        return answer.status, answer.headers, gzip.decompress(got) if answer.headers["Content-Encoding"] == "gzip" else got

    def get(self, path):
        status, _, got = self.ask(path)
        if status != 200:
            raise SystemExit(f"FAILED: {path}: {status} {got[:200]}")
        return got

    def state(self):
        return json.loads(self.get("state"))

    def picture(self, seconds=60):
        """The number of the picture, when there is one."""
        return until("a picture", lambda: self.state()["picture"], seconds)

    def end(self, number=signal.SIGINT):
        self.process.send_signal(number)
        status = self.process.wait(timeout=60)
        said = self.process.stdout.read() + self.process.stderr.read()
        return status, said


class Numbers:
    def __init__(self, got):
        self.got, self.at = got, 0

    def next(self):
        value = shift = 0
        while True:
            byte = self.got[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def column(self, count):
        return [self.next() for _ in range(count)]


def window(got, begin):
    """What came for a window, as docs/page.md has it."""
    numbers = Numbers(got)
    found = {"exact": numbers.next(), "all_calls": numbers.next(), "begin": begin + numbers.next(), "width": numbers.next(), "count": numbers.next()}
    length = numbers.next()
    found["files"] = json.loads(got[numbers.at:numbers.at + length])
    numbers.at += length
    found["lanes"] = {}
    for _ in range(numbers.next()):
        row, layer, count = numbers.column(3)
        places, behind = [], 0
        for gap in numbers.column(count):
            places.append(behind + gap)
            behind = places[-1] + 1
        columns = [numbers.column(count) for _ in range(5)]
        found["lanes"][row, layer] = {place: values for place, *values in zip(places, *columns)}
    count = numbers.next()
    columns = [numbers.column(count) for _ in range(8)]
    found["calls"] = []
    last = None
    for row, number, start, length, function, file, moved, depth in zip(*columns):
        if last:
            row += last["row"]
        same = last and row == last["row"]
        last = {"row": row, "number": number + (last["number"] if same else 0), "start": start + (last["start"] if same else begin), "length": length,
                "function": function, "file": found["files"][file - 1] if file else None, "bytes": moved, "depth": depth >> 1}
        found["calls"].append(last)
    return found


def wait_for_end(server, seconds):
    end = time.monotonic() + seconds
    while server.process.poll() is None and time.monotonic() < end:
        time.sleep(0.05)
    return server.process.poll()
