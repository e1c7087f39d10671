"""Two plug-ins in one program."""

from lib import *

expect_equal(len(calls("kv_put")), 200, "kv_put")
expect_equal([call["args"]["size"] for call in calls("kv_put")], [i * 7919 % 5 + 1 for i in range(200)], "sizes")
expect_equal(calls("two_make")[0]["args"]["name"], "thing", "name")
put = calls("two_put")[0]
expect_equal(put["args"]["numbers"], [1, 2, 3], "the list whose length the library was asked")
expect_equal(put["args"]["id"], calls("two_make")[0]["args"]["made"], "the handle")
where = calls("two_where")[0]["args"]
expect_equal((where["call"], where["real"]), (1, 2), "parameters that are called like variables of wrappers")
expect_equal(len(calls("two_length")), 0, "questions of our own are no calls")
expect_equal(function("two_free")["kind"], "close", "kind")
