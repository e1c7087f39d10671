"""What tiles.c does, counted by hand: 4 ranks, pieces of 100 bytes."""
import json
import sys

tables = json.load(open(sys.argv[1]))["tables"]


def row(table, name, layer):
    rows = [row for row in tables[table]["rows"] if row["path"].endswith(name) and row["layer"] == layer]
    assert len(rows) == 1, (table, name, layer, rows)
    return rows[0]


def holds(row, **expected):
    for name, value in expected.items():
        assert row[name] == value, (name, value, row)


PIECE = 4 * 100  # of each rank one
holds(row("reuse", "tile.dat", "posix"), exact="yes",
      bytes_read=130 * PIECE - 10 * PIECE, read_back=50 * PIECE + 1000, read_again=50 * PIECE,
      read_by_others=3 * 1000, bytes_written=210 * PIECE, written_again=10 * PIECE, written_by_several=0,
      passed_on=10 * PIECE + 1000,
      # rows that nobody reads (60 to 199, but for what all read of the first one's), and those that were written after they were read
      never_read=(140 + 10) * PIECE - 1000)
holds(row("patterns_together", "tile.dat", "posix"), **{"class": "N-1"}, each="strided", shared="strided cyclic",
      together="consecutive, overlapping", span=200 * PIECE, covered=100, by_several=10 * PIECE + 1000)
holds(row("reuse", "view.dat", "mpiio"), exact="yes", bytes_read=4 * 750, read_back=4 * 500, read_again=4 * 250, bytes_written=4000,
      written_again=0, written_by_several=0, passed_on=0, never_read=4 * 500)
holds(row("patterns_together", "view.dat", "mpiio"), **{"class": "N-1"}, together="consecutive", span=4000, covered=100, by_several=0)

# Of each rank's 80 pieces one is the first, two are forward (the second one, and the second block), and the other 8 blocks begin as the second one did.
holds(row("patterns", "nested.dat", "posix"), consecutive=1.25, strided=86.25, nested=10, monotonic=2.5, random=0, stride=200)
holds(row("patterns_together", "nested.dat", "posix"), **{"class": "N-1"}, each="nested strided", shared="strided cyclic", together="with holes")
holds(row("sizes", "nested.dat", "posix"), **{"from": 64}, below=128, accesses=320, share=100)
holds(row("alignment", "nested.dat", "posix"), accesses=320, at_512=12.5, at_4k=12.5, at_64k=3.125, at_1m=0.3125)
# tile.dat: the rows of four ranks side by side make its pieces multiples of 100
pieces = [100 * (row * 4 + rank) for rank in range(4) for row in [*range(200), *range(50), *range(50), *range(10)]]
pieces += [100 * (row * 4 + (rank + 1) % 4) for rank in range(4) for row in range(50, 60)] + 4 * [400 * row for row in range(190, 200)]
for name, size in (("at_512", 512), ("at_4k", 4096), ("at_64k", 65536), ("at_1m", 1 << 20)):
    holds(row("alignment", "tile.dat", "posix"), **{name: round(100 * sum(piece % size == 0 for piece in pieces) / len(pieces), 9)})
for what in ("reads", "writes", "bytes_read", "bytes_written"):
    by_file, by_process = (sum(row[what] or 0 for row in tables[table]["rows"] if row["layer"] == "posix")
                           for table in ("patterns", "patterns_by_process"))
    assert by_file == by_process, (what, by_file, by_process)
assert sorted(row["rank"] for row in tables["patterns_by_process"]["rows"] if row["layer"] == "mpiio") == [0, 1, 2, 3]
