"""page.py PAGE TEMPLATE PROGRAM: rows of a page are the template on the left and the program on the right, byte for byte; it loads nothing."""
import html
import re
import sys

page, template, program = (open(path).read() for path in sys.argv[1:])
rows = re.findall(r'<tr class="(\w+)"><td><pre>\n(.*?)</pre></td><td><pre>\n(.*?)</pre></td></tr>', page, re.S)
assert html.unescape("".join(left for _, left, _ in rows)) == template
assert html.unescape("".join(right for _, _, right in rows)) == program
for kind, left, right in rows:
    assert kind == "generated" or left == right.replace("  use fathom_io\n", ""), left
assert "default-src 'none'" in page and not re.search(r'\b(src|href)=', page)
