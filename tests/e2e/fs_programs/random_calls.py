"""Random calls of one process on two folders: random_calls.py SEED STEPS FOLDER OTHER [private]. What they answer, and what is in the files, must be
the same. private: no map is shared."""
import mmap
import os
import random
import sys

NAMES = ["a", "b", "c", "d/e"]
FLAGS = [os.O_RDWR | os.O_CREAT, os.O_RDWR, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, os.O_RDWR | os.O_CREAT | os.O_APPEND, os.O_RDONLY,
         os.O_RDWR | os.O_CREAT | os.O_EXCL]
draw = random.Random(int(sys.argv[1]))
steps, folders = int(sys.argv[2]), sys.argv[3:5]
open_files = []  # pairs of descriptors


def both(what, call):
    answers = []
    for which, folder in enumerate(folders):
        try:
            answers.append(call(which, folder + "/"))
        except OSError as error:
            answers.append(("errno", error.errno))
    if what and answers[0] != answers[1]:
        sys.exit(f"seed {sys.argv[1]}, step {step}, {what}: {answers[0]!r:.200} and {answers[1]!r:.200}")
    return answers


def bytes_to_write():
    return bytes([draw.randrange(1, 255)]) * draw.choice([1, 7, 100, 4096, 5000, 70000])


def contents(path):
    with open(path, "rb") as file:
        return file.read()


def append(path, data):
    with open(path, "ab") as file:
        file.write(data)
        return file.tell()


def mapped(descriptor):
    size = os.fstat(descriptor).st_size
    try:
        return size and bytes(mmap.mmap(descriptor, size, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ))
    except (ValueError, PermissionError) as error:
        return str(type(error))


def change_by_map(descriptor, offset, data):
    """The file is the system's from then on, for all who have it open."""
    size = os.fstat(descriptor).st_size
    try:
        with mmap.mmap(descriptor, size) as shared:
            offset %= size
            shared[offset : offset + len(data)] = data[: size - offset]
            return bytes(shared)
    except (ValueError, PermissionError) as error:
        return str(type(error))


def on_names(kind):
    name, other, offset, data = draw.choice(NAMES), draw.choice(NAMES), draw.randrange(200000), bytes_to_write()
    if kind == 0:
        both("stat", lambda _, folder: os.stat(folder + name).st_size)
    elif kind == 1:
        both("unlink", lambda _, folder: os.unlink(folder + name))
    elif kind == 2:
        both("rename", lambda _, folder: os.rename(folder + name, folder + other))
    elif kind == 3:
        both("truncate", lambda _, folder: os.truncate(folder + name, offset))
    elif kind == 4:
        both("contents", lambda _, folder: contents(folder + name))
    elif kind == 5:
        both("append", lambda _, folder: append(folder + name, data))
    elif kind == 6:
        both("listdir", lambda _, folder: sorted(os.listdir(folder)))
    elif kind == 7:
        both("link", lambda _, folder: os.link(folder + name, folder + other))
    else:
        flags = draw.choice(FLAGS)
        pair = both(None, lambda _, folder: os.open(folder + name, flags, 0o644))
        if isinstance(pair[0], tuple) or isinstance(pair[1], tuple):
            if pair[0] != pair[1]:
                sys.exit(f"seed {sys.argv[1]}, step {step}, open: {pair}")
        else:
            open_files.append(pair)


def on_descriptors(kind):
    pair, data = draw.choice(open_files), bytes_to_write()
    offset, size = draw.choice([0, 1, 4095, 4096, 10000, draw.randrange(200000)]), draw.choice([1, 50, 4096, 100000])
    whence = draw.randrange(3)
    if kind == 0:
        both("write", lambda which, _: os.write(pair[which], data))
    elif kind == 1:
        both("read", lambda which, _: os.read(pair[which], size))
    elif kind == 2:
        both("pwrite", lambda which, _: os.pwrite(pair[which], data, offset))
    elif kind == 3:
        both("pread", lambda which, _: os.pread(pair[which], size, offset))
    elif kind == 4:
        both("lseek", lambda which, _: os.lseek(pair[which], offset - 4096, whence))
    elif kind == 5:
        both("ftruncate", lambda which, _: os.ftruncate(pair[which], offset))
    elif kind == 6:
        both("fstat", lambda which, _: [os.fstat(pair[which]).st_size, os.fstat(pair[which]).st_nlink])
    elif kind == 7:
        open_files.append([os.dup(descriptor) for descriptor in pair])
    elif kind == 8:
        open_files.remove(pair)
        both("close", lambda which, _: os.close(pair[which]))
    elif kind == 9:
        both("writev", lambda which, _: os.writev(pair[which], [data, b"xyz", data[:3]]))
    elif kind == 10:
        both("map", lambda which, _: mapped(pair[which]))
    elif kind == 11:
        both("fallocate", lambda which, _: os.posix_fallocate(pair[which], offset, size))
    elif kind == 12:
        both("pwritev", lambda which, _: os.pwritev(pair[which], [data[:9], data], offset))
    elif kind == 13 and draw.randrange(20) == 0 and sys.argv[5:] != ["private"]:
        both("shared map", lambda which, _: change_by_map(pair[which], offset, data))
    else:
        both("fsync", lambda which, _: os.fsync(pair[which]))


for folder in folders:
    os.makedirs(folder + "/d", exist_ok=True)
for step in range(steps):
    if not open_files or draw.randrange(3) == 0:
        on_names(draw.randrange(11))
    else:
        on_descriptors(draw.randrange(15))
    while len(open_files) > 8:
        first = open_files.pop(0)
        both("close", lambda which, _: os.close(first[which]))
