/* One makes bytes zeros by ioctl, where the other one reads.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/ioctl.h>

struct space {
    short type, whence;
    long start, length;
    int more[6];
};

static void first(void)
{
    struct space space = {.whence = SEEK_END, .start = -2048, .length = 1024};
    must(!ioctl(open_file("shared", 0), _IOW('X', 57, struct space), &space), "FS_IOC_ZERO_RANGE");
}

static void second(void)
{
    get(open_file("shared", 0), 2048, 2056);
}

int main(void)
{
    pid_t one = start(first), other = start(second);
    wait_for(one);
    wait_for(other);
    return 0;
}
