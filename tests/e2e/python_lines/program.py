"""Makes calls in many ways. For each that Python announces by an audit event it writes down which line Python itself says it is at:
expected.json has, for each path, the texts in order. An argument names a module to import that makes calls for this one."""

import bz2
import gzip
import importlib
import json
import os
import shutil
import sys
import threading
import time

EXPECTED = {}
RECORDED = {"open", "os.mkdir", "os.rmdir", "os.remove", "os.rename", "os.truncate", "os.chmod", "os.link", "os.symlink"}
LIBRARIES = ("/lib/python3", "/lib64/python3", "/site-packages/", "/dist-packages/")


def is_librarys(file):
    return file.startswith("<frozen ") or any(folder in file for folder in LIBRARIES)


def spot(frame):
    code = frame.f_code
    parts = code.co_filename.split("/")
    file = "/".join(parts[-2:]) if parts[-1] in ("__init__.py", "__main__.py") else parts[-1]
    return f"{file}:{frame.f_lineno} {getattr(code, 'co_qualname', code.co_name)}"


def where(frame):
    while frame.f_code.co_filename.startswith(("<frozen importlib", "<frozen zipimport")):
        frame = frame.f_back
    text = spot(frame)
    if is_librarys(frame.f_code.co_filename):
        while frame and is_librarys(frame.f_code.co_filename):
            frame = frame.f_back
        if frame:
            text += ", from " + spot(frame)
    return text


def note(event, arguments):
    if event in RECORDED and isinstance(arguments[0], (str, os.PathLike)):
        path = os.fspath(arguments[0])
        if os.path.basename(path).startswith("t_"):
            EXPECTED.setdefault(path, []).append(where(sys._getframe(1)))


def generate():
    for i in range(3):
        os.mkdir(f"t_generated{i}")
        yield i
        os.rmdir(f"t_generated{i}")


def decorate(function):
    def inner(*arguments):
        os.mkdir("t_decorated")
        return function(*arguments)

    return inner


class Box:
    @decorate
    def method(self):
        os.rmdir("t_decorated")

    @property
    def property(self):
        return (
            os.mkdir(
                "t_property"
            )
        )

    def __del__(self):
        os.mkdir("t_deleted")


def make_again():
    # code comes to where other code was, with other lines in the same function of the same file
    for i in range(200):
        space = {}
        text = "\n" * (i * 7 % 13) + f"import os\ndef made():\n{chr(10) * (i * 5 % 11)}    os.mkdir('t_again{i % 10}')\n    os.rmdir('t_again{i % 10}')\n"
        exec(compile(text, "again%d.py" % (i * 3 % 4), "exec"), space)
        space["made"]()
        del space


def make_long():
    # one body, and the same with other lines in its middle
    for shift in range(3):
        lines = ["import os"] + [f"x{i} = [{i}, {i}]" for i in range(500)]
        lines[100:100] = [""] * shift
        lines[400:400] = [""] * (2 - shift)
        lines[300] = "os.mkdir('t_long')"
        lines += ["os.rmdir('t_long')"]
        exec(compile("\n".join(lines), "long.py", "exec"))


def names():
    exec(compile("import os\ndef größe():\n  os.mkdir('t_names')\ngröße()", "ordner/日本.py", "exec"))
    exec(compile("import os\n\nos.rmdir('t_names')", "\U0001f40d.py", "exec"))


def work(path, deep):
    if deep:
        return work(path, deep - 1)
    for _ in range(50):
        os.mkdir(path)
        time.sleep(0)
        os.rmdir(path)


def threads():
    started = [threading.Thread(target=work, args=(f"t_thread{i}", 30 * i)) for i in range(4)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()


def fork():
    child = os.fork()
    if not child:
        os.mkdir("t_child")
        os.rmdir("t_child")
        os._exit(0)
    EXPECTED["t_child"] = [f"program.py:{fork.__code__.co_firstlineno + line} fork" for line in (3, 4)]
    os.waitpid(child, 0)


def read_and_write():
    with open("t_data", "wb", buffering=0) as file:
        file.write(b"x" * 1000)  # line: write
    descriptor = os.open("t_data", os.O_RDONLY)
    os.pread(descriptor, 10, 5)  # line: pread
    os.close(descriptor)
    try:
        os.stat("t_missing")  # line: stat
    except OSError:
        pass


def libraries():
    with gzip.open("t_gzip", "wb") as file:
        file.write(b"data")
    bz2.open("t_bz2", "wb").close()
    shutil.copy("t_gzip", "t_copy")
    os.makedirs("t_a/t_b/t_c")
    shutil.rmtree("t_a")


sys.addaudithook(note)
for _ in generate():
    pass
for name in [(os.mkdir(f"t_list{i}"), os.rmdir(f"t_list{i}")) for i in range(2)]: pass
(lambda: os.mkdir("t_lambda"))()
box = Box()
box.method()
box.property
del box
make_again()
make_long()
names()
threads()
fork()
read_and_write()
libraries()
if len(sys.argv) > 1:
    importlib.import_module(sys.argv[1]).run()
with open("expected.json", "w") as file:
    json.dump(EXPECTED, file)
