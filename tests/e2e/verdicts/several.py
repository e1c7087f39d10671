"""several.py WAY: two processes write the same bytes, or one reads what the other one has written, in an order that WAY of multiprocessing makes."""
import multiprocessing
import os
import sys
import time

PATH = "several.out"


def write():
    file = os.open(PATH, os.O_WRONLY)
    os.pwrite(file, b"abcdefgh", 0)
    os.close(file)


def write_late():
    """The second one is made before the first one ends: who makes a process waits for those that are over."""
    time.sleep(0.2)
    write()


def take_turns(lock):
    for _ in range(3):
        with lock:
            write()


def write_and_tell(tell):
    write()
    tell()


def write_a_part(part):
    file = os.open(PATH, os.O_WRONLY)
    os.pwrite(file, b"abcdefgh", 8 * part)
    os.close(file)


def read():
    with open(PATH, "rb") as file:
        print(len(file.read()))


def run(*processes):
    for process in processes:
        process.start()
    for process in processes:
        process.join()


def main(way):
    make = multiprocessing.get_context("fork")
    with open(PATH, "wb") as file:
        file.write(bytes(64))
    if way == "lock":
        lock = make.Lock()
        run(*(make.Process(target=take_turns, args=(lock,)) for _ in range(2)))
    elif way == "none":
        run(*(make.Process(target=write_late) for _ in range(2)))
    elif way == "pool":
        with make.Pool(2) as pool:
            pool.map(write_a_part, range(8))
            pool.close()
            pool.join()
        read()
    else:
        queue, event, (there, here) = make.SimpleQueue(), make.Event(), make.Pipe()
        tell = {"simple": lambda: queue.put(1), "event": event.set, "pipe": lambda: here.send(1)}[way]
        receive = {"simple": queue.get, "event": event.wait, "pipe": there.recv}[way]
        process = make.Process(target=write_and_tell, args=(tell,))
        process.start()
        receive()
        read()
        process.join()


main(sys.argv[1])
