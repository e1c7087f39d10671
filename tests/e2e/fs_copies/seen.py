"""All that write.py and change.py published."""
import os

for node in (1, 2, 3):
    whole = b"%d" % node * 100000
    expected = {"renamed": whole, "1": whole[:7], "3": whole + b"end", "4": whole + b"\0" * 100000, "5": whole, "6": whole, "7": whole}
    for name, content in expected.items():
        name = f"below/{node}.{name}"
        assert os.stat(name).st_size == len(content), (name, os.stat(name).st_size)
        assert open(name, "rb").read() == content, name
    for gone in ("0", "2"):
        assert not os.path.exists(f"below/{node}.{gone}"), gone
with open("below/blocks", "rb") as file:
    for block in range(6):
        file.seek(block << 26)
        assert file.read(3000) == b"1" * 1000 + b"2" * 1000 + b"3" * 1000, block
assert open("below/large", "rb").read() == b"".join(b"%10d" % i for i in range(1000000))
