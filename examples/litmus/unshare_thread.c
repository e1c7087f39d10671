/* A thread has descriptors of its own, and puts another file where the one of the process was: what
 * the process writes there goes to the first one.
 * posix: seen  commit: seen  session: seen  mpi-io: seen */
#include "litmus.h"

#include <pthread.h>
#include <sched.h>

static int opened;

static void *thread(void *unused)
{
    must(!unshare(CLONE_FILES), "unshare");
    must(dup2(open_file("other", 0), opened) == opened, "dup2");
    return unused;
}

static void first(void)
{
    pthread_t other;
    opened = open_file("shared", 0);
    must(!pthread_create(&other, NULL, thread, NULL), "thread");
    pthread_join(other, NULL);
    put(opened, 0, 8);
}

static void second(void)
{
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    pid_t one = start(first), other = start(second);
    wait_for(one);
    wait_for(other);
    return 0;
}
