from lib import *

everyone = {process["proc"]: process for process in info()["processes"]}
root = info()["processes"][0]


def writer(name):
    """The process that wrote the file of this name."""
    found = {call["proc"] for call in outermost(calls(kind="write")) if (call["file"] or "").endswith("/work/" + name)}
    expect_equal(len(found), 1, f"processes that wrote {name}")
    return everyone[found.pop()]


def ancestors(process):
    while process["parent_proc"] is not None:
        process = everyone[process["parent_proc"]]
        yield process["proc"]


for name in ("fork", "grandchild", "before-exec", "execl", "vfork", "execvpe", "posix_spawn", "system", "popen", "parent"):
    expect_equal(file("work/" + name)["bytes_written"] > 0, True, f"{name} was written")
expect_equal(writer("parent")["proc"], root["proc"], "the parent is the first process")
for name in ("fork", "before-exec", "vfork", "posix_spawn"):
    expect_equal(writer(name)["parent_proc"], root["proc"], f"parent of {name}")
expect_equal(writer("execl")["parent_proc"], writer("before-exec")["proc"], "the image before execl")
expect_equal(writer("execl")["pid"], writer("before-exec")["pid"], "execl keeps the process id")
expect_equal(writer("before-exec")["how_ended"], "exec", "how the image before execl ended")
expect(root["proc"] in ancestors(writer("grandchild")), "the grandchild descends from the first process")
expect(len(list(ancestors(writer("grandchild")))) == 2, "the grandchild has two ancestors")
expect(all(root["proc"] in ancestors(process) for process in processes("cat")), "popen's cat descends from the first process")
