/* A pipe of packets: what a short read leaves of one is lost, so the second read is of the second
 * packet, which comes behind the write.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static int ends[2];

static void tell(const char *text)
{
    ssize_t length = (ssize_t)strlen(text);
    must(write(ends[1], text, (size_t)length) == length, "write");
}

static void hear(void)
{
    char byte;
    must(read(ends[0], &byte, 1) == 1, "read");
}

static void first(void)
{
    tell("xx");
    put(open_file("shared", 0), 0, 8);
    tell("y");
}

static void second(void)
{
    hear();
    hear();
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    must(pipe2(ends, O_DIRECT) == 0, "pipe2");
    pid_t children[] = {start(first), start(second)};
    for (size_t i = 0; i < sizeof children / sizeof *children; i++)
        wait_for(children[i]);
    return 0;
}
