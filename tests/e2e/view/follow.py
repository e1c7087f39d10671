"""A run that is still being recorded: its calls become more, and in the end all of them are there."""

import glob

from lib import *
from server import *


def calls_of(server):
    picture = server.state()["picture"]
    status, _, got = server.ask(f"report?picture={picture}")
    return json.loads(got)["run"]["total"]["calls"] if status == 200 else 0


def main():
    os.makedirs("spill", exist_ok=True)
    environment = {**os.environ, "TMPDIR": os.path.abspath("spill")}
    recording = subprocess.Popen([os.environ["FATHOM"], "record", "--quiet", "-o", "slow.fathom", "--", "./slow"], env=environment)
    until("it writes", lambda: os.path.exists("slow.out") and os.path.getsize("slow.out") > 100)
    folder = until("a spill folder", lambda: glob.glob("spill/fathom-*"))[0]
    server = Server("--no-browser", folder)
    server.picture()
    expect(server.state()["goes_on"], "it does not say that it goes on")
    first = calls_of(server)
    expect(first > 20, f"{first} calls at first")
    until("more calls", lambda: calls_of(server) > first + 100)
    open("enough", "w", encoding="utf-8").close()
    recording.wait()
    until("the end", lambda: not server.state()["goes_on"])
    expect_equal(calls_of(server), json.loads(fathom("report", "--json", "slow.fathom"))["run"]["total"]["calls"], "calls in the end")
    expect_equal(server.end()[0], 0, "Ctrl-C")
    expect(not glob.glob("spill/fathom-view-*") and not glob.glob(f"{os.environ.get('TMPDIR', '/tmp')}/fathom-view-*/run.fathom"), "traces are left")


main()
