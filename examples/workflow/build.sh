#!/usr/bin/env bash
# Builds a small program with make and runs it: compilers that write objects, an archive, a linker that reads them. In the current folder.
#     fathom record -o build.fathom -- bash build.sh
#     fathom workflow show build.fathom
set -euo pipefail
printf '#include <stdio.h>\nint one(void);\nint two(void);\nint main(void) { printf("%%d\\n", one() + two()); return 0; }\n' >hello.c
printf 'int one(void) { return 1; }\n' >one.c
printf 'int two(void) { return 2; }\n' >two.c
cat >Makefile <<'MAKE'
hello: hello.o libparts.a
	cc -o $@ hello.o -L. -lparts

libparts.a: one.o two.o
	ar rcs $@ one.o two.o

%.o: %.c
	cc -c -o $@ $<
MAKE
make -j 2
./hello >said.txt
