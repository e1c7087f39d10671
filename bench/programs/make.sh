# make -j with a pipe of tokens between makes; some rules fail.
#: needs make gcc
#: package make gcc
#: unordered
prepare() {
    local i
    mkdir sub
    for i in $(seq 20); do
        printf 'int f%d(void) { return %d; }\n' "$i" "$i" >"f$i.c"
        printf 'int g%d(void) { return %d; }\n' "$i" "$i" >"sub/g$i.c"
    done
    printf 'all: parts sum\n.PHONY: parts sum\nparts: $(patsubst %%.c,%%.o,$(wildcard f*.c))\n\t+$(MAKE) -C sub\nsum: parts\n\tcat *.o sub/*.o | wc -c\n%%.o: %%.c\n\tgcc -c $< -o $@\n' >Makefile
    printf 'all: $(patsubst %%.c,%%.o,$(wildcard g*.c))\n%%.o: %%.c\n\tgcc -c $< -o $@\n' >sub/Makefile
    printf 'all: a b\na:\n\tfalse\nb:\n\ttouch b\n' >failing.mk
}
run() {
    make -j4
    make -j4
    make -k -j2 -f failing.mk || echo "failed with $?"
}
