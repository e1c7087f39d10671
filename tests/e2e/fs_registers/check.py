"""Does each read return what the model allows? check.py MODEL LOG... (registers.c). Nothing of the file system is used here.

Each word of a file is a register, and each value is written once. A write takes effect at some moment between its beginning and the moment at which
the model says that all see it: its end under posix, the end of the next sync or close under commit, of the next close under session. A read returns what is
there at some moment between its beginning, under session that of the last open, and its end; or what its own process wrote and has not
published. A write that failed, that the death of its process cut short, or that its process wrote over before it was published, may have no effect.

That there is such an order is decided exactly (Gibbons and Korach, Testing shared memories, 1997): all that has to do with one value has a zone,
from the first end to the last beginning. If the end comes first, the value is there throughout the zone. Two of these zones have no moment in
common, and none has in it all of a zone of the other kind."""
import bisect
import mmap
import os
import struct
import sys

WRITE, READ, SYNC, OPEN, CLOSE = 1, 2, 3, 4, 5
NEVER = 1 << 62
RECORD = struct.Struct("<QQIIQQ")


class Value:
    def __init__(self, begin, end, may_miss):
        self.begin, self.end, self.may_miss = begin, end, may_miss
        self.first_end, self.last_begin, self.reads, self.read_end = end, begin, 0, NEVER

    def read(self, begin, end):
        self.first_end, self.last_begin = min(self.first_end, end), max(self.last_begin, begin)
        self.read_end = min(self.read_end, end)
        self.reads += 1


def records(path):
    with open(path, "rb") as file:
        if not os.fstat(file.fileno()).st_size:
            return
        with mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as text:
            for record in RECORD.iter_unpack(text):
                if not record[2]:
                    return
                yield record


class Process:
    """What a process has written and not published, and since when it looks at a file."""

    def __init__(self, model, values, reads):
        self.model, self.values, self.reads = model, values, reads
        self.fresh, self.opened, self.count = {}, {}, 0

    def publish(self, file, end):
        for key in [key for key in self.fresh if key[0] == file]:
            self.fresh.pop(key).end = end

    def leave(self, file):
        """It is not known what of this is published."""
        for key, value in self.fresh.items():
            value.may_miss |= file in (None, key[0])

    def write(self, key, begin, end, value):
        made = Value(begin, NEVER, end < 2)
        if self.model == "posix":
            made.end = end if end > 1 else NEVER
        elif key in self.fresh:
            self.fresh[key].may_miss = True
        if self.model != "posix":
            self.fresh[key] = made
        self.values.setdefault(key, {})[value] = made

    def read(self, key, begin, end, value):
        own = self.fresh.get(key)
        if own and not own.may_miss:
            return None if self.values[key].get(value) is own else f"{value:#x} in place of what the process itself wrote last"
        if own and self.values[key].get(value) is own:
            return None
        self.reads.append((key, max(0, self.opened[key[0]]) if self.model == "session" else begin, end, value))
        return None

    def take(self, record):
        begin, end, kind, file, word, value = record
        self.count += 1
        if kind == WRITE:
            self.write((file, word), begin, end, value)
        elif kind == READ and end > 1:
            return self.read((file, word), begin, end, value)
        elif kind == OPEN and end > 1:
            self.opened[file] = begin
        elif end > 1 and (kind == CLOSE or (kind == SYNC and self.model == "commit")):
            self.publish(file, end)
        elif kind == CLOSE:
            self.leave(file)
        return None


def zones(values):
    """Of one register: what is wrong, or None."""
    there, others = [], []
    for name, value in values.items():
        if value.reads:
            value.first_end = min(value.end, value.read_end)
        elif value.may_miss:
            continue
        else:
            value.first_end = value.end
        if value.first_end < value.last_begin:
            there.append((value.first_end, value.last_begin, name))
        else:
            others.append((value.last_begin, value.first_end, name))
    there.sort()
    for one, other in zip(there, there[1:]):
        if other[0] < one[1]:
            return f"{one[2]:#x} is read behind {other[2]:#x}, which came behind it"
    begins = [zone[0] for zone in there]
    for begin, end, name in others:
        at = bisect.bisect_left(begins, begin) - 1
        if at >= 0 and there[at][0] < begin and end < there[at][1]:
            return f"{there[at][2]:#x} is read behind {name:#x}, which came over it"
    return None


def main():
    model, values, reads, wrong, count = sys.argv[1], {}, [], [], 0
    for path in sys.argv[2:]:
        process = Process(model, values, reads)
        for record in records(path):
            problem = process.take(record)
            if problem:
                wrong.append(f"{path}, file {record[3]}, word {record[4]}: {problem}")
        process.leave(None)
        count += process.count
    for key, begin, end, value in reads:
        register = values.setdefault(key, {})
        if not value and 0 not in register:
            register[0] = Value(0, 0, False)
        if value not in register or register[value].begin > end:
            wrong.append(f"file {key[0]}, word {key[1]}: {value:#x} comes from nowhere")
        else:
            register[value].read(begin, end)
    for key, register in values.items():
        problem = zones(register)
        if problem:
            wrong.append(f"file {key[0]}, word {key[1]}: {problem}")
    print(f"{count} calls on words, {len(reads)} reads of what others may have written")
    sys.exit("\n".join(wrong[:20]) if wrong else None)


main()
