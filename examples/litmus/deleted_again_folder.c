/* A deleted file is opened again by its number in the folder of descriptors.
 * posix: racy  commit: racy  session: racy  mpi-io: none
 * pairs: 1 */
#include "litmus.h"

static void first(void)
{
    int file = open_file("shared", 0);
    make_name("opened");
    wait_for_name("written");
    put(file, 0, 8);
}

static void second(void)
{
    char path[64];
    wait_for_name("opened");
    int file = open_file("shared", 0);
    must(unlink("shared") == 0, "unlink");
    int folder = open("/proc/self/fd", O_RDONLY | O_DIRECTORY);
    must(folder >= 0, "open");
    snprintf(path, sizeof path, "%d", file);
    file = openat(folder, path, O_RDWR);
    must(file >= 0, "openat");
    put(file, 4, 12);
    make_name("written");
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
