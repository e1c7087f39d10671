"""The server without a browser: whom it refuses, what it answers, how it ends."""

import random
import stat

from lib import *
from server import *

TRACE = os.environ["TRACE"]


def check_refusals(server):
    port, token = server.port, server.token
    wrong = ("0" if token[0] != "0" else "1") + token[1:]
    refused = [
        (403, "no token", "/state", {}),
        (403, "nothing", "/", {}),
        (403, "a wrong token", f"/{wrong}/state", {}),
        (403, "a shorter token", f"/{token[:-1]}/state", {}),
        (403, "the token as a query", f"/state?token={token}", {}),
        (403, "another host", "state", {"Host": f"evil.example:{port}"}),
        (403, "another port", "state", {"Host": "127.0.0.1:1"}),
        (403, "no port", "state", {"Host": "127.0.0.1"}),
        (403, "another origin", "state", {"Origin": "http://evil.example"}),
        (403, "an origin of another port", "state", {"Origin": "http://127.0.0.1:1"}),
        (403, "no origin", "state", {"Origin": "null"}),
        (403, "another site", "report?picture=1", {"Sec_Fetch_Site": "cross-site"}),
        (403, "a frame", "", {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "iframe"}),
        (404, "another file", "../../etc/passwd", {}),
        (404, "another name", "trace", {}),
    ]
    for status, what, path, headers in refused:
        got = server.ask(path, **headers)
        expect(got[0] == status, f"{what}: {got[0]}, not {status}")
        expect(token.encode() not in got[2] and b"html" not in got[2], f"{what}: {got[2][:200]}")
    for method in ("POST", "PUT", "HEAD", "OPTIONS", "DELETE"):
        expect_equal(server.ask("state", method=method)[0], 405, method)
    # A request without a host, or with a body, or too long, may also be cut off.
    for what, path, words in (("no host", "state", {"Host": None}), ("a body", "state", {"Content_Length": "5", "body": b"12345"}),
                              ("a long head", "state", {"X": "x" * 100000}), ("a long path", "x" * 100000, {})):
        try:
            status = server.ask(path, **words)[0]
        except OSError:
            status = 0
        except http.client.HTTPException:
            status = 0
        expect(status == 0 or 400 <= status < 500, f"{what}: {status}")
    allowed = [("state", {}), ("state", {"Host": f"localhost:{port}"}), ("state", {"Origin": f"http://127.0.0.1:{port}", "Sec_Fetch_Site": "same-origin"}),
               ("", {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "document"}), ("", {"Sec_Fetch_Site": "none"})]
    for path, headers in allowed:
        expect_equal(server.ask(path, **headers)[0], 200, f"{path!r} {headers}")


def check_headers(server):
    for path in ("", "state", "report?picture=1", "nothing", "/nothing"):
        headers = server.ask(path)[1]
        expect_equal([headers[name] for name in ("X-Content-Type-Options", "Cache-Control", "Referrer-Policy")], ["nosniff", "no-store", "no-referrer"], path)
        policy = headers["Content-Security-Policy"]
        expect("default-src 'none'" in policy and "connect-src 'self'" in policy and "frame-ancestors 'none'" in policy, policy)
        expect(headers["Access-Control-Allow-Origin"] is None, f"{path}: others may read it")
    page = server.get("").decode()
    expect("connect-src 'self'" in page and "data-report" not in page.split("<script>")[0], "the page of the server")


def check_wrong_requests(server, names):
    whole = f"begin={names['begin']}&width=1024&count=64&rows=0"
    for what in ("", "width=1", whole.replace("count=64", "count=100000"), whole.replace("rows=0", "rows=9"), whole.replace("rows=0", "rows=0-9999999999")):
        expect_equal(server.ask(f"window?picture=1&page=x&turn=1&{what}")[0], 400, f"window {what!r}")
    expect_equal(server.ask(f"window?picture=1&turn=1&{whole}")[0], 400, "a window of no page")
    expect_equal(server.ask(f"window?picture=7&page=x&turn=1&{whole}")[0], 409, "another picture")
    expect_equal(server.ask("report")[0], 409, "no picture")
    expect_equal(server.ask(f"window?picture=1&page=x&turn=1&begin={names['begin'] - 5}&width=1&count=64&rows=0")[0], 422, "before the run")
    for name in ("0.0.99999999", "7.0.0", "x", "0.0", "0.0.0x"):
        status, _, said = server.ask(f"call?picture=1&id={name}")
        expect(status == 422 and said, f"call {name}: {status} {said}")
    expect_equal(server.ask("call?picture=1&id=0.0.0&start=x")[0], 400, "a start that is no number")


def ns(seconds):
    return round(seconds * 1e9)


def check_window(server, names, calls, begin, width, count):
    """Bins and calls of a window are what `dump` says."""
    rows = len(names["rows"])
    got = window(server.get(f"window?picture=1&page=x&turn=1&begin={begin}&width={width}&count={count}&rows=0-{rows - 1}"), names["begin"])
    expect_equal([got["exact"], got["begin"], got["width"], got["count"]], [1, begin, width, count], "the window")
    end = begin + width * count
    bins, inside = {}, []
    for call in calls:
        start, stop = ns(call["start"]), ns(call["end"])
        if stop < begin or start >= end:
            continue
        inside.append(call)
        lane = bins.setdefault((call["thread"], names["layers"].index(call["layer"])), {})
        if begin <= start < end:
            own = lane.setdefault((start - begin) // width, [0, 0])
            own[1] += 1
        for place in range(max(0, (start - begin) // width), min(count - 1, (stop - begin) // width) + 1):
            busy = min(stop, begin + (place + 1) * width) - max(start, begin + place * width)
            if busy > 0:
                lane.setdefault(place, [0, 0])[0] += busy
    for (thread, layer), lane in bins.items():
        mine = {place: values[:2] for place, values in got["lanes"].get((thread, layer), {}).items() if values[0] or values[1]}
        lane = {place: values for place, values in lane.items() if any(values)}
        expect(mine == lane, f"thread {thread}, layer {layer} from {begin}, {count} bins of {width}: {sorted(set(map(str, mine.items())) ^ set(map(str, lane.items())))[:6]}")
    if got["all_calls"]:
        ids = {f"0.{names['rows'][call['row']]['thread']}.{call['number']}": call for call in got["calls"]}
        for call in inside:
            mine = ids.get(call["id"])
            expect(mine is not None, f"{call['id']} is not in the window from {begin}")
            expect_equal([mine["start"], mine["start"] + mine["length"], mine["file"], names["functions"][mine["function"]]["name"], mine["bytes"]],
                         [ns(call["start"]), ns(call["end"]), call["file"], call["func"], call["bytes"] or 0], call["id"])
    return got, len(inside)


def check_windows(server, names, calls):
    length = names["end"] - names["begin"]
    random.seed(4)
    narrow = seen = 0
    for width in (names["bin_width"], names["bin_width"] // 4, 256, 16, 1):
        for _ in range(4):
            begin = names["begin"] + random.randrange(length) // (64 * width) * 64 * width
            got, count = check_window(server, names, calls, begin, width, 1024)
            narrow += got["all_calls"] and width <= 256
            seen += count
    expect(narrow == 12, f"{narrow} windows with all calls")
    expect(seen > 1000, f"{seen} calls in windows")


def check_busy_process():
    """All calls of a window come if there are few enough, also where one of many processes made them."""
    trace = "busy.fathom"
    fathom("record", "--quiet", "-o", trace, "--", "sh", "-c", f"for i in 1 2 3 4 5 6 7 8; do (exec true); done; exec '{os.path.abspath('calls')}' 4000 file")
    server = Server("--no-browser", trace)
    server.picture()
    names = json.loads(server.get("names?picture=1"))
    width = (names["end"] - names["begin"]) // 8192 | 1 # odd: no bins that the picture has are asked for
    count = (names["end"] - names["begin"]) // width + 1
    expect(len({row["proc"] for row in names["rows"]}) >= 8, f"processes {names['rows']}")
    got = window(server.get(f"window?picture=1&page=x&turn=1&begin={names['begin']}&width={width}&count={count}&rows=0-{len(names['rows']) - 1}"), names["begin"])
    total = json.loads(server.get("report?picture=1"))["run"]["total"]["calls"]
    expect(8000 < total < 20000, f"{total} calls")
    expect_equal([got["exact"], got["all_calls"], len(got["calls"])], [1, 1, total], "the window of a run with one busy process")
    server.end()


def check_calls(server, calls):
    for call in [*random.sample(calls, 5), next(call for call in calls if call["func"] == "fclose")]:
        expected = json_lines("dump", "--json", "--call", call["id"], TRACE)
        for start in ("", f"&start={ns(call['start'])}"):
            got = [json.loads(line) for line in server.get(f"call?picture=1&id={call['id']}{start}").decode().splitlines()]
            expect_equal(got, expected, f"call {call['id']}{start}")


def json_lines(*words):
    return [json.loads(line) for line in fathom(*words).splitlines()]


def check_many_at_once(server, names):
    """Of one page only the last window counts; others are answered all the same, and the server goes on."""
    import threading
    statuses = []
    def ask(i):
        page = "same" if i % 2 else f"page{i}"
        statuses.append(server.ask(f"window?picture=1&page={page}&turn={i}&begin={names['begin']}&width={2 ** (i % 8)}&count={1000 + i}&rows=0")[0])
    threads = [threading.Thread(target=ask, args=(i,)) for i in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expect(len(statuses) == 40 and set(statuses) <= {200, 409} and statuses.count(200) >= 20, f"{statuses}")
    server.state()


def check_verifying():
    """While a run is verified, for several who ask, the state says how far that is, and others are answered; all who ask get the same verdict."""
    import threading
    trace = "verified.fathom"
    server = Server("--no-browser", trace)
    server.picture()
    names = json.loads(server.get("names?picture=1"))
    expect_equal(server.state()["verifying"], None, "nobody has asked for a verdict")
    ended, verdicts, seen = [], [], []
    def verify():
        verdicts.append(server.get("verify?picture=1"))
        ended.append("verify")
    threads = [threading.Thread(target=verify) for _ in range(4)]
    for thread in threads:
        thread.start()
    def look():
        seen.append(server.state()["verifying"])
        return seen[-1]
    until("a verification", look)
    server.get(f"window?picture=1&page=x&turn=1&begin={names['begin']}&width=16&count=64&rows=0")
    ended.append("window")
    while len(verdicts) < 4 and all(thread.is_alive() for thread in threads):
        look()
        time.sleep(0.01)
    for thread in threads:
        thread.join()
    expect_equal(ended, ["window"] + ["verify"] * 4, "who is answered first")
    expect_equal(len(set(verdicts)), 1, "verdicts")
    seen = [verifying for verifying in seen if verifying]
    total = json.loads(fathom("info", "--json", trace))["calls"]
    expect(all(state["picture"] == 1 and state["total"] in (0, total) and state["read"] <= total for state in seen), f"how far it is: {seen[:5]}")
    expect(seen == sorted(seen, key=lambda state: state["read"]), "it goes back")
    expect(seen[-1]["read"] == total, f"the last is {seen[-1]}")
    expect_equal(server.state()["verifying"], None, "it is over")
    server.end()


def check_stopping():
    """A verification that is stopped ends early for all who wait, while it reads and while it compares; later it can be had."""
    trace = "long.fathom"
    server = Server("--no-browser", trace)
    server.picture()
    total = json.loads(fathom("info", "--json", trace))["calls"]
    def verifying():
        return server.state()["verifying"]
    def stop_when(ready):
        waiting = [server.send("verify?picture=1") for _ in range(3)]
        until("a verification", lambda: (verifying() or {"read": -1, "total": 0})["total"] and ready(verifying()))
        expect_equal(server.ask("stop?picture=9")[0], 409, "the verification of no picture")
        expect(verifying(), "it ended when another one was stopped, or by itself: the test needs a longer one")
        server.get("stop?picture=1")
        expect_equal([connection.getresponse().status for connection in waiting], [409] * 3, "all who wait")
        expect_equal(verifying(), None, "it is over")
    stop_when(lambda seen: seen and seen["read"] > 0)
    stop_when(lambda seen: seen and seen["read"] == total)
    expect_equal(server.get("verify?picture=1")[:1], b"{", "a verdict after that")
    server.end()


def check_ends():
    server = Server("--no-browser", "--idle", "2", TRACE)
    server.picture()
    expect_equal(wait_for_end(server, 30), 0, "without anybody who asks")
    server = Server("--no-browser", TRACE)
    expect_equal(server.end(signal.SIGTERM)[0], 0, "SIGTERM while it reads")


def check_damage():
    whole = open(TRACE, "rb").read()
    for name, damaged in (("empty", b""), ("text", b"no trace\n"), ("half", whole[:len(whole) // 2]), ("bytes", whole[:300] + bytes(400) + whole[700:])):
        with open(f"{name}.fathom", "wb") as file:
            file.write(damaged)
        said = subprocess.run([os.environ["FATHOM"], "view", "--no-browser", f"{name}.fathom"], capture_output=True, text=True, timeout=60)
        expect(said.returncode == 1 and said.stderr.startswith("fathom view: ") and said.stderr.count("\n") == 1, f"{name}: {said.returncode} {said.stderr!r}")
    said = subprocess.run([os.environ["FATHOM"], "view", "nothing.fathom"], capture_output=True, text=True)
    expect(said.returncode == 1 and not said.stdout and said.stderr.count("\n") == 1, f"no file: {said}")


def check_browser():
    """xdg-open is given a file that only the user can read, and never the token."""
    os.makedirs("bin", exist_ok=True)
    with open("bin/xdg-open", "w", encoding="utf-8") as script:
        script.write('#!/bin/sh\nstat -c %a "$1" >opened.tmp\ncat "$1" >>opened.tmp\necho "$1" >>opened.tmp\nmv opened.tmp opened\n')
    os.chmod("bin/xdg-open", stat.S_IRWXU)
    environment = {**os.environ, "PATH": f"{os.getcwd()}/bin:{os.environ['PATH']}", "DISPLAY": ":99"}
    server = Server(TRACE, environment=environment)
    until("the browser is opened", lambda: os.path.exists("opened"))
    opened = open("opened", encoding="utf-8").read()
    path = opened.rsplit("</title>", 1)[-1].strip()
    expect(opened.startswith("600\n") and server.address in opened and server.token not in path, f"opened: {opened}")
    server.end()
    expect(not os.path.exists(path), f"{path} is left")
    os.remove("opened")
    for without in ({"DISPLAY": ""}, {"DISPLAY": ":99", "word": "--no-browser"}):
        words = [without.pop("word")] if "word" in without else []
        server = Server(*words, TRACE, environment={**environment, **without})
        server.picture()
        server.end()
        expect(not os.path.exists("opened"), f"a browser was opened with {without} {words}")


def main():
    calls = dump()
    server = Server("--no-browser", TRACE)
    server.picture()
    check_refusals(server)
    check_headers(server)
    expect_equal(json.loads(server.get("report?picture=1")), json.loads(fathom("report", "--json", TRACE)), "the report")
    names = json.loads(server.get("names?picture=1"))
    check_wrong_requests(server, names)
    check_windows(server, names, calls)
    check_calls(server, calls)
    check_many_at_once(server, names)
    status, said = server.end()
    expect(status == 0 and "ssh -L" in said, f"Ctrl-C: {status} {said}")
    check_busy_process()
    check_verifying()
    check_stopping()
    check_ends()
    check_damage()
    check_browser()


main()
