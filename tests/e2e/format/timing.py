"""When calls were, from what docs/format.md says is kept of it: exactly, in bins, or as means."""

EXACT, MEANS = 0, 1


class Nest:
    """The calls that no call around them has come for yet."""

    def __init__(self):
        self.levels = []  # of each depth above the last call's: first entry, exit of the call before it

    def add(self, depth, before, entry):
        self.levels = [(min(entry, first), left) for first, left in self.levels[:depth]]
        self.levels += [(entry, before)] * (depth - len(self.levels))

    def begin_around(self, depth, lead):
        first, left = self.levels[depth]
        return first - min(lead, first - left)


class Exact:
    def begin_block(self, blocks, number):
        self.now = blocks[number][1]

    def call(self, times, function, signature, depth, note, holds):
        gap, duration = times(function, signature)
        entry = self.now + gap - (duration if holds else 0)
        self.now = entry + duration
        return entry, self.now


class Bins(Exact):
    def __init__(self, percent):
        self.values, self.nest = [0], Nest()
        while self.values[-1] < 1 << 62:
            last = self.values[-1]
            self.values.append(last + max(1, last // 100 * percent + last % 100 * percent // 100))

    def call(self, times, function, signature, depth, note, holds):
        before, (gap, kept) = self.now, times(function, signature)
        entry = self.now = before + self.values[gap]
        if not holds:
            self.now += self.values[kept]
        elif kept & 1:
            entry = max(0, self.now - self.values[kept >> 1])
        else:
            entry = self.nest.begin_around(depth, self.values[kept >> 1])
        if not note:
            self.nest.add(depth, before, entry)
        return entry, self.now


PLAIN, AROUND, BEHIND = range(3)


def weight(total, calls):
    return ((total << 8) + calls // 2) // calls


class Means(Exact):
    def __init__(self, view):
        self.nest, self.number, self.paces, self.calls = Nest(), -1, {}, 0
        self.last = view.varint()
        self.behinds, number = set(), 0
        for _ in range(view.varint()):
            number += view.varint()
            self.behinds.add(number)
        signature = 0
        for _ in range(view.varint()):
            signature += view.varint()
            self.paces[signature] = self.mean(view)
        assert view.left() == 0

    def mean(self, view):
        mask, forms, calls = view.varint(), {}, 0
        for form in (PLAIN, AROUND, BEHIND):
            if mask >> form & 1:
                count, gap, length = view.varints(3)
                forms[form] = weight(gap, count), weight(length, count)
                calls += count
        if AROUND in forms:
            view.varint()
        self.calls += calls
        if calls > 1:
            shortest, more = view.varints(2)
            counts = view.varints((shortest + more).bit_length() - shortest.bit_length() + 1)
            assert sum(counts) == calls and counts[0] and counts[-1]
        return forms

    def begin_block(self, blocks, number):
        self.left, self.now, gaps, durations = blocks[number][:4]
        self.base = self.now
        self.end = blocks[number + 1][1] if number + 1 < len(blocks) else self.base + self.last
        self.gaps = self.durations = 0
        span, gaps, durations = float(self.end - self.base), gaps / 256, durations / 256
        self.duration_scale = span / durations / 256 if durations > span else 1 / 256
        self.gap_scale = (span - durations) / gaps / 256 if gaps > 0 and durations < span else 0

    def passed(self):
        return self.base + min(int(self.gaps * self.gap_scale + self.durations * self.duration_scale), self.end - self.base)

    def call(self, times, function, signature, depth, note, holds):
        self.number += 1
        around = holds and depth < len(self.nest.levels) and self.number not in self.behinds
        form = AROUND if around else BEHIND if holds else PLAIN
        gap, length = self.paces[signature][form]
        before, self.left = self.now, self.left - 1
        self.gaps += gap
        entry = self.passed()
        if form == PLAIN:
            self.durations += length
        self.now = self.passed() if self.left else self.end
        if form == AROUND:
            entry = self.nest.begin_around(depth, length >> 8)
        elif form == BEHIND:
            entry = max(0, self.now - (length >> 8))
        if not note:
            self.nest.add(depth, before, entry)
        return entry, self.now
