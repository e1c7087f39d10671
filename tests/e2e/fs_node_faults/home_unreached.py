"""Files whose home may not be reached while another block of them gets its first bytes: write | check.
write: opens them; behind a line of standard input the first bytes, with the errors of that; behind another one further bytes of the same block."""
import os, sys, threading

AT = 100 << 20
FILES = range(12)

def write(number, at, data):
    try:
        os.pwrite(files[number], data, at)
        os.fsync(files[number])
    except OSError as error:
        print(number, error.strerror, flush=True)

def write_all(at, data):
    threads = [threading.Thread(target=write, args=(number, at, data)) for number in FILES]
    for thread in threads: thread.start()
    for thread in threads: thread.join()

if sys.argv[1] == "write":
    files = [os.open(f"below/blocks.{number}", os.O_RDWR | os.O_CREAT) for number in FILES]
    print("open", flush=True)
    sys.stdin.readline()
    write_all(AT, b"first")
    print("first", flush=True)
    sys.stdin.readline()
    write_all(AT + 10, b"later")
else:
    for number in FILES:
        size = os.stat(f"below/blocks.{number}").st_size
        assert size == AT + 15, (number, size)
        with open(f"below/blocks.{number}", "rb") as file:
            file.seek(AT + 10)
            assert file.read() == b"later", number
