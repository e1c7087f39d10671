"""What gds.c does, in $TRACE: handles of cuFile are about the files of their descriptors, and their calls have those of the system inside."""

import os

from lib import calls, expect, expect_equal, file, function

refused, *registered = calls("cuFileHandleRegister")
expect_equal(refused["errno"], 5001, "the error of cuFile, without that of CUDA")
expect_equal([os.path.basename(call["args"]["descr"]) for call in registered], ["first", "second"], "files of the handles")

writes = calls("cuFileWrite")
expect_equal([call["args"]["file_offset"] for call in writes[:10]], [i * 4096 for i in range(10)], "offsets")
for call in writes[:10] + calls("cuFileRead")[:10]:
    expect_equal((os.path.basename(call["file"]), call["bytes"]), ("first", 4096), call["func"])
    inside = calls(parent=call["id"])
    expect_equal([below["func"] for below in inside], ["pwrite" if call in writes else "pread"], f"inside {call['func']}")
    expect_equal(inside[0]["file"], call["file"], "file of the call inside")
expect_equal((writes[10]["errno"], writes[10]["error"]), (14, "EFAULT"), "a write that failed with errno")
expect_equal(calls("cuFileRead")[10]["errno"], 5011, "a read that failed with an error of cuFile")
expect_equal((calls("cuFileWritev")[0]["args"]["iov"], calls("cuFileWritev")[0]["bytes"]), (150, 150), "a write of pieces")
late = calls("cuFileReadAsync")[0]["args"]
expect_equal([late[name] for name in ("size_p", "file_offset_p", "bufPtr_offset_p")], [20, 8, 1], "an asynchronous read")
expect_equal(calls("cuFileBatchIODestroy")[0]["args"]["batch_idp"], 0, "a batch")

# Bytes are counted once.
expect_equal(file("first")["bytes_written"], 40960, "bytes written")
expect_equal(function("cuFileWrite")["bytes_written"], 40960, "bytes of cuFileWrite")
expect(all(call["layer"] == "cufile" for call in calls("cuFileDriverOpen", "cuFileDriverClose_v2", "cuFileBufRegister")), "layers")
