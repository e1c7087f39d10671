"""The last number that a node published; or the next one, whose answer was lost."""
import sys

last, node = int(sys.argv[1]), sys.argv[2]
found = int(open(f"below/until.{node}").read() or 0)
assert found in (last, last + 1), (last, found)
