/* A pipe of packets: the second read is of the second packet, though bytes of the first one, which
 * comes behind the write, were left.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
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
    put(open_file("shared", 0), 0, 8);
    tell("xx");
    make_name("sent");
}

static void second(void)
{
    wait_for_name("sent");
    tell("y");
}

static void third(void)
{
    wait_for_name("sent");
    hear();
    make_name("heard");
}

static void fourth(void)
{
    wait_for_name("heard");
    hear();
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    must(pipe2(ends, O_DIRECT) == 0, "pipe2");
    pid_t children[] = {start(first), start(second), start(third), start(fourth)};
    for (size_t i = 0; i < sizeof children / sizeof *children; i++)
        wait_for(children[i]);
    return 0;
}
