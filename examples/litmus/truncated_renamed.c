/* Who makes a file again that it has renamed away empties a new one: it removes nothing
 * that the other one may read. Whether the name orders the write and the read is not known.
 * posix: unknown  commit: unknown  session: unknown  mpi-io: none
 * pairs: 1 */
#include "litmus.h"

static void first(void)
{
    for (int i = 0; i < 3; i++) {
        usleep(i == 2 ? 400000 : 0);
        int file = open_file("part", O_CREAT | O_TRUNC);
        put(file, 0, 8);
        close(file);
        must(rename("part", "new") == 0, "rename");
    }
}

static void second(void)
{
    usleep(200000);
    int file = open_file("new", 0);
    get(file, 0, 8);
    close(file);
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
