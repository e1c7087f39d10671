"""What docs/format.md says of coded numbers, of the facts of processes that are together, and of grammars in GRAM."""

MASK = (1 << 64) - 1
EVEN = 32768


def zigzag(value):
    return (value << 1 ^ value >> 63) & MASK


def unzigzag(value):
    return value >> 1 ^ -(value & 1)


def varint(value):
    made = b""
    while value > 127:
        made += bytes([value & 127 | 128])
        value >>= 7
    return made + bytes([value])


class Chance:
    def __init__(self):
        self.one, self.seen = EVEN, 0

    def learn(self, bit):
        difference = (65536 if bit else 0) - self.one
        step = abs(difference) * 2 // (2 * self.seen + 3)
        self.one = min(max(self.one + (step if bit else -step), 64), 65472)
        self.seen = min(self.seen + 1, 60)


class Model:
    """What is likely of a number: chances by what was read of it."""

    def __init__(self):
        self.chances = {}

    def chance(self, *key):
        return self.chances.setdefault(key, Chance())

    def forget(self, most):
        for chance in self.chances.values():
            chance.seen = min(chance.seen, most)


class Bits:
    def __init__(self, data):
        self.data, self.at = data, 4
        self.low, self.high = 0, (1 << 32) - 1
        self.code = int.from_bytes(data[:4].ljust(4, b"\0"), "big")

    def even(self, count):
        number = 0
        for _ in range(count):
            number = number << 1 | self.bit_at(EVEN)
        return number

    def bit_at(self, one):
        split = self.low + ((self.high - self.low) * one >> 16)
        bit = self.code <= split
        if bit:
            self.high = split
        else:
            self.low = split + 1
        while (self.low ^ self.high) >> 24 == 0:
            byte = self.data[self.at] if self.at < len(self.data) else 0
            self.at += 1
            self.low, self.high = self.low << 8 & 0xFFFFFFFF, self.high << 8 & 0xFFFFFFFF | 255
            self.code = self.code << 8 & 0xFFFFFFFF | byte
        return int(bit)

    def bit(self, chance):
        bit = self.bit_at(chance.one)
        chance.learn(bit)
        return bit

    def number(self, model):
        node = 1
        for _ in range(7):
            node = node << 1 | self.bit(model.chance("length", node))
        length = node - 128
        if length < 2:
            return length
        number, node, left = 1, 1, length - 1
        for _ in range(min(left, 2)):
            bit = self.bit(model.chance(length, node))
            node, number, left = node << 1 | bit, number << 1 | bit, left - 1
        return number << left | self.even(left)

    def signed(self, model):
        return unzigzag(self.number(model))

    def check_end(self):
        assert self.at >= len(self.data)


def times(data, calls):
    """(gaps, durations) of each group."""
    bits, counts, gaps, durations = Bits(data), Model(), Model(), [Model() for _ in range(6)]
    groups = []
    for _ in range(bits.number(counts)):
        for model in (gaps, *durations):
            model.forget(2)
        group = []
        for _ in range(bits.number(counts)):
            gap = bits.number(gaps)
            group.append((gap, bits.number(durations[min(gap.bit_length(), 5)])))
        groups.append(group)
    bits.check_end()
    assert sum(map(len, groups)) == calls
    return groups


class Place:
    def __init__(self):
        self.last, self.known, self.was_last, self.was_left = 0, False, False, False


class Facts:
    def __init__(self, data):
        self.bits = Bits(data)
        self.own = [Model() for _ in range(8)]
        self.kept, self.kind, self.count, self.clock = Model(), Model(), Model(), Model()
        self.numbers = [Model() for _ in range(26)]
        self.flags = Model()
        self.before = [0] * 8
        self.classes = []

    def place(self, place, left):
        last = 1 + place.was_last if place.known else 0
        like = 1 + place.was_left if place.known else 0
        if self.bits.bit(self.flags.chance("left", like, last)):
            value, place.was_left = left, True
        else:
            place.was_left = False
            if place.known and place.last != left and self.bits.bit(self.flags.chance("last", last, like)):
                value = place.last
            else:
                value = self.bits.number(self.numbers[min(1 + place.last.bit_length(), 25) if place.known else 0])
        place.was_last = place.known and value == place.last
        place.last, place.known = value, True
        return value

    def process(self):
        number = self.bits.number(self.kind)
        if number == len(self.classes):
            self.classes.append([[], 0])
        known = self.classes[number]
        image, pid, start, lasted, rate, rate_ns, quantum, realtime = before = self.before
        low = self.bits.signed(self.own[0]) + image & 0x3FFFFF
        pid = self.bits.number(self.own[1])
        start = start + self.bits.signed(self.own[2]) & MASK
        image = (image >> 22) + start - before[2] + self.bits.signed(self.clock) & (1 << 42) - 1
        image = image << 22 | low
        lasted = self.bits.number(self.own[3])
        rate = rate + self.bits.signed(self.own[4]) & MASK
        rate_ns = rate_ns + self.bits.signed(self.own[5]) & MASK
        quantum = quantum + self.bits.signed(self.own[6]) & MASK
        passed = unwrap(start - before[2]) * unwrap(before[5])
        ticks = before[4] or 1
        expected = before[7] + (abs(passed) // ticks) * (1 if passed >= 0 else -1)
        realtime = expected + self.bits.signed(self.own[7]) & MASK
        self.before = [image, pid, start, lasted, rate, rate_ns, quantum, realtime]
        kept = self.bits.number(self.kept)
        made = image.to_bytes(8, "little") + varint(pid) + varint(start) + varint(zigzag(unwrap(lasted)))
        made += varint(zigzag(unwrap(rate - lasted))) + varint(rate_ns) + varint(quantum) + varint(kept) + varint(zigzag(unwrap(realtime)))
        known[1] += self.bits.signed(self.count)
        left = 0
        for i in range(known[1]):
            if i == len(known[0]):
                known[0].append(Place())
            left = self.place(known[0][i], left)
            made += varint(left)
        if self.bits.bit(self.flags.chance("tail")):
            made += bytes(self.bits.even(8) for _ in range(self.bits.number(self.count)))
        return made


def unwrap(value):
    """As a signed integer of 64 bits."""
    value &= MASK
    return value - (1 << 64) if value >> 63 else value


def facts(view):
    """Facts of each process, as they stand in PROC."""
    count = view.varint()
    reader = Facts(view.bytes(view.left()))
    found = [reader.process() for _ in range(count)]
    reader.bits.check_end()
    return found


def grammar(view):
    """Its text with numbered rules, in order of their first use, rule after rule."""
    count, rules, expected = view.varint(), [], 0

    def rule():
        nonlocal expected
        runs = []
        number = len(rules)
        rules.append(runs)
        for _ in range(view.varint()):
            head, times_ = view.varint(), view.varint()
            if head & 1:
                back = head >> 1
                runs.append((1, len(rules) - back, times_))
                if back == 0:
                    rule()
            else:
                expected += unzigzag(head >> 1) + 1
                runs.append((0, expected - 1, times_))
        return number

    rule()
    assert len(rules) == count
    order, number = [0], {0: 0}
    text = varint(count)
    for named in order:
        text += varint(len(rules[named]))
        for is_rule, symbol, times_ in rules[named]:
            if is_rule and symbol not in number:
                number[symbol] = len(order)
                order.append(symbol)
            text += varint((number[symbol] if is_rule else symbol) << 1 | is_rule) + varint(times_)
    return text + view.bytes(view.left())
