import threading
from fathom.mark import counter, region


@region
def write():
    with open("python", "w") as file:
        file.write("text")


@region("by name")
def fail():
    raise ValueError("no")


def in_thread():
    with region("thread"):
        counter("big", 2**70)


with region("whole"):
    write()
    try:
        fail()
    except ValueError:
        counter("caught", 1.5)
    thread = threading.Thread(target=in_thread)
    thread.start()
    thread.join()
print(write.__name__)
