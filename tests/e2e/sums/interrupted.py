from lib import *

inside = [call for call in calls("write") if call["depth"] > 0]
expect(len(inside) >= 40, "the handler's calls are inside of the read that it interrupts")
expect_equal(file("log")["bytes_written"], 5 + 40 * 7, "bytes of the file")
expect_equal(file("stream")["bytes_written"], 8, "bytes of the stream's file")
posix = [row for row in stats()["layers"] if row["layer"] == "posix"][0]
expect_equal(posix["bytes_written"], 5 + 40 * 7 + 8 + 2, "bytes of the layer")
