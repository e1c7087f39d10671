"""What fake_cupti.c played, in $TRACE: TURNS times a copy, two kernels in two streams, a copy back. And the file of the program."""

import sys
from collections import Counter

from lib import calls, dump, expect, expect_equal, info

turns = int(sys.argv[1])
# Where a buffer ends between a call of the driver and the call of the runtime that made it, both are there.
halves = [call for call in calls("cuda_call") if call["args"]["name"] == "cuLaunchKernel"]
expect(len(halves) <= turns / 100, f"{len(halves)} calls of the driver")
cuda = [call for call in dump() if call["layer"] == "cuda" and call not in halves]
expect_equal(
    Counter(call["func"] for call in cuda),
    Counter(cuda_call=4 * turns + 2, cuda_kernel=2 * turns + 1, cuda_memcpy=2 * turns, cuda_memset=1, cuda_memcpy_peer=1, cuda_synchronize=1),
    "activities",
)

# Each stream of the device is a thread of its own, and so are the calls of CUDA that the program's thread makes.
kernels = calls("cuda_kernel")
expect_equal({call["args"]["stream"] for call in kernels}, {7, 13}, "streams")
by_thread = {(call["thread"], call["args"]["stream"]) for call in kernels + calls("cuda_memcpy")}
expect_equal(len(by_thread), 2, "threads of streams")
expect(all(call["tid"] < 0 for call in kernels), "a device has a thread of the system")
program = calls("open")[0]
expect_equal({call["tid"] for call in calls("cuda_call")}, {program["tid"]}, "who calls CUDA")

names = Counter(call["args"]["name"] for call in kernels)
expect_equal(names, Counter({"_Z5scaleIfEvPT_i": turns, "_ZN4grid4stepEPd": turns, "late": 1}), "kernels")
kernel = kernels[0]["args"]
expect_equal((kernel["grid"], kernel["block"], kernel["shared_bytes"]), ([64, 2, 1], [256, 1, 1], 1536), "a kernel")
expect_equal(sum(call["args"]["bytes"] for call in calls("cuda_memcpy") if call["names"]["kind"] == "host_to_device"), turns << 20, "bytes")

# A call of CUDA and what it launched have the same number, and the launch comes first. What the runtime calls in the driver is no call of its own.
launches = {call["args"]["correlation"]: call for call in cuda if call["func"] == "cuda_call"}
expect_equal(Counter(call["args"]["name"] for call in launches.values()),
             Counter(cudaMalloc=1, cudaMemcpy=2 * turns, cudaLaunchKernel=2 * turns + 1), "calls")  # fmt: skip
for call in kernels + calls("cuda_memcpy"):
    by = launches[call["args"]["correlation"]]
    expect(by["args"]["name"].startswith("cudaLaunchKernel" if call in kernels else "cudaMemcpy"), f"{call['id']} by {by['args']}")
    expect(halves or call["args"]["call"].startswith(by["args"]["name"]), f"{call['id']}: {call['args']['call']}")
    expect(by["start"] <= call["start"] and call["end"] - call["start"] > 5e-6, f"times of {call['id']}")
expect_equal(calls("cuda_call")[0]["errno"], 2, "an error of CUDA")

# Times are those of the program's clock: it all happened while the file was open.
closed = calls("close")[-1]
played = [call for call in cuda if call["args"].get("name") != "late"]
for call in played:
    expect(program["start"] <= call["start"] <= call["end"], f"{call['func']} at {call['start']}, the file at {program['start']}")
    expect(call["end"] <= closed["end"] + 0.01, f"{call['func']} ends at {call['end']}, the file at {closed['end']}")
spans = [(call["start"], call["end"]) for call in kernels if call["args"]["stream"] == 13]
expect(all(abs(end - start - 30e-6) < 3e-6 for start, end in spans), "kernels of 30 us")
expect(not info()["blind_spots"], f"blind spots: {info()['blind_spots']}")
