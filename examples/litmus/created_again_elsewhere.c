/* What was deleted is gone: a file that is made then, maybe in its place on the disk, is another
 * one, though it has two names.
 * posix: none  commit: none  session: none  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    int file = open_file("a", O_CREAT);
    must(link("a", "b") == 0, "link");
    close(file);
    file = open_file("b", 0);
    put(file, 0, 8);
    close(file);
    must(unlink("a") == 0 && unlink("b") == 0, "unlink");
    make_name("done");
}

static void second(void)
{
    wait_for_name("done");
    close(open_file("c", O_CREAT));
    must(link("c", "d") == 0, "link");
    put(open_file("d", 0), 4, 12);
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
