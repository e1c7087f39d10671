# Writes a trace as Recorder 2.1 and 2.2 do: write_trace.py FOLDER [plain]. Each rank is a list of calls, in the order in which they end:
# (start, end, result, function, arguments...), times in microseconds. A call is written as what differs from one of the last three of the same
# function, unless `plain` is given.
import os
import struct
import sys

FUNCTIONS = ["creat", "open", "open64", "close", "write", "read", "lseek", "pread", "pwrite", "writev", "fopen", "fwrite", "fseek", "fclose", "fsync",
             "dup2", "__xstat", "unlink", "MPI_File_open", "MPI_File_write_at", "MPI_Barrier", "H5Dwrite", "mkdir"]
RANKS = [
    [
        (0, 90, 0, "MPI_Barrier", "WORLD"),
        (100, 150, 5, "open", "/data/a_b", "66", "420"),
        (160, 170, 0, "pwrite", "5", "%p", "1000", "0"),
        (180, 190, 0, "pwrite", "5", "%p", "1000", "1000"),
        (200, 210, 0, "pwrite", "5", "%p", "1000", "2000"),
        # HDF5 > MPI-IO > POSIX
        (320, 340, 0, "write", "5", "%p", "512"),
        (310, 350, 0, "MPI_File_write_at", "%p", "0", "%p", "512", "MPI_BYTE", "%p"),
        (300, 400, 0, "H5Dwrite", "1", "2", "3", "4", "5", "%p"),
        (401, 401, 0, "lseek", "5", "64", "0"),
        (401, 402, 0, "read", "5", "%p", "10"),
        (410, 420, -1, "open", "/data/nothing", "0"),
        (430, 440, 0, "fsync", "5"),
        (450, 460, 0, "close", "5"),
        (470, 480, 0, "write", "5", "%p", "7"),
        (481, 482, 0, "__xstat", "1", "/data/a_b", "%p"),
    ],
    [
        (0, 95, 0, "MPI_Barrier", "WORLD"),
        (500, 510, 3, "open", "/data/a_b", "2"),
        (520, 530, 0, "pwrite", "3", "%p", "100", "950"),
        (540, 550, 0, "close", "3"),
        (560, 570, 4, "fopen", "/data/text", "w"),
        (580, 590, 0, "fwrite", "%p", "4", "25", "4"),
        (600, 610, 0, "fseek", "4", "0", "0"),
        (620, 630, 0, "fclose", "4"),
        (640, 650, 0, "mkdir", "/data/folder", "493"),
        (660, 670, 0, "unlink", "/data/text"),
    ],
]


def compressed(call, before):
    """The status, the byte of the function, and the arguments that are written."""
    name, arguments = call[3], call[4:]
    for distance, other in enumerate(reversed(before[-3:])):
        if other[3] == name and len(other) == len(call) and 0 < len(arguments) < 8:
            changed = [i for i, text in enumerate(arguments) if text != other[4 + i]]
            if len(changed) < len(arguments):
                return 0x80 | sum(1 << i for i in changed), distance, [arguments[i] for i in changed]
    return 0, FUNCTIONS.index(name), arguments


def write(folder, plain):
    os.mkdir(folder)
    with open(f"{folder}/recorder.mt", "wb") as file:
        file.write(struct.pack("<diiii", 1e-6, len(RANKS), 1 if plain else 2, 3, 0))
        file.write("".join(name + "\n" for name in FUNCTIONS).encode())
    for rank, calls in enumerate(RANKS):
        with open(f"{folder}/{rank}.mt", "wb") as file:
            file.write(struct.pack("<ddiiQQ", 1600000000 + rank / 1000, 1600000001, 1, len(calls), 0, 0))
            file.write(bytes(4 * 256))
            file.write(struct.pack("<iQi", 0, 3000, 9) + b"/data/a_b")
        with open(f"{folder}/{rank}.itf", "wb") as file:
            for i, call in enumerate(calls):
                status, function, arguments = (0, FUNCTIONS.index(call[3]), call[4:]) if plain else compressed(call, calls[:i])
                file.write(struct.pack("<BiiiB", status, call[0], call[1], call[2], function))
                file.write("".join(" " + text for text in arguments).encode() + b"\n")


if __name__ == "__main__":
    write(sys.argv[1], sys.argv[2:] == ["plain"])
