/* A signal (F_NOTIFY) tells the reader that a name was made in a folder.
 * posix: unknown  commit: unknown  session: unknown  mpi-io: none */
#include "litmus.h"

#include <signal.h>
#include <sys/stat.h>

static volatile sig_atomic_t signalled;

static void on_signal(int number)
{
    signalled = number;
}

static void first(void)
{
    wait_for_name("asked");
    int shared = open_file("shared", 0);
    put(shared, 0, 8);
    close(shared);
    make_name("folder/name");
}

static void second(void)
{
    int folder = open("folder", O_RDONLY);
    signal(SIGUSR1, on_signal);
    must(fcntl(folder, F_SETSIG, SIGUSR1) == 0, "F_SETSIG");
    must(fcntl(folder, F_NOTIFY, DN_CREATE) == 0, "F_NOTIFY");
    make_name("asked");
    while (!signalled)
        usleep(1000);
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    must(mkdir("folder", 0700) == 0, "mkdir");
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
