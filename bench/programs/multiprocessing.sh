# Python's multiprocessing, by each way to start a process: a pool, a queue, shared memory, a child that fails.
#: each fork spawn forkserver
#: needs python3
#: package python3
prepare() {
    cat >main.py <<'PY'
import multiprocessing, os, sys

def square(i):
    with open(f"part{i}", "w") as file:
        file.write("x" * i)
    return i * i

def fill(queue, shared):
    for i in range(10):
        queue.put(i)
        shared[i] = i * 3

def fails():
    sys.exit(7)

if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    with multiprocessing.Pool(3) as pool:
        print(sum(pool.map(square, range(200))))
    queue, shared = multiprocessing.Queue(), multiprocessing.Array("i", 10)
    child = multiprocessing.Process(target=fill, args=(queue, shared))
    child.start()
    print([queue.get() for _ in range(10)])
    child.join()
    print(list(shared), child.exitcode)
    failing = multiprocessing.Process(target=fails)
    failing.start()
    failing.join()
    print(failing.exitcode)
    with multiprocessing.Manager() as manager:
        common = manager.dict()
        common["a"] = 1
        print(dict(common))
PY
}
run() {
    "$PYTHON" main.py "$VARIANT"
}
