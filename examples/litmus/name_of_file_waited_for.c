/* The reader waits until the name of the file is there: that orders the creation, not the write
 * that comes after it.
 * posix: racy  commit: racy  session: racy  mpi-io: none
 * pairs: 1 */
#include "litmus.h"

static void first(void)
{
    usleep(100000);
    FILE *file = fopen("new", "w");
    must(file && fwrite(bytes, 1, 8, file) == 8 && fclose(file) == 0, "fwrite");
}

static void second(void)
{
    while (access("new", F_OK))
        usleep(1000);
    FILE *file = fopen("new", "r");
    must(file != NULL, "fopen");
    size_t read = fread(bytes, 1, 8, file);
    fclose(file);
    exit(read == 0 || read == 8 ? 0 : 1);
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
