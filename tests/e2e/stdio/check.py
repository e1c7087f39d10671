"""What stdio.c moved, per function and per file."""

from lib import *

text, records = file("work/text"), file("work/records")
expect_equal(text["bytes_written"], 16 + 12 + 11, "bytes written to text")
expect_equal(text["opens"], 2, "opens of text")
expect_equal(records["bytes_written"], 100 * 64, "bytes written to records")
expect_equal(records["bytes_read"], 100 * 64, "bytes read from records, with those before the place where the program began")
expect_equal(function("fread")["bytes_read"], 99 * 64, "bytes read by fread")

expect_equal([call["ret"] for call in calls("fwrite")], [8] * 100, "results of fwrite")
expect_equal([call["ret"] for call in calls("fread")], [99], "result of fread")
expect_equal(len(calls("fopen")), 3, "calls to fopen")
expect_equal(len(calls("fclose")), 3, "calls to fclose")
expect_equal(calls("fopen")[0]["args"]["path"], "text", "name")
expect(function("fwrite")["layer"] == "stdio", "fwrite is of the layer stdio")
expect_equal(function("fgets")["bytes_read"], 16, "bytes read by fgets")
expect_equal(function("getline")["bytes_read"], 11, "bytes read by getline")
expect_equal(function("fputs")["bytes_written"], 12, "bytes written by fputs")
