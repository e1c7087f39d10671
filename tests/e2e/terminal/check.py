"""Looks at what `fathom` prints of $TRACE on a terminal that is 80 columns wide."""

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import termios

from lib import expect, expect_equal, fathom

TRACE = os.environ["TRACE"]


def on_terminal(*arguments, **environment):
    master, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("4H", 24, 80, 0, 0))
    with subprocess.Popen(
        [os.environ["FATHOM"], *arguments], stdout=terminal, env={**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8", **environment}
    ) as process:
        os.close(terminal)
        text = b""
        while True:
            try:
                more = os.read(master, 65536)
            except OSError:  # the other side is closed
                break
            if not more:
                break
            text += more
    os.close(master)
    expect(process.returncode == 0, f"fathom {arguments}: status {process.returncode}")
    return text.decode().replace("\r", "")


for arguments in (["stats"], ["stats", "--launchers"], ["info"], ["info", "--size"]):
    shown = on_terminal(*arguments, TRACE)
    expect("\033[" in shown, f"no colours: {arguments}")
    for line in re.sub("\033\\[[0-9;]*m", "", shown).splitlines():
        expect(len(line) <= 80, f"{arguments}: {len(line)} columns: {line}")
    expect("\033[" not in on_terminal(*arguments, TRACE, NO_COLOR="1"), f"colours that nobody wants: {arguments}")
    piped = fathom(*arguments, TRACE)
    expect("\033[" not in piped, f"colours in a pipe: {arguments}")
expect("_much_too_long_for_a_table_on_a_narrow_terminal/" in fathom("stats", "--top", "0", TRACE), "a path is cut in a pipe")

# Rates over time are drawn with block characters on a terminal, and with plain ones elsewhere.
expect(re.search("[▁-█]", on_terminal("report", TRACE)), "no block characters on a terminal")
expect(not re.search("[▁-█]", fathom("report", TRACE)), "block characters in a pipe")

# Shares of calls inside of calls: a line says why they add up to more than the whole, and only where they do.
sums = json.loads(fathom("stats", "--json", TRACE))
for table in ("layer", "function", "file", "rank"):
    exceeds = sum(row["time"] for row in sums[table + "s"]) / sums["total"]["time"] > 1.01
    said = "shares add up to more than 100 %" in fathom("stats", "--by", table, TRACE)
    expect_equal(said, exceeds, f"--by {table}: that times are inclusive")
