from lib import *

everyone = {process["proc"]: process for process in info()["processes"]}


def write_of(name):
    return [call for call in calls("write") if (call["file"] or "").endswith("/" + name)][0]


for number in range(3):
    child, parent = write_of(f"child{number}"), write_of(f"parent{number}")
    process = everyone[child["proc"]]
    expect(process["start"] < parent["start"], f"the child that writes child{number} starts when it was forked")
    expect(child["start"] > parent["start"], f"child{number} is written later")
    expect(process["end"] >= child["end"], f"the child that writes child{number} lasts until its end")
