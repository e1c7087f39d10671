"""Folders of profiles with something wrong in them, and what `workflow show` says."""

import json
import os
import subprocess

SECOND, START = 10**9, 1_700_000_000 * 10**9


def step(name, start, end, reads=(), writes=(), host="node", ended="exit 0", job=None):
    """A profile of one step; times in s. Files are read 1 s behind the start, and written 1 s before the end."""
    names = [*reads, *writes]
    begin, over = START + start * SECOND, START + end * SECOND
    read, write = begin + SECOND, over - SECOND
    uses = [[0, i, read, read, 10, 0, 10, None, None, 0, 0, 0, False, False, 0, read, None] for i in range(len(reads))]
    uses += [[0, len(reads) + i, None, None, 0, 0, 0, write, write, 10, 0, 10, True, False, 0, write, over] for i in range(len(writes))]
    facts = {"program": name, "command": name, "directory": "/", "host": host, "job": job, "ended": ended, "trace": f"{name}.fathom", "proc": 0, "script": None,
             "is_script": False, "start": begin, "end": over, "processes": 1, "ranks": 0, "calls": 2, "io": SECOND, "messages": 0, "waiting": 0, "other": 0,
             "own": (end - start - 1) * SECOND, "unknown": 0}
    return name, {"fathom_workflow_profile": 2, "processors": 2, "incomplete": False, "not_known": [], "steps": [facts], "files": names,
                  "processes": [[None, True, None, None]], "uses": uses, "changes": []}


def show(folder, *steps, jobs=None):
    """What is shown of these steps: (page, notes, pairs of programs with data between them)."""
    os.mkdir(folder)
    for name, profile in steps:
        with open(f"{folder}/{name}.json", "w") as file:
            json.dump(profile, file)
    if jobs:
        with open(f"{folder}/jobs.jobs", "w") as file:
            file.write(jobs)
    page = json.loads(subprocess.check_output([os.environ["FATHOM"], "workflow", "show", "--json", folder], timeout=20))
    subprocess.check_output([os.environ["FATHOM"], "workflow", "show", "--all", "--html", f"{folder}.html", folder], timeout=20)
    assert page["step_count"] == len(steps), page["step_count"]
    return page, " ".join(page["not_known"]), [(row["from_program"], row["to_program"]) for row in page["edges"] if row["kind"] == "data"]


# Without the step in the middle the others stand alone, and what it wrote comes from nowhere.
chain = step("first", 0, 10, writes=["/a"]), step("second", 20, 30, ["/a"], ["/b"]), step("third", 40, 50, ["/b"], ["/c"])
page, notes, edges = show("whole", *chain)
assert edges == [("first", "second"), ("second", "third")] and not notes, (edges, notes)
page, notes, edges = show("missing", chain[0], chain[2])
roles = {row["file"]: row["role"] for row in page["files"]}
assert edges == [] and "whether this is one workflow" in notes and roles == {"/a": "product", "/b": "input", "/c": "product"}, (edges, notes, roles)

# The batch system knows of a job without a trace that others wait for.
jobs = "JobID|JobName|State|Submit|Start|End\n1|one|COMPLETED|2023-11-14T22:13:20|2023-11-14T22:13:20|2023-11-14T22:13:30\n"
jobs = "JobId=1 JobName=one JobState=COMPLETED\nJobId=2 JobName=two JobState=COMPLETED Dependency=afterok:1\nJobId=3 JobName=three JobState=COMPLETED Dependency=afterok:2\n"
page, notes, edges = show("lost_job", step("first", 0, 10, writes=["/a"], job="Slurm job 1"), step("third", 40, 50, ["/b"], job="Slurm job 3"), jobs=jobs)
assert "what 1 job did, of which there are no traces: 2" in notes, notes

# The clock of the second node is 100 s behind: it read before that was written. So the writer comes behind it, as whoever replaces a file does.
page, notes, edges = show("clocks", step("first", 200, 210, writes=["/a"]), step("second", 120, 130, ["/a"], ["/b"], host="other"))
assert edges == [("second", "first")] and "the clocks differ" in notes and "/a" in notes, (edges, notes)

# The same command again, on the same file, behind one that failed; and one that was killed.
again = step("again", 40, 50, ["/a"], ["/b"])
again[1]["steps"][0]["command"] = again[1]["steps"][0]["program"] = "try"
tried = step("try", 20, 30, ["/a"], ["/b"], ended="exit 1")
page, notes, edges = show("retried", chain[0], tried, again, step("killed", 60, 70, ["/b"], ended="signal 9"))
found = {finding["kind"]: finding["text"] for finding in page["findings"]}
assert "2 steps did not end with exit status 0" in found["failed_steps"] and "work_done_again" not in found, found
assert ("try", "killed") in edges and page["graph"][-1]["failed"] == 1, (edges, page["graph"])

# Two workflows; the way through the one does not lead through the other.
others = [step(f"other{i}", 1000 + 20 * i, 1010 + 20 * i, [f"/x{i}"], [f"/x{i + 1}"]) for i in range(3)]
page, notes, edges = show("two", *chain, *others)
assert "joins 2 groups of steps" in notes and len(edges) == 4, (edges, notes)
# Each takes 30 s, one step behind the other.
assert page["by_data_alone"] == page["by_data_on_processors"] == 30, (page["by_data_alone"], page["by_data_on_processors"])
page_of_long, _, _ = show("long_first", step("long", 0, 500, writes=["/l"]), *others)
assert page_of_long["by_data_alone"] == 500, page_of_long["by_data_alone"]
programs = {row["step"]: row["program"] for row in page["steps"]}
assert {programs[row["step"]][:5] for row in page["critical_path"]} == {"other"}, page["critical_path"]
orders = {(programs[row["from"]], programs[row["to"]]) for row in page["edges"] if row["kind"] == "order"}
assert not any(one.startswith("other") != other.startswith("other") for one, other in orders), orders

# Two steps that read what the other one wrote; jobs that need each other; a step that ends before it begins.
one, other = step("one", 0, 100, ["/ping"], ["/pong"]), step("other", 0, 100, ["/pong"], ["/ping"])
for number, profile in enumerate((one[1], other[1])):
    for use in profile["uses"]:
        time = START + (50 + number) * SECOND
        use[2:4] = [None, None] if use[2] is None else [time, time]
        use[7:9] = [None, None] if use[7] is None else [START + 10 * SECOND, START + 10 * SECOND]
page, notes, edges = show("circle", one, other)
assert sorted(edges) == [("one", "other"), ("other", "one")], edges
assert all(row["order"] == "unseen" and row["enough"] is None for row in page["handovers"]), page["handovers"]
page, notes, edges = show("job_circle", step("first", 0, 10, writes=["/a"], job="Slurm job 1"), step("second", 20, 30, ["/a"], job="Slurm job 2"),
                          jobs="JobId=1 JobName=a Dependency=afterok:2\nJobId=2 JobName=b Dependency=afterok:1\n")
assert edges == [("first", "second")], edges
assert {(row["from"], row["to"]) for row in page["edges"] if row["kind"] == "scheduler"} == {(0, 1), (1, 0)}, page["edges"]
assert "wait for each other" in notes, notes
turned = step("turned", 20, 30)
turned[1]["steps"][0]["end"] = START
os.mkdir("turned")
for name, profile in (turned, *chain):
    json.dump(profile, open(f"turned/{name}.json", "w"))
page = json.loads(subprocess.check_output([os.environ["FATHOM"], "workflow", "show", "--json", "turned"]))
assert page["step_count"] == 3 and any("the end of a step is before its start" in note for note in page["not_known"]), page["not_known"]
