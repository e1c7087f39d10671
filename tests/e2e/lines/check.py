"""The calls of lines.c in $TRACE are made where the source says. Arguments: the source, what the program's name is if it has no lines."""

import sys

from lib import calls, dump, expect, expect_equal, outermost


def line_of(mark, source=sys.argv[1]):
    with open(source) as file:
        return next(number for number, text in enumerate(file, 1) if f"line: {mark}" in text)


# a line starts where its statement does or where the call's closing bracket is: compilers differ by a line or two in what they say of a return address
def expect_source(call, mark, function):
    wanted = f"lines.c:{line_of(mark)} {function}"
    expect_equal(call["source"], wanted, f"source of {call['func']}")


data = calls("pwrite")
expect_equal(len(data) % 2, 0, "calls in the loop")
for inlined, loop in zip(data[::2], data[1::2]):
    expect_source(inlined, "inlined", "put (inlined in main)")
    expect_source(loop, "loop", "main")
expect_source(calls("open", file=data[0]["file"])[0], "open", "main")
expect_source(calls("fprintf")[0], "stream", "main") if calls("fprintf") else None
for call in dump():
    expect((call["source"] is None) == (call["parent"] is not None), f"{call['func']}: source {call['source']}")
expect(any(call["func"] == "stdio_write" and call["source"] for call in outermost(dump())), "the write at exit has no source")
