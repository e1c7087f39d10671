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


for name in ("fork", "grandchild", "before-exec", "execl", "vfork", "execvpe", "posix_spawn", "system", "popen", "parent", "_Fork", "clone", "clone-waits", "clone-borrows", "forkpty", "login_tty"):
    expect_equal(file("work/" + name)["bytes_written"] > 0, True, f"{name} was written")
expect_equal(writer("parent")["proc"], root["proc"], "the parent is the first process")
for name in ("fork", "before-exec", "vfork", "posix_spawn", "_Fork", "clone", "clone-waits", "clone-borrows", "forkpty", "login_tty"):
    expect_equal(writer(name)["parent_proc"], root["proc"], f"parent of {name}")
expect_equal(writer("execl")["parent_proc"], writer("before-exec")["proc"], "the image before execl")
expect_equal(writer("execl")["pid"], writer("before-exec")["pid"], "execl keeps the process id")
expect_equal(writer("before-exec")["how_ended"], "exec", "how the image before execl ended")
expect(root["proc"] in ancestors(writer("grandchild")), "the grandchild descends from the first process")
expect(len(list(ancestors(writer("grandchild")))) == 2, "the grandchild has two ancestors")
expect(all(root["proc"] in ancestors(process) for process in processes("cat")), "popen's cat descends from the first process")

# Each call that makes a process has its child's number; what a child does in its parent's memory is not taken for the parent's.
expect_equal([process["how_ended"] for process in everyone.values() if process["how_ended"] not in ("exit 0", "exec")], [], "how processes ended")
expect_equal(info()["blind_spots"], [], "blind spots")
for way in ("clone", "clone-waits", "clone-borrows"):
    expect(any(call["ret"] == writer(way)["pid"] for call in calls("clone", proc=root["proc"])), f"no call made the child of {way}")
made, = calls("forkpty")
fork, = [call for call in calls("fork") if call["parent"] == made["id"]]
expect_equal([made["ret"], fork["ret"]], [writer("forkpty")["pid"]] * 2, "the child of forkpty")
expect_equal([call["ret"] for call in calls("login_tty")].count(0), 2, "calls of login_tty that succeed")
expect(not any((call["file"] or "").endswith("/borrowed") for call in dump()), "calls in borrowed memory are taken for the parent's")
