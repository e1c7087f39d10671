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
