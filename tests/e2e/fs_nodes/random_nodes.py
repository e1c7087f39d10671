"""Random calls of processes on several nodes, one at a time, on files of the file system and on others of the coordinator: random_nodes.py SEED STEPS
FOLDER OTHER NODE... What calls answer, and what is in the files, must be the same. NODE is a command that runs another one there. With `sessions`
in the environment, each call is in a session of its own, else files stay open; with `names`, they keep their names: a server that is killed finds
no file again that has no name and is still open. With `lose_at`, the command `lose` is run at that step, and the last node does nothing more."""
import os
import random
import subprocess
import sys

MIB = 1 << 20
NAMES = ["a", "b", "c"]
PLACES = [0, 1, 4096, 9999, 100000, 64 * MIB - 3, 64 * MIB, 130 * MIB + 5, 200 * MIB]


def one(call):
    try:
        return call()
    except OSError as error:
        return ("errno", error.errno)


class Process:
    """What one process has open, in one folder."""

    def __init__(self, folder, sessions):
        self.folder, self.sessions, self.files = folder + "/", sessions, {}

    def file(self, name, flags):
        key = (name, flags & os.O_APPEND)
        if key not in self.files:
            self.files[key] = os.open(self.folder + name, flags | os.O_CREAT, 0o644)
        return self.files[key]

    def close(self, name):
        for key in [key for key in self.files if key[0] == name]:
            os.close(self.files.pop(key))

    def act(self, command):
        draw = random.Random(command)
        name, other, kind = draw.choice(NAMES), draw.choice(NAMES), draw.randrange(14)
        offset, size = draw.choice(PLACES), draw.choice([1, 100, 5000, 70000])
        data = bytes([draw.randrange(1, 255)]) * size
        answer = one(lambda: self.call(kind, name, other, offset, size, data))
        if self.sessions:
            for file in NAMES:
                self.close(file)
        return answer

    def call(self, kind, name, other, offset, size, data):
        path = self.folder + name
        if kind < 4:
            return os.pwrite(self.file(name, os.O_RDWR), data, offset)
        if kind == 4:
            return os.write(self.file(name, os.O_RDWR | os.O_APPEND), data[:5000])
        if kind == 5:
            return os.stat(path).st_size
        if kind == 6:
            return os.fstat(self.file(name, os.O_RDWR)).st_size
        if kind == 7:
            return os.ftruncate(self.file(name, os.O_RDWR), offset + size)
        if kind in (8, 9) and "names" in os.environ:
            return os.stat(path).st_size
        if kind == 8 and size == 1:
            self.close(name)
            return os.rename(path, self.folder + other)
        if kind == 9 and size == 1:
            self.close(name)
            return os.unlink(path)
        if kind == 10:
            return self.close(name)
        if kind == 11:
            return os.truncate(path, offset)
        return hash(os.pread(self.file(name, os.O_RDWR), size + 10, max(offset - 5, 0)))


def serve(folder, sessions):
    process = Process(folder, sessions)
    for line in sys.stdin:
        print(repr(process.act(line.strip())), flush=True)


def main():
    steps, (folder, other) = int(sys.argv[2]), sys.argv[3:5]
    draw, sessions = random.Random(int(sys.argv[1])), "sessions" in os.environ
    os.environ["PYTHONHASHSEED"] = "0"
    workers = [subprocess.Popen(f"{node} {sys.executable} {__file__} serve {folder}", shell=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
               for node in sys.argv[5:] for _ in range(2)]
    twins = [subprocess.Popen([sys.executable, __file__, "serve", other], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in workers]
    lost = 0
    for step in range(steps):
        if step == int(os.environ.get("lose_at", -1)):
            subprocess.run(os.environ["lose"], shell=True, check=True)
            lost = 2
        command, chosen = str(draw.randrange(1 << 60)), draw.randrange(len(workers) - lost)
        answers = []
        for process in (workers[chosen], twins[chosen]):
            process.stdin.write(command + "\n")
            process.stdin.flush()
            answers.append(process.stdout.readline())
        if answers[0] != answers[1] or not answers[0]:
            sys.exit(f"seed {sys.argv[1]}, step {step}, process {chosen}: {answers[0]!r:.90} and {answers[1]!r:.90}, {command}")
    for process in workers[: len(workers) - lost] + twins:
        process.stdin.close()
        if process.wait():
            sys.exit("a process failed")


if sys.argv[1] == "serve":
    serve(sys.argv[2], "sessions" in os.environ)
else:
    main()
