/* stdio: one opens the file by another name that it had before the run (nobody sees it made here).
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/syscall.h>

static void use(const char *name)
{
    FILE *file = fopen(name, "r+");
    must(file && fwrite(bytes, 1, 8, file) == 8 && fclose(file) == 0, name);
}

static void first(void)
{
    use("shared");
}

static void second(void)
{
    use("second");
}

int main(void)
{
    must(syscall(SYS_linkat, AT_FDCWD, "shared", AT_FDCWD, "second", 0) == 0, "link");
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
