/* Two files change names, so no name is missing: the file is emptied.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void prepare(void)
{
    must(renameat2(AT_FDCWD, "shared", AT_FDCWD, "other", RENAME_EXCHANGE) == 0, "renameat2");
}

static void first(void)
{
    close(open_file("shared", O_CREAT | O_TRUNC));
}

static void second(void)
{
    int file = open_file("shared", 0);
    usleep(100000);
    must(pread(file, bytes, 8, 0) >= 0, "pread");
    close(file);
}

int main(void)
{
    prepare();
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
