/* Preloaded: on the node called `second`, clocks are ahead of those of the first one, or behind. A
 * process belongs to the node on which it was started. */
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *time)
{
    static int second = -1;
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    if (second < 0) {
        struct utsname node;
        second = uname(&node) == 0 && strcmp(node.nodename, "second") == 0;
    }
    if (result == 0 && second && clock == CLOCK_MONOTONIC)
        time->tv_sec += 1000;
    if (result == 0 && second && clock == CLOCK_REALTIME)
        time->tv_sec += SKEW;
    return result;
}
