"""Fills the buffer of its process twice, with files of all homes, the second time when a line comes: full_buffer.py; and with `check` behind it, reads them."""
import sys


def text(number):
    return b"%8d" % number * 90000


if sys.argv[1:] == ["check"]:
    for number in range(16):
        assert open(f"below/full.{number}", "rb").read() == text(number), number
    sys.exit()
for number in range(16):
    if number == 8:
        print("full", flush=True)
        sys.stdin.readline()
    with open(f"below/full.{number}", "wb") as file:
        file.write(text(number))
