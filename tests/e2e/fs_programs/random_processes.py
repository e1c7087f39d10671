"""Random calls of several processes, one at a time, on two folders: random_processes.py SEED STEPS FOLDER OTHER. Some share descriptors with
their parent, some open their own; what their calls answer, and what is in the files, must be the same. For models under which each write is seen."""
import mmap
import os
import random
import signal
import sys

draw = random.Random(int(sys.argv[1]))
steps, folders = int(sys.argv[2]), sys.argv[3:5]
NAMES = ["a", "b", "c"]
FLAGS = [os.O_RDWR | os.O_CREAT, os.O_RDWR | os.O_CREAT | os.O_APPEND, os.O_RDONLY, os.O_WRONLY | os.O_CREAT | os.O_TRUNC]
ticks = 0


def tick(*_):
    global ticks
    ticks += 1
    with open(folders[0] + "/ticks", "ab") as file:  # in a signal handler, as far as Python has any
        file.write(b".")


def one(call):
    try:
        return call()
    except OSError as error:
        return ("errno", error.errno)


def mapped(file):
    size = os.fstat(file).st_size
    return size and hash(bytes(mmap.mmap(file, size, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ)))


def contents(path):
    with open(path, "rb") as file:
        return file.read()


def act(files, which, random, name):
    """One call; `files` are the descriptors of the process in one of the folders."""
    folder = folders[which] + "/"
    kind, offset, size = random.randrange(17), random.choice([0, 1, 4096, 9999, random.randrange(70000)]), random.choice([1, 100, 5000, 30000])
    data, flags, place = bytes([random.randrange(1, 255)]) * size, random.choice(FLAGS), random.randrange(99)
    if kind < 3:
        return one(lambda: contents(folder + name))
    if kind == 3:
        return one(lambda: os.stat(folder + name).st_size)
    if kind == 4:
        return one(lambda: os.truncate(folder + name, offset))
    if kind == 5 and len(files) < 8 or not files:
        opened = one(lambda: os.open(folder + name, flags, 0o644))
        if isinstance(opened, int):
            files.append(opened)
            return "opened"
        return opened
    file = files[place % len(files)]
    if kind == 6:
        files.remove(file)
        return one(lambda: os.close(file))
    if kind == 7:
        files.append(os.dup(file))
        return "copied"
    if kind == 8:
        return one(lambda: os.ftruncate(file, offset))
    if kind == 9:
        return one(lambda: mapped(file))
    if kind == 10:
        return one(lambda: os.lseek(file, offset, random.choice([os.SEEK_SET, os.SEEK_END])))
    if kind == 11:
        return one(lambda: os.pread(file, size, offset))
    if kind == 12:
        return one(lambda: os.pwrite(file, data, offset))
    if kind == 13:
        return one(lambda: os.read(file, size))
    if kind == 14:
        return one(lambda: os.unlink(folder + name)) if place < 10 else one(lambda: os.fstat(file).st_size)
    return one(lambda: os.writev(file, [data, b"end"]))


def work(files, order, answer, number):
    signal.signal(signal.SIGALRM, tick)
    signal.setitimer(signal.ITIMER_REAL, 0.002, 0.002)
    while (line := os.read(order, 16)) != b"":
        answers = [act(files[which], which, random.Random(line), NAMES[line[0] % len(NAMES)]) for which in range(2)]
        if answers[0] != answers[1]:
            os.write(answer, f"process {number}: {answers[0]!r:.90} and {answers[1]!r:.90}".encode())
        os.write(answer, b"\n")
    os._exit(0)


def start(files, number):
    orders, answers = os.pipe(), os.pipe()
    if os.fork() == 0:
        os.close(orders[1])
        for other in workers:
            os.close(other[0])
        work(files, orders[0], answers[1], number)
    os.close(orders[0])
    os.close(answers[1])
    return orders[1], answers[0]


workers, mine = [], [[], []]
for step in range(steps):
    command = bytes(draw.randrange(256) for _ in range(16))
    if len(workers) < 4 and draw.randrange(20) == 0:
        workers.append(start(mine, len(workers)))
    chosen = draw.randrange(len(workers) + 1)
    if chosen == len(workers):
        answers = [act(mine[which], which, random.Random(command), NAMES[command[0] % len(NAMES)]) for which in range(2)]
        text = "" if answers[0] == answers[1] else f"the parent: {answers[0]!r:.90} and {answers[1]!r:.90}"
    else:
        os.write(workers[chosen][0], command)
        text = ""
        while not text.endswith("\n"):
            piece = os.read(workers[chosen][1], 4096)
            if not piece:
                sys.exit(f"seed {sys.argv[1]}, step {step}: process {chosen} has ended")
            text += piece.decode()
        text = text.strip()
    if text:
        sys.exit(f"seed {sys.argv[1]}, step {step}, {text}")
for order, answer in workers:
    os.close(order)
while True:
    try:
        if os.wait()[1]:
            sys.exit("a process failed")
    except ChildProcessError:
        break
