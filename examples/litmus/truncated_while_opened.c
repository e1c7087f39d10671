/* The writer waits for the name, which nobody else makes: the file was empty when it was emptied,
 * and the two write to different bytes.
 * posix: none  commit: none  session: none  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    must(access("new", F_OK) != 0, "access");
    int file = open_file("new", O_CREAT | O_TRUNC);
    put(file, 0, 8);
    close(file);
}

static void second(void)
{
    wait_for_name("new");
    int file = open_file("new", 0);
    put(file, 8, 16);
    close(file);
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
