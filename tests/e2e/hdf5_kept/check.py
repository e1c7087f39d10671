"""The bytes of the transfers of `kept` are those that it printed: check.py WHICH [FILE]."""
import sys

from lib import *


def transfers():
    return [call["bytes"] for call in calls("H5Dwrite", "H5Dread") if call["proc"] == 0]


def printed():
    with open(sys.argv[2]) as file:
        return [int(line) for line in file]


def all_layers():
    expect_equal(transfers(), printed(), "bytes of transfers")
    starts = [call["args"]["start"] for call in calls("H5Sselect_hyperslab")]
    expect([1, 1] in starts, f"no start of a dataspace that has got a rank of 2: {starts}")


def transfers_alone():
    expect_equal({call["func"] for call in dump()}, {"H5Dwrite", "H5Dread"}, "functions")
    expect_equal(transfers(), printed(), "bytes of transfers")


def attached():
    expect_equal([call["bytes"] for call in calls("H5Dwrite")], [int(word) for word in sys.argv[2:]], "bytes of writes")


globals()[sys.argv[1]]()
