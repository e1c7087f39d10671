"""A reader of traces that shares nothing with Fathom: written from docs/format.md and docs/catalog.md alone."""

import ctypes
import re
import struct
from collections import defaultdict

import coded
import timing

FAILED, ABSENT = -(1 << 63) + 65536, -(1 << 63) + 1
MASK = (1 << 64) - 1


# By ABI: MPI_ANY_SOURCE, MPI_PROC_NULL, MPI_ROOT, MPI_ANY_TAG.
SPECIAL = {"openmpi": (-1, -2, -4, -1), "mpich": (-2, -1, -3, -1), "standard": (-1, -3, -4, -2)}
UNDEFINED = -32766


class NullHandle:
    """Equal to what stands for one: null, or its name."""

    def __eq__(self, other):
        return other is None or isinstance(other, str) and (other.endswith("_NULL") or other == "AT_FDCWD")


def wrap(value):
    """Integers have 64 bits."""
    return ((value + (1 << 63)) & MASK) - (1 << 63)


def is_failure(value):
    return FAILED <= value < FAILED + 65536


# ---- bytes ----


def unzstd(frame, size):
    library = ctypes.CDLL("libzstd.so.1")
    library.ZSTD_decompress.restype = ctypes.c_size_t
    raw = ctypes.create_string_buffer(max(size, 1))
    found = library.ZSTD_decompress(raw, ctypes.c_size_t(size), frame, ctypes.c_size_t(len(frame)))
    assert found == size, f"a frame of {found} bytes, not {size}"
    return raw.raw[:size]


def xxh64(data, seed):
    """Collet, XXH64, specification 0.1.1."""
    one, two, three, four, five = (
        0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5,
    )  # fmt: skip

    def turn(value, bits):
        return (value << bits | value >> (64 - bits)) & MASK

    def round_(lane, value):
        return turn((lane + value * two) & MASK, 31) * one & MASK

    at, end = 0, len(data)
    if end >= 32:
        lanes = [(seed + one + two) & MASK, (seed + two) & MASK, seed, (seed - one) & MASK]
        while at + 32 <= end:
            lanes = [round_(lane, value) for lane, value in zip(lanes, struct.unpack_from("<4Q", data, at))]
            at += 32
        hash_ = sum(turn(lane, bits) for lane, bits in zip(lanes, (1, 7, 12, 18))) & MASK
        for lane in lanes:
            hash_ = ((hash_ ^ round_(0, lane)) * one + four) & MASK
    else:
        hash_ = (seed + five) & MASK
    hash_ = (hash_ + end) & MASK
    while at + 8 <= end:
        hash_ = (turn(hash_ ^ round_(0, struct.unpack_from("<Q", data, at)[0]), 27) * one + four) & MASK
        at += 8
    if at + 4 <= end:
        hash_ = (turn(hash_ ^ struct.unpack_from("<I", data, at)[0] * one & MASK, 23) * two + three) & MASK
        at += 4
    for byte in data[at:]:
        hash_ = turn(hash_ ^ byte * five & MASK, 11) * one & MASK
    hash_ = (hash_ ^ hash_ >> 33) * two & MASK
    hash_ = (hash_ ^ hash_ >> 29) * three & MASK
    return hash_ ^ hash_ >> 32


class View:
    def __init__(self, data):
        self.data, self.at = data, 0

    def varint(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def signed(self):
        value = self.varint()
        return value >> 1 ^ -(value & 1)

    def bytes(self, count):
        self.at += count
        assert self.at <= len(self.data)
        return self.data[self.at - count : self.at]

    def text(self):
        return self.bytes(self.varint())

    def varints(self, count):
        return [self.varint() for _ in range(count)]

    def left(self):
        return len(self.data) - self.at


def texts(data):
    view = View(data)
    found = [view.text() for _ in range(view.varint())]
    assert view.left() == 0
    return found


def integers(data):
    view, found = View(data), []
    while view.left():
        found.append(view.signed())
    return found


# ---- the catalogue ----

OPAQUE = {"FILE", "_Complex", "__compar_d_fn_t", "__compar_fn_t", "__ftw_func_t", "__gnuc_va_list", "__nftw_func_t",
          "__sighandler_t", "comparison_fn_t", "cookie_io_functions_t", "div_t", "double", "fd_set", "float", "fpos64_t",
          "fpos_t", "ldiv_t", "locale_t", "mbstate_t", "sem_t", "sighandler_t", "sigset_t", "struct", "union", "va_list",
          "void"}  # fmt: skip
MPI_INTEGERS = {"MPI_Aint", "MPI_Count", "MPI_Fint", "MPI_Offset"}
FLAGS = {"collective", "nonblocking", "begin", "end", "noreturn", "off", "hooked", "around", "copies", "shared", "links", "system", "uncounted"}
WITH_A_WORD = {"on", "via", "by", "orders", "builds"}


def is_integer(declaration):
    words = re.findall(r"\w+", declaration)
    foreign = any(word.startswith("MPI_") and word not in MPI_INTEGERS for word in words)
    return not re.search(r"[*\[]|\.\.\.", declaration) and not foreign and not OPAQUE & set(words)


class Field:
    def __init__(self, declaration, words):
        self.declaration, self.words = declaration, words
        self.role = words[0] if words else "value" if is_integer(declaration) else "skip"
        self.many = bool(words) and words[-1].endswith("]")
        if self.role == "offset" and words[1:] == ["view"]:
            self.role = "offset view"
        self.role = re.sub(r"\[.*", "", self.role)
        name = re.search(r"(\w+)\??(\[\w*\])*$", declaration)
        self.name = name[1] if name else ""

    def class_name(self):
        return re.sub(r"\[.*", "", self.words[1])


class Function:
    def __init__(self, row, layer, classes):
        self.layer = layer
        head, _, rest = row.partition("(")
        before, self.name = re.fullmatch(r"(.*?)(\w+)\s*", head).groups()
        depth, end = 1, 0
        while depth:
            depth += (rest[end] == "(") - (rest[end] == ")")
            end += 1
        inside, result = rest[: end - 1], rest[end:].lstrip(" :")
        words = before.split()
        self.kind, self.on = words[0], None
        at = 1
        while words[at] in FLAGS | WITH_A_WORD | {"as"}:
            if words[at] == "on":
                self.on = words[at + 1]
            at += 2 if words[at] in WITH_A_WORD else 1
            while words[at - 1] == "as" or words[at - 1].endswith(","):
                at += 1
        self.type = " ".join(words[at:])
        self.fields = [self.field(text) for text in self.split(inside)]
        self.result = Field("", result.split() if result else ["skip"])
        self.plan = self.make_plan(classes)
        self.is_data = self.kind in ("read", "write")

    @staticmethod
    def split(inside):
        """At the commas outside brackets."""
        found, depth = [""], 0
        for character in inside:
            depth += (character == "(") - (character == ")")
            if character == "," and depth == 0:
                found.append("")
            else:
                found[-1] += character
        return [text.strip() for text in found if text.strip() not in ("", "void", "...")]

    @staticmethod
    def field(text):
        declaration, _, role = text.partition(":")
        return Field(declaration.strip(), role.split())

    def make_plan(self, classes):
        """(field, part) of each value in turn; field None is the stream of `on`, -1 the result."""

        def is_descriptor(field, type_):
            return field.class_name() == "fd" and type_.startswith("int")

        plan = [(None, "slot")] if self.on else []
        for number, field in enumerate(self.fields):
            if field.role in ("use", "close", "new"):
                plan.append((number, "list" if field.many else "slot"))
                if field.role == "close" and field.many:
                    plan.append((number, "nulls"))
                if field.role == "new" and not field.many and is_descriptor(field, field.declaration):
                    plan.append((number, "number"))
            elif field.role == "count":
                plan += [(number, "integer"), (number, "element")]
            elif field.role in ("path", "string"):
                plan.append((number, "text"))
            elif field.role == "data":
                plan += [(number, "integer")] if "*" in field.declaration else []
            elif field.role == "strings":
                plan.append((number, "texts"))
            elif field.role in ("offset", "offset view", "distance"):
                plan.append((number, field.role))
            elif field.role in ("in", "argument") or field.role in ("out", "status", "aio") and field.many:
                plan.append((number, "list"))
            elif field.role == "status":
                plan += [(number, "moved")] if self.kind in ("read", "write") else [(number, "source"), (number, "tag")]
            elif field.role == "aio":
                plan += [(number, "slot"), (number, "offset"), (number, "integer")]
            elif field.role != "skip":
                plan.append((number, "integer"))
        role = self.result.role
        if role in ("moved", "items", "byte", "text", "line"):
            plan.append((-1, "moved"))
        elif role == "new":
            plan.append((-1, "slot"))
            if is_descriptor(self.result, self.type):
                plan.append((-1, "number"))
        elif role != "skip":
            plan.append((-1, "position" if role == "position" else "integer"))
        return plan

    def value_of(self, values, role):
        """The integer of the first parameter with this role, or None."""
        for (number, part), value in zip(self.plan, values):
            if number is not None and number >= 0 and self.fields[number].role == role and part == "integer":
                return value
        return None

    def handle(self, classes):
        """Index of the value with the slot that the call is about, and its class; (None, None): it is about none."""
        if self.on:
            return 0, "stream"
        directories = {field.words[2] for field in self.fields if field.role == "path" and "at" in field.words}
        for index, (number, part) in enumerate(self.plan):
            field = self.fields[number] if number >= 0 else None
            if field is not None and field.role == "path":
                return None, None
            if part != "slot" or field is None:
                continue
            if field.role == "aio" and not field.many:
                return index, "fd"
            if field.role in ("use", "close") and classes[field.class_name()][1] == "file":
                return (None, None) if field.name in directories else (index, field.class_name())
        return None, None


def read_catalog(data):
    classes, functions, layer = {}, {}, ""
    for line in data.decode().splitlines():
        word, _, rest = line.partition(" ")
        if word == "class":
            name, form, *buffered = rest.split()
            classes[name] = (len(classes), form)
        elif word == "layer":
            layer = rest.strip()
        elif word.isdigit():
            functions[int(word)] = (rest.strip(), layer)
    return classes, {number: Function(row, layer, classes) for number, (row, layer) in functions.items()}


# ---- sections ----


NULL, BYTES, NUMBERS, LIST = range(4)


class Template:
    """A string but for its numbers. `places`: for each of them, what tells where it is expected."""

    def __init__(self, data):
        self.kind, self.data = data[0], data[1:]
        self.count, self.places = 0, []
        if self.kind == LIST:
            self.count = View(self.data).varint()
        elif self.kind == NUMBERS:
            self.count = self.data.count(1)
            for component in self.data.split(b"/"):
                self.places += [(component, i) for i in range(component.count(1))]

    def join(self, numbers):
        if self.kind == LIST:
            return list(numbers)
        if self.kind != NUMBERS:
            return self.data if self.kind == BYTES else None
        pieces, numbers = self.data.split(b"\1"), [n & MASK for n in numbers]
        shown = [str(number >> 5).zfill(number & 31).encode() for number in numbers] + [b""]
        return b"".join(piece + digits for piece, digits in zip(pieces, shown))


def read_planes(view, count):
    least, divisor, width = view.signed(), view.varint(), view.varint()
    planes = [view.bytes(count) for _ in range(width)]
    return [wrap(sum(plane[i] << 8 * k for k, plane in enumerate(planes)) * divisor + least) for i in range(count)]


def read_column(view, processes):
    """The numbers of these processes."""
    method = view.varint()
    if method == 0:
        slope, intercept = view.signed(), view.signed()
        return [wrap(slope * i + intercept) for i in processes]
    if method == 2:
        return read_planes(view, len(processes))
    slope = view.signed()
    if method == 3:
        height = view.signed()
        stairs = [(view.varint(), view.signed()) for _ in range(view.varint())]
        numbers = []
        for count, rise in (stairs[terminal] for terminal in expand(view.text())):
            numbers += [height] * count
            height += rise
        assert len(numbers) == len(processes)
        return [wrap(slope * i + number) for i, number in zip(processes, numbers)]
    lines = [(view.varint(), view.signed(), view.signed()) for _ in range(view.varint())]
    given = [line for terminal in expand(view.text()) for line in [lines[terminal]] * lines[terminal][0]]
    assert len(given) == len(processes)
    return [wrap((slope + step) * i + intercept) for i, (_, step, intercept) in zip(processes, given)]


NOTHING, ITSELF, TURNS, SLOTS = range(4)


def edited(view, before):
    """Bytes that are written as their differences from others."""
    made, at = b"", 0
    for _ in range(view.varint()):
        same, out = view.varints(2)
        made += before[at : at + same] + view.text()
        at += same + out
    return made + before[at:]


class Keys:
    """Of the columns of shapes that share some."""

    def __init__(self, part, functions, sharing):
        self.part, self.functions, self.sharing, self.numbers = part, functions, sharing, {}

    def of(self, shape):
        """(key, or None for a slot; the slot) of each column, and the shape without slots."""
        view, columns, turns = View(shape), [], defaultdict(int)
        plain = b""

        def passed():
            nonlocal plain
            number = view.varint()
            plain += coded.varint(number)
            return number

        def add(item, count, slot=None, value=None):
            turn = 0 if self.sharing == ITSELF else turns[item]
            turns[item] += 1
            for i in range(count):
                if i == slot:
                    columns.append((None, value))
                else:
                    columns.append((self.numbers.setdefault((item, turn, i), len(self.numbers)), None))

        add(("identity",), 13)
        for i in range(passed()):
            string = passed()
            add(("text", i, string), self.part.strings[string].count)
        for _ in range(passed()):
            number, item, count, slot, value = passed(), (), 0, None, None
            signature = Signature(self.functions, self.part.heads[number], self.part.texts)
            passed()
            for i, (field, kind) in enumerate(signature.function.plan):
                here = not (signature.mask | signature.apart) >> i & 1
                numbers = 1
                if kind in ("text", "texts", "list"):
                    item += (passed(),)
                    numbers = self.part.strings[item[-1]].count
                elif here and slot is None and self.sharing == SLOTS and (kind == "slot" or self.is_named_slot(signature, field, kind)):
                    slot = count
                count += numbers if here else 0
            if slot is not None:
                value = view.signed()
            add(("signature", number, item, value), count, slot, value)
        for _ in range(passed()):
            for _ in range(passed()):
                passed()
        for _ in range(passed()):
            function, flags = passed(), passed()
            add(("sum", function, flags), 3 if self.functions[function].kind in ("test", "probe") else 4)
        for _ in range(passed()):
            string = passed()
            add(("paths", string), 1)
            for i in range(self.part.strings[string].count + 4):
                add(("lines", string, i), 3 * passed())
        assert view.left() == 0
        return columns, plain

    @staticmethod
    def is_named_slot(signature, field, kind):
        return kind == "integer" and field is not None and field >= 0 and signature.function.fields[field].name == "slot"


def read_shapes(data, part, functions):
    """(bytes of the shape, numbers) of each process."""
    view, shapes, last = View(data), [], defaultdict(bytes)
    for _ in range(view.varint()):
        head = view.varint()
        group, sharing = head // 4, head % 4
        text = edited(view, last[group]) if sharing else view.text()
        if sharing:
            last[group] = text
        shapes.append((text, view.varint(), group, sharing))
    count = view.varint()
    of_process = read_column(view, range(count)) if count else []
    numbers = [[] for _ in range(count)]
    for shape, (_, columns, _, sharing) in enumerate(shapes):
        members = [i for i in range(count) if of_process[i] == shape]
        for _ in range(0 if sharing else columns):
            for i, number in zip(members, read_column(view, members)):
                numbers[i].append(number)
    for group in range(len(last)):
        of_group = [(i, shape) for i, shape in enumerate(shapes) if shape[3] and shape[2] == group]
        sharing = of_group[0][1][3]
        keys = Keys(part, functions, sharing)
        columns = {}
        for i, (text, column_count, _, _) in of_group:
            columns[i], plain = keys.of(text)
            assert len(columns[i]) == column_count
            shapes[i] = (plain, *shapes[i][1:])
        members = [i for i in range(count) if of_process[i] in columns]
        assert sharing != ITSELF or len(members) == 1
        targets = defaultdict(list)
        for i in members:
            numbers[i] = [slot for _, slot in columns[of_process[i]]]
            for at, (key, _) in enumerate(columns[of_process[i]]):
                if key is not None:
                    targets[key].append((i, at))
        for key in range(len(keys.numbers)):
            of_column = range(len(targets[key])) if sharing == ITSELF else [i for i, _ in targets[key]]
            for (i, at), number in zip(targets[key], read_column(view, of_column)):
                numbers[i][at] = number
    assert view.left() == 0
    return [(shapes[of_process[i]][0], numbers[i]) for i in range(count)]


class Signature:
    """`values`: integers; templates with what is kept of their numbers, None if these are literal; None for literals."""

    def __init__(self, functions, head, strings):
        view = View(head)
        self.number, self.depth, self.flags, self.mask, self.apart, self.steps = view.varints(6)
        self.source = None  # text of the module, place in it
        if self.flags & 16:
            module, place = view.varints(2)
            assert strings[module][0] == BYTES
            self.source = strings[module][1:], place
        assert view.left() == 0
        self.function = functions[self.number]
        self.values = []


class Process:
    def __init__(self, part, functions, data, frames, shape, numbers):
        self.blocks = data[:frames]
        facts, view, self.numbers = View(data[frames:]), View(shape), iter(numbers)
        self.image = int.from_bytes(facts.bytes(8), "little")
        self.pid = (self.image & 0x3FFFFF) + facts.signed()
        self.start_ticks, lasted = facts.varint(), facts.signed()
        self.last_ticks, self.rate_ticks = self.start_ticks + lasted, lasted + facts.signed()
        self.rate_ns, self.quantum, self.kept, self.start = *facts.varints(3), facts.signed()
        tracks = [self.track(facts) for _ in range(facts.varint())]
        (self.previous, self.parent, self.world, self.rank, self.size, self.ended, self.status, self.stopped, self.alive,
         self.clock_is_monotonic, self.clock_error, self.excluded, self.lost) = (
            next(self.numbers) for _ in range(13)
        )  # fmt: skip
        strings = [self.string(part, view).decode() for _ in range(view.varint())]
        self.host, self.exe, self.directory, self.mpi = strings[:4]
        self.arguments = strings[4:]
        self.signatures = [self.signature(part, functions, view, facts) for _ in range(view.varint())]
        assert view.varint() == len(tracks)
        self.tracks = [(thread, tid, view.varints(view.varint()), *blocks) for thread, tid, *blocks in tracks]
        count, self.derives_times = view.varint(), facts.varint()
        assert self.derives_times in (0, 1, 3)
        self.sums = [self.sum(functions, view, facts) for _ in range(count)]
        self.calls = sum(calls for _, _, calls, *_ in self.sums)
        self.paths = [path for _ in range(view.varint()) for path in self.group(part, view, facts)]
        self.counts(part, facts)
        assert view.left() == 0 and facts.left() == 0 and next(self.numbers, None) is None

    def counts(self, part, facts):
        """Leaves in place of each piece its grammar and the lists of counts that are the process's own."""
        own = [symbol for track in self.tracks for number in track[2] for symbol in open_symbols(part.grammars[number])]
        lists = View(b"")
        if own:
            raw, stored = facts.varint(), facts.varint()
            lists = View(unzstd(facts.bytes(stored), raw) if stored else facts.bytes(raw))
        for i, (thread, tid, pieces, *blocks) in enumerate(self.tracks):
            grammars = [part.grammars[number] for number in pieces]
            read = [(text, {symbol: read_counts(lists) for symbol in open_symbols(text)}) for text in grammars]
            self.tracks[i] = thread, tid, read, *blocks
        assert lists.left() == 0

    def track(self, facts):
        thread, tid, count = facts.varint(), self.pid + facts.signed(), facts.varint()
        means = facts.varints(2) if self.kept == timing.MEANS else [0, 0]
        base, blocks = self.start_ticks // self.quantum, []
        for _ in range(count):
            base += facts.signed()
            calls, *sizes = facts.varints(5)
            blocks.append([calls, base, *sizes])
        return thread, tid, means, blocks

    def sum(self, functions, view, facts):
        function, flags = view.varints(2)
        polls = functions[function].kind in ("test", "probe")
        calls = facts.varint() if polls else next(self.numbers)
        numbers = [next(self.numbers) for _ in range(3)]
        return [function, flags, calls, *numbers, None if self.derives_times else facts.varints(3)[0]]

    def string(self, part, view):
        template = part.strings[view.varint()]
        return template.join([next(self.numbers) for _ in range(template.count)])

    def signature(self, part, functions, view, facts):
        signature = Signature(functions, part.heads[view.varint()], part.texts)
        count = view.varint()
        for i, (_, kind) in enumerate(signature.function.plan):
            literal, apart = signature.mask >> i & 1, signature.apart >> i & 1
            if kind in ("text", "texts", "list"):
                template = part.strings[view.varint()]
                count -= 1
                kept = None if literal else [facts.signed() if apart else next(self.numbers) for _ in range(template.count)]
                signature.values.append((template, kept))
            else:
                signature.values.append(None if literal else facts.signed() if apart else next(self.numbers))
        assert count == 0
        return signature

    def group(self, part, view, facts):
        """(path, opens, calls, bytes read, bytes written, time) of each path."""
        template, count = part.strings[view.varint()], next(self.numbers)
        times, columns = [None] * count if self.derives_times == 3 else facts.varints(count), []
        for _ in range(template.count + 4):
            lines, column = view.varint(), []
            for _ in range(lines):
                length, first, step = (next(self.numbers) for _ in range(3))
                column += [wrap(first + step * i) for i in range(length)]
            columns.append(column if lines else read_planes(facts, count))
            assert len(columns[-1]) == count
        rows = list(zip(*columns))
        return [(template.join(row[: template.count]), *row[template.count :], time) for row, time in zip(rows, times)]


def read_lines(data):
    """Section LINE: by path of the module, zero, build-id, and place in it."""
    view, lines = View(data), {}
    for _ in range(view.varint()):
        module = view.text()
        for _ in range(view.varint()):
            place = view.varint()
            assert (module, place) not in lines
            lines[module, place] = view.text().decode()
    assert view.left() == 0
    return lines


def read_missing(data):
    """Sections LOST and SUMD."""
    view = View(data)
    missing = [(view.bytes(8), *view.varints(3), view.signed()) for _ in range(view.varint())]
    assert view.left() == 0
    return missing


def read_unseen(data):
    view = View(data)
    unseen = [
        (view.varint(), view.text(), view.text(), view.varint(), view.signed(), view.signed(), view.signed())
        for _ in range(view.varint())
    ]
    assert view.left() == 0
    return unseen


def frame_bytes(facts):
    """How many bytes of frames the facts of a process tell of."""
    view, total = View(facts), 0
    view.bytes(8)
    *_, kept, _ = view.varints(8)
    for _ in range(view.varint()):
        _, _, blocks = view.varints(3)
        total += view.varints(2)[0] if kept == timing.MEANS else 0
        for _ in range(blocks):
            _, _, stored, _, literal, _ = view.varints(6)
            total += literal + (0 if kept == timing.MEANS else stored)
    return total


class Part:
    def __init__(self):
        self.strings, self.heads, self.grammars, self.processes = [], [], [], []


class Trace:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = file.read()
        magic, version, flags, reserved, checksum = struct.unpack_from("<8sIIQQ", self.data)
        assert (magic, version, flags, reserved) == (b"\x89FATHOM\n", 9, 0, 0)
        assert checksum == xxh64(self.data[:24], 0)
        self.parts, self.samples, self.mounts, processes, together, shapes, self.lines = defaultdict(Part), [], [], [], [], {}, {}
        self.summed = {}
        for kind, part, process, raw, data in self.sections():
            if kind == b"META":
                view = View(data)
                self.start, self.end, self.resolution = view.varints(3)
                self.meta = view.text()
                self.blind_spots = [view.text() for _ in range(view.varint())]
            elif kind == b"LOST":
                self.unkept = read_missing(data)
            elif kind == b"SUMD":
                self.summed = {int.from_bytes(image, "little"): calls for image, calls, *_ in read_missing(data)}
            elif kind == b"CATL":
                self.classes, self.functions = read_catalog(data)
            elif kind == b"SAMP":
                self.samples.append(data)
            elif kind == b"UNSN":
                self.unseen = read_unseen(data)
            elif kind == b"MNTS":
                self.mounts.append(data)
            elif kind == b"PROC":
                processes.append((part, process, data, raw))
            elif kind == b"PRCS":
                together.append((part, process, data, raw))
            elif kind == b"SHAP":
                shapes[part] = data
            elif kind == b"LINE":
                self.lines = read_lines(data)
            elif kind == b"STRS":
                self.parts[part].texts = texts(data)
                self.parts[part].strings = [Template(text) for text in texts(data)]
            else:
                name = {b"SIGS": "heads", b"GRAM": "grammars"}[kind]
                setattr(self.parts[part], name, texts(data))
        for part, data in shapes.items():
            self.parts[part].grammars = [coded.grammar(View(text)) for text in self.parts[part].grammars]
            shapes[part] = read_shapes(data, self.parts[part], self.functions)
        for part, first, data, raw in together:
            at = 0
            for i, facts in enumerate(coded.facts(View(data[raw:]))):
                frames = frame_bytes(facts)
                processes.append((part, first + i, data[at : at + frames] + facts, frames))
                at += frames
            assert at == raw
        for part, process, data, frames in sorted(processes):
            assert process == len(self.parts[part].processes)
            made = Process(self.parts[part], self.functions, data, frames, *shapes[part][process])
            self.parts[part].processes.append(made)

    def line(self, source):
        """Where a call is made: the line if it is known, else the place in the module."""
        if not source:
            return None
        module, place = source
        name = module.split(b"\0")[0].rsplit(b"/", 1)[-1].decode()
        return self.lines.get((module, place), f"{name}+{place:#x}")

    def sections(self):
        at = 32
        while True:
            kind, codec, reserved, part, process, stored, raw, checksum = struct.unpack_from("<4sHHIIQQQ", self.data, at)
            data = self.data[at + 40 : at + 40 + stored]
            seed = int.from_bytes(kind, "little")
            assert reserved == 0 and checksum == xxh64(data, seed) ^ xxh64(self.data[at : at + 32], 0), kind
            at += 40 + stored
            if kind == b"END ":
                assert at == len(self.data)
                return
            yield kind, part, process, raw, unzstd(data, raw) if codec == 1 else data

    def processes(self):
        """Image -> (part, process) in order."""
        found = defaultdict(list)
        for number in sorted(self.parts):
            for process in self.parts[number].processes:
                found[process.image].append((self.parts[number], process))
        return found

    def calls(self, image):
        """Thread -> its calls in order of entry."""
        threads = {}
        for part, process in self.processes()[image]:
            at = 0
            for thread, tid, pieces, means, blocks in process.tracks:
                if thread not in threads:
                    threads[thread] = Thread(self, self.processes()[image][-1][1])
                at = threads[thread].read(part, process, pieces, means, blocks, at)
        return {number: thread.calls for number, thread in threads.items()}


# ---- calls ----


def read_grammar(grammar):
    """Its rules, and the lists of counts that stand behind them, by symbol."""
    view = View(grammar)
    rules = [[view.varints(2) for _ in range(view.varint())] for _ in range(view.varint())]
    lists = {}
    for _ in range(view.varint() if view.left() else 0):
        symbol = view.varint()
        lists[symbol] = read_counts(view)
    assert view.left() == 0
    return rules, lists


def read_counts(view):
    count, lines, counts = view.varint(), view.varint(), []
    if lines == 0:
        return read_planes(view, count)
    for _ in range(lines):
        length, first, step = view.varint(), view.signed(), view.signed()
        counts += [first + step * i for i in range(length)]
    assert len(counts) == count
    return counts


def open_symbols(grammar):
    """Symbols whose lists are elsewhere, in ascending order."""
    rules, lists = read_grammar(grammar)
    return sorted({symbol for rule in rules for symbol, times in rule if times == 0} - set(lists))


def expand(grammar, own=()):
    """The terminals of a grammar, with the lists that do not stand behind it."""
    rules, lists = read_grammar(grammar)
    counts = {symbol: iter(list) for symbol, list in {**lists, **dict(own)}.items()}

    def give(rule):
        for symbol, times in rules[rule]:
            for _ in range(times or next(counts[symbol])):
                if symbol & 1:
                    yield from give(symbol >> 1)
                else:
                    yield symbol >> 1

    yield from give(0)
    assert all(next(list, None) is None for list in counts.values())


class Block:
    def __init__(self, process, at, calls, time_stored, time_raw, literal_stored, literal_raw):
        if process.kept == timing.MEANS:
            self.times, time_stored = None, 0
        else:
            frame = process.blocks[at : at + time_stored]
            if time_raw == 1:
                self.waiting, self.begun = [iter(group) for group in coded.times(frame, calls)], {}
                self.key = lambda function, signature: function
            else:
                self.arrange(View(unzstd(frame, time_raw)), calls)
        self.columns, self.marks, self.bytes = {}, [], time_stored + literal_stored
        if literal_stored:
            frame = process.blocks[at + time_stored : at + time_stored + literal_stored]
            view = View(unzstd(frame, literal_raw))
            marks = View(view.text())
            while marks.left():
                self.marks.append(self.mark(marks))
            while view.left():
                self.column(view)

    def arrange(self, view, calls):
        arrangement = view.varint()
        counts = view.varints(view.varint()) if arrangement else [calls]
        assert sum(counts) == calls and all(counts)
        gaps, durations = self.groups(view, counts), self.groups(view, counts)
        assert view.left() == 0
        self.waiting = [iter(zip(*group)) for group in zip(gaps, durations)]
        self.key = [lambda function, signature: 0, lambda function, signature: function, lambda function, signature: signature][arrangement]
        self.begun = {}

    def groups(self, view, counts):
        """The values of each group in one column."""
        codes = []
        for count in counts:
            width, values, value = view.varint(), [None], 0
            for _ in range(view.varint()):
                value += view.varint()
                values.append(value)
            if width == 0:
                codes.append([values[-1]] * count)
                continue
            packed = int.from_bytes(view.bytes((count * width + 7) // 8), "little")
            codes.append([values[packed >> i * width & (1 << width) - 1] for i in range(count)])
        return [[view.varint() if value is None else value for value in group] for group in codes]

    def times(self, function, signature):
        """The next call's gap and duration."""
        key = self.key(function, signature)
        if key not in self.begun:
            self.begun[key] = self.waiting[len(self.begun)]
        return next(self.begun[key])

    @staticmethod
    def mark(view):
        """The cell, and what it holds."""
        kind = view.varint()
        if kind == 2:
            return (kind, *view.varints(3)), view.signed()
        cell = (kind, *view.varints(2))
        number = view.signed()
        return cell, number if kind < 2 else (number, [view.signed() for _ in range(view.varint())])

    def column(self, view):
        function, value, count, method = view.varints(4)
        found, before = [], 0
        for i, number in enumerate(read_planes(view, count)):
            before = wrap(number + before if method == 1 and i else number)
            found.append(before)
        self.columns[function, value] = iter(found)


class Call:
    """`values` are resolved; `bindings`: what slots were bound to then."""

    def __init__(self, function, depth, entry, exit_, values):
        self.function, self.depth, self.entry, self.exit, self.values = function, depth, entry, exit_, values
        self.args, self.ret, self.around = {}, None, None

    def level(self):
        """How many calls of the trace are around it; one that never returned is in no trace."""
        return self.around.level() + 1 if self.around else 0

    def may_be_around(self, other):
        return other.depth > self.depth and other.entry >= self.entry and (not other.around or other.around.depth > self.depth)


class Thread:
    def __init__(self, trace, clock):
        self.trace, self.clock = trace, clock
        self.calls, self.depth = [], 0
        self.cursors = defaultdict(lambda: [0, 0])  # (class, slot) -> end, view
        self.bindings = {}  # (class, slot) -> path, number
        self.last = defaultdict(int)  # place in a name -> number
        self.trails = {}  # place -> key, class and slot, eight numbers

    def clock_of(self, process, means, blocks, at):
        if process.kept == timing.EXACT:
            return timing.Exact()
        if process.kept != timing.MEANS:
            return timing.Bins(process.kept - 1)
        stored, raw = means
        at += sum(block[4] for block in blocks)
        frame = process.blocks[at : at + stored]
        made = timing.Means(View(frame if stored == raw else unzstd(frame, raw)))
        assert made.calls == sum(block[0] for block in blocks)
        return made

    def read(self, part, process, pieces, means, blocks, at):
        """The calls of a track whose blocks begin at `at`; returns where they end."""
        symbols = (symbol for grammar, own in pieces for symbol in expand(grammar, own))
        clock = self.clock_of(process, means, blocks, at)
        for i, (calls, _, *sizes) in enumerate(blocks):
            block = Block(process, at, calls, *sizes)
            clock.begin_block(blocks, i)
            self.had = defaultdict(set)
            for _ in range(calls):
                symbol = next(symbols)
                signature = process.signatures[symbol]
                note = signature.function.layer == "fathom"
                holds = self.depth > signature.depth and not note
                entry, exit_ = clock.call(block.times, signature.number, symbol, signature.depth, note, holds)
                self.read_call(process, signature, block.columns, entry, exit_)
            for cell, value in block.marks:
                self.check_mark(process, cell, value)
            at += block.bytes
        assert next(symbols, None) is None
        return at + means[0]

    def read_call(self, process, signature, columns, entry, exit_):
        number, depth, mask, function = signature.number, signature.depth, signature.mask, signature.function
        values = []
        for i, value in enumerate(signature.values):
            if value is None:
                values.append(next(columns[number, i]))
            elif isinstance(value, tuple):
                values.append(self.name(number, i, columns, *value))
            else:
                values.append(value)
        note = function.layer == "fathom"
        self.take_steps(signature, values)
        self.resolve(function, mask | signature.steps, values)
        if note:
            self.note(function, values)
            return
        self.depth = depth
        call = Call(function, depth, self.time(process, entry), self.time(process, exit_), values)
        call.source = self.trace.line(signature.source)
        self.show(call)
        place = len(self.calls)
        while place and call.may_be_around(self.calls[place - 1]):
            place -= 1
        for inside in self.calls[place:]:
            inside.around = inside.around or call
        self.calls.insert(place, call)

    def check_mark(self, process, cell, value):
        """A mark is a value that its cell had in this block."""
        kind, one, other, *more = cell
        if kind < 2:
            cell = kind, list(self.trace.classes)[one - 1], other
        elif kind == 2:
            strings = [value for value in process.signatures[one].values if isinstance(value, tuple)]
            cell = kind, strings[other][0].places[more[0]]
        else:
            value = value[0] + other if one else None
            cell = kind, list(self.trace.classes)[one - 1] if one else None, other
        assert value in self.had[cell], (cell, value)

    def name(self, number, i, columns, template, kept):
        """The string: bytes, a list, or None."""
        if kept is None:
            found = [next(columns[number, i + 32 * k]) for k in range(template.count)]
            self.last.update(zip(template.places, found))
            for place, value in zip(template.places, found):
                self.had[2, place].add(value)
        elif template.kind == NUMBERS:
            found = []
            for place, distance in zip(template.places, kept):
                self.last[place] = wrap(self.last[place] + distance)
                self.had[2, place].add(self.last[place])
                found.append(self.last[place])
        else:
            found = kept
        return template.join(found)

    def time(self, process, unit):
        ticks = unit * process.quantum - self.clock.start_ticks
        return self.clock.start - self.trace.start + ticks * self.clock.rate_ns // self.clock.rate_ticks

    def asked(self, function, values):
        for role in ("bytes", "iov"):
            value = function.value_of(values, role)
            if value is not None:
                return value
        size, items = function.value_of(values, "size"), function.value_of(values, "items")
        if size is not None and items is not None:
            return wrap(size * items)
        count = function.value_of(values, "count")
        if count is not None and function.is_data:
            return wrap(count * values[[part for _, part in function.plan].index("element")])
        return int(function.result.role == "byte")

    def take_steps(self, signature, values):
        slot = self.cursor_slot(signature.function, values)
        for i in range(len(values)):
            if signature.steps >> i & 1:
                step, trail = divmod(values[i], 8)
                key = (((slot[1] if slot else -1) + 1) * 32 + i) * 65536 + signature.number + 1
                place = key * 2654435761 % 2**32 >> 24
                if self.trails.get(place, [0])[0] != key:
                    self.trails[place] = key, slot, [0] * 8
                last = self.trails[place][2]
                last[trail] = values[i] = wrap(last[trail] + step)

    def cursor_slot(self, function, values):
        index, class_ = function.handle(self.trace.classes)
        slot = values[index] if index is not None else -1
        return (class_, slot) if 0 <= slot < 256 else None

    def resolve(self, function, absolute, values):
        slot = self.cursor_slot(function, values)
        cursor = self.cursors[slot] if slot else None
        before = cursor or [0, 0]

        def expect(end):
            if cursor:
                cursor[0] = end if 0 <= end < 1 << 62 else 0

        advances = all(field.role != "offset" for field in function.fields)
        whence = function.value_of(values, "whence")
        for i, (field, part) in enumerate(function.plan):
            literal = absolute >> i & 1
            if part == "offset":
                values[i] = wrap(values[i] + (0 if literal else before[0]))
                aio = function.fields[field].role == "aio"
                expect(wrap(values[i] + (values[i + 1] if aio else self.asked(function, values))))
            elif part == "offset view":
                values[i] = wrap(values[i] + (0 if literal else before[1]))
                if cursor:
                    cursor[1] = values[i]
            elif part == "distance" and whence in (None, 0, 600):
                values[i] = wrap(values[i] + (0 if literal else before[0]))
                expect(values[i])
            elif part == "distance" and whence in (1, 602):
                expect(wrap(before[0] + values[i]))
            elif part == "position" and not is_failure(values[i]):
                values[i] = wrap(values[i] + before[0])
                expect(values[i])
            elif part == "moved" and not is_failure(values[i]):
                values[i] = wrap(values[i] + self.asked(function, values))
                if advances and field == -1:
                    expect(wrap(before[0] + values[i]))
        for kind in range(2 if cursor else 0):
            self.had[(kind, *slot)].add(cursor[kind])

    def note(self, function, values):
        if function.name in ("fathom_contents", "fathom_stood"):
            return
        if function.name != "fathom_bind":
            self.had[3, None, 0].add(None)
            return
        class_, path = (values[i].decode() for i in (0, 3))
        self.bindings[class_, values[1]] = path, values[1] + values[2]
        self.had[3, class_, values[1]].add(values[1] + values[2])
        self.cursors[class_, values[1]] = [0, 0]
        self.trails = {place: trails for place, trails in self.trails.items() if trails[1] != (class_, values[1])}

    # ---- what people see ----

    def show(self, call):
        done = set()
        for i, (field, _) in enumerate(call.function.plan):
            if field is None or field in done:
                continue
            done.add(field)
            shown = self.shown(call, i)
            if field == -1:
                call.ret = shown
            else:
                call.args[field] = shown

    def handle_shown(self, class_, slot):
        if slot == -2:
            return NullHandle()
        if slot == -4:
            return -1
        path, number = self.bindings.get((class_, slot), ("", slot))
        if path and self.trace.classes[class_][1] == "object" and path.isidentifier():
            return path
        if class_ == "fd":
            return number if number >= 0 else None
        return slot if slot >= 0 else None

    def named(self, role, value):
        any_source, proc_null, root, any_tag = SPECIAL.get(self.clock.mpi.split(" ")[0], (None,) * 4)
        peers = {any_source: "MPI_ANY_SOURCE", proc_null: "MPI_PROC_NULL", root: "MPI_ROOT"}
        names = {"peer": peers, "root": peers, "tag": {any_tag: "MPI_ANY_TAG"}}
        return names.get(role, {}).get(value, value)

    def list_shown(self, field, found):
        if found and field.role == "new" and len(found) == 4:
            return [found[0] + found[1], found[2] + found[3]]
        if found and field.role in ("use", "close", "new"):
            return [self.handle_shown(field.class_name(), slot) for slot in found]
        if found and field.role == "aio":
            shown = [self.handle_shown("fd", slot) for slot in found[::4]]
            return [item if k % 4 else -1 if shown[k // 4] is None else shown[k // 4] for k, item in enumerate(found)]
        if found and field.role == "status":
            known = (None if item == UNDEFINED else item for item in found)
            return [self.named(("peer", "tag")[k % 2], item) for k, item in enumerate(known)]
        return found

    def shown(self, call, i):
        field_number, kind = call.function.plan[i]
        values, value = call.values, call.values[i]
        field = call.function.result if field_number == -1 else call.function.fields[field_number]
        if kind == "text":
            return None if value is None else value.decode(errors="replace")
        if kind == "texts":
            return None if value is None else value.decode(errors="replace").split("\0")[:-1]
        if kind == "list":
            found = integers(value) if isinstance(value, bytes) else value
            if field.role == "close" and found:
                found = [-2 if values[i + 1] >> k & 1 else slot for k, slot in enumerate(found)]
            return self.list_shown(field, found)
        plain = kind in ("integer", "offset", "offset view", "distance") and field_number >= 0
        if is_failure(value) and not plain:
            pointer = field_number == -1 and (field.role in ("text", "pointer") or field.role == "new" and "*" in call.function.type)
            return None if pointer or field.role == "new" and field_number >= 0 else -1
        if value == ABSENT:
            return None
        if kind == "source":
            return [self.named("peer", value), self.named("tag", values[i + 1])]
        if kind == "slot" and field.role == "new":
            numbered = i + 1 < len(values) and call.function.plan[i + 1][1] == "number"
            if value == -2:
                return NullHandle()
            return value + values[i + 1] if numbered else value if value >= 0 else None
        if kind == "slot" and field.role == "aio":
            shown = self.handle_shown("fd", value)
            return [-1 if shown is None else shown, values[i + 1], values[i + 2]]
        if kind == "slot":
            return self.handle_shown(field.class_name(), value)
        if field_number == -1 and field.role == "items":
            size = call.function.value_of(values, "size")
            return value // size if size else 0
        if call.function.layer.startswith("mpi") and field.role in ("value", "out") and value == UNDEFINED:
            return "MPI_UNDEFINED"
        return self.named(field.role, value) if field_number >= 0 else value
