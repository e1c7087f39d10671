"""Each call of two batches, against what the library does."""

from lib import *

STEPS = 2000


def step_calls(number, step, opened):
    """What a step does: function, and what is known of it."""
    missing = step % 3 == 0
    name = f"nowhere/file.{number}.{step % 7}" if missing else f"file.{number}.{step % 7}"
    yield "open", name, -1 if missing else opened
    yield "pwrite", None if missing else name, step * 2654435761 % 1000003
    yield "pread", None if missing else name, 5
    if not missing:
        yield "close", name, None


def check_step(outer, inside, number, step):
    expect_equal((outer["args"]["number"], outer["args"]["step"]), (number, step), "the step's arguments")
    expect_equal(outer["ret"], step % 5, "the step's result")
    for call, (function, name, value) in zip(inside, step_calls(number, step, inside[0]["ret"]), strict=True):
        expect_equal(call["func"], function, f"function in step {step}")
        expect_equal(call.get("file"), name and f"{folder}/{name}", f"file of {function} in step {step}")
        if function == "open":
            expect((call["ret"] == -1) == (value == -1), f"what open returned in step {step}")
            expect((call.get("error") == "ENOENT") == (value == -1), f"the error of open in step {step}")
        elif value is not None:
            expect_equal(call["args"]["offset"], value, f"offset of {function} in step {step}")
        if name is None and function != "open":
            expect_equal(call.get("error"), "EBADF", f"the error of {function} in step {step}")


def number_of(call):
    return int(call["id"].split(".")[2])


folder = os.getcwd()
for number in range(2):
    run = next(call for call in calls("batch_run") if call["args"]["number"] == number)
    of_thread = sorted((call for call in dump() if call["thread"] == run["thread"]), key=lambda call: number_of(call))
    expect_equal([number_of(call) for call in of_thread], list(range(len(of_thread))), "numbers")
    starts = [call["start"] for call in of_thread]
    expect_equal(starts, sorted(starts), "starts")
    by_parent = {}
    for call in of_thread:
        by_parent.setdefault(call.get("parent"), []).append(call)
    steps = by_parent[run["id"]]
    expect_equal(len(steps), STEPS, "steps inside the batch")
    alone = [call for call in of_thread if call["func"] == "batch_step" and call.get("parent") is None]
    expect_equal(len(alone), 1, "a step that is in no batch")
    for step, outer in enumerate(steps + alone):
        check_step(outer, by_parent[outer["id"]], number, step)
