# Python's executors of threads and of processes.
#: needs python3
#: package python3
prepare() {
    cat >main.py <<'PY'
import concurrent.futures, os

def write(name):
    with open(name, "wb") as file:
        for i in range(100):
            file.write(bytes([i]) * 1000)
    with open(name, "rb") as file:
        return len(file.read())

def dies():
    os._exit(1)

if __name__ == "__main__":
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        print(sum(pool.map(write, [f"thread{i}" for i in range(50)])))
    with concurrent.futures.ProcessPoolExecutor(3) as pool:
        print(sum(pool.map(write, [f"process{i}" for i in range(50)])))
    try:
        with concurrent.futures.ProcessPoolExecutor(1) as pool:
            pool.submit(dies).result()
    except concurrent.futures.process.BrokenProcessPool as error:
        print(type(error).__name__)
PY
}
run() {
    "$PYTHON" main.py
}
