"""Looks for a schedule of two racy accesses by holding calls back, where random delays have shown none: each of the two waits in turn until the other one could have
come long ago, and so does the call behind the first one that publishes it."""
import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
HELD_MS = 400


def own_calls(process, function, calls):
    """What the program itself called, in order."""
    return [call for call in calls if call["proc"] == process and call["parent"] is None and call["func"] == function]


def number_of(call, calls):
    """As HELD in held.c has it; None: held.c does not know its rank."""
    if call is None or call["rank"] is None:
        return None
    same = own_calls(call["proc"], call["func"], calls)
    return call["rank"], call["func"], next(i for i, other in enumerate(same) if other["id"] == call["id"])


def call_of(access, calls):
    """What the program called, also where the access goes on behind it; None: it is not known which call it is."""
    began = [call for call in own_calls(access["proc"], access["chain"][0], calls) if call["start"] <= access["start"]]
    is_inside = began and (access["start"] <= began[-1]["end"])
    return began[-1] if is_inside else None


def publishing(access, calls):
    """The first call behind a write that may publish it; None: there is none."""
    behind = [call for call in calls if call["proc"] == access["proc"] and call["parent"] is None and call["start"] >= access["end"]
              and (call["kind"] in ("close", "sync") or call["func"] == "MPI_Finalize")]
    return min(behind, key=lambda call: call["start"], default=None)


def build(name, source, compiler, functions):
    """A program in which calls of these functions can be held."""
    defined = [f"-D{which}={function}" for which, function in zip(("FIRST", "SECOND"), sorted(functions))]
    wraps = [f"-Wl,--wrap={function}" for function in functions]
    subprocess.run(["cc", "-std=gnu17", "-c", "-o", name + ".held.o", *defined, os.path.join(HERE, "held.c")], check=True)
    subprocess.run([compiler[0], "-std=gnu17", "-O0", "-o", name, source, name + ".held.o", *wraps, *compiler[1:], "-lpthread"], check=True)
    os.remove(name + ".held.o")


def held(name, run, held_call, seen_call):
    """(what `run` says, [(what, begin, end)]) of a run in which the one waits."""
    log = os.path.abspath(name + ".held")
    if os.path.exists(log):
        os.remove(log)
    text = lambda call: "{} {} {}".format(*call)
    found = run({"HELD": text(held_call), "SEEN": text(seen_call), "HELD_MS": str(HELD_MS), "HELD_LOG": log})
    times = []
    if os.path.exists(log):
        with open(log) as file:
            times = [(what, float(begin), float(end)) for what, begin, end in map(str.split, file)]
        os.remove(log)
    return found, times


def is_first(which, times):
    """Did all calls of this one end before the other one began? None: one of them was not made."""
    one, other = [time for time in times if time[0] == which], [time for time in times if time[0] != which]
    return max(end for _, _, end in one) <= min(begin for _, begin, _ in other) if one and other else None


def of_pair(name, group, calls, run, run_plain, plain, build_it):
    """True: other bytes are seen when one of them waits than `plain`, or than on a plain folder in the same order. Else what that has shown: "waits": the second one comes behind the first, however late
    that is; "published": behind the call that publishes the first one as well; "both": either order, with the same bytes; or None."""
    first, second, publisher = (number_of(call, calls) for call in (call_of(group["first"], calls), call_of(group["second"], calls), publishing(group["first"], calls)))
    if not first or not second:
        return None
    orders = []
    for late, other in ((first, second), (second, first), (publisher, second)):
        if not late or late == other:
            continue
        build_it({late[1], other[1]})
        found, times = held(name, run, late, other)
        expected, times_there = held(name, run_plain, late, other)
        is_same_order = is_first("held", times) is is_first("held", times_there)
        if found != plain or (is_same_order and found != expected):
            return True
        orders.append(is_first("held", times) if is_same_order else None)
    if orders[:2] == [True, False]:
        return "published" if publisher and publisher != first and orders[2:] == [True] else "waits"
    return "both" if orders[:2] == [False, False] else None
