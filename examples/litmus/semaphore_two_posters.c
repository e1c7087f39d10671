/* Two processes have added to a named semaphore, in no order, and the reader takes once: that may
 * be of the one or of the other.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "semaphores.h"

static void first(void)
{
    put(open_file("shared", 0), 0, 8);
    add(open_semaphore(0));
    make_name("one");
}

static void third(void)
{
    add(open_semaphore(0));
    make_name("another");
}

static void second(void)
{
    sem_t *semaphore = open_semaphore(0);
    wait_for_name("one");
    wait_for_name("another");
    take(semaphore);
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    name_semaphore();
    pid_t children[] = {start(first), start(second), start(third)};
    for (int i = 0; i < 3; i++)
        wait_for(children[i]);
    sem_unlink(name);
    return 0;
}
