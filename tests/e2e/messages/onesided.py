"""onesided.py NAME...: traces of few accesses, many.fathom and more.fathom. One-sided accesses are kept only for the page, which has the same numbers as the report without them; and the report of many takes little memory."""

import base64
import gzip
import re
import resource
import sys

from lib import *


def page_report(path):
    with open(path) as page:
        part = re.search(r'data-report"[^>]*>([^<]*)<', page.read())[1]
    return json.loads(gzip.decompress(base64.b64decode(part)))


def peak(trace):
    """KiB that the report takes at most."""
    child = subprocess.Popen([os.environ["FATHOM"], "report", "--json", trace], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    expect_equal(status, 0, f"report of {trace}")
    return usage.ru_maxrss


def main():
    few = [name + ".fathom" for name in sys.argv[1:]]
    for trace in few + ["many.fathom"]:
        report, shown = json.loads(fathom("report", "--json", trace)), page_report(trace.replace(".fathom", ".html"))
        expect("intervals" in report["tables"] and "what_if" in report["tables"], f"{trace}: tables {list(report['tables'])}")
        for name in report["tables"]:
            expect_equal(shown["tables"].get(name), report["tables"][name], f"{trace}: {name} in the page")
        expect_equal(shown["findings"], report["findings"], f"{trace}: findings in the page")
    least, most = peak(few[0]), peak("more.fathom")
    expect(most < least + 12 * 1024, f"the report of 500,000 accesses takes {most} KiB, that of a few {least} KiB")


main()
