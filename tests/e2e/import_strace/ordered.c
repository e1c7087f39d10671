/* Parent and child write the same bytes; the child after the parent, if they are ordered by what
 * the argument says. */
#include <fcntl.h>
#include <string.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int ends[2], semaphore = -1;

static int begin(const char *how)
{
    if (strcmp(how, "pair") == 0)
        return socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    if (strcmp(how, "pipe") == 0)
        return pipe(ends);
    if (strcmp(how, "semaphore") == 0)
        semaphore = semget(IPC_PRIVATE, 1, 0600 | IPC_CREAT);
    return 0;
}

static int pass(int child)
{
    struct sembuf change = {0, child ? -1 : 1, 0};
    char byte = 0;
    if (semaphore >= 0)
        return semop(semaphore, &change, 1);
    if (!ends[1])
        return 0;
    return (child ? read(ends[0], &byte, 1) : write(ends[1], &byte, 1)) == 1 ? 0 : -1;
}

int main(int argc, char **argv)
{
    if (argc != 2 || begin(argv[1]))
        return 1;
    int child = fork() == 0, file = open("shared", O_RDWR | O_CREAT, 0644);
    if (child && pass(1))
        return 1;
    if (pwrite(file, "bytes", 5, 0) != 5)
        return 1;
    if (!child && pass(0))
        return 1;
    if (!child)
        wait(NULL);
    if (!child && semaphore >= 0)
        semctl(semaphore, 0, IPC_RMID);
    return 0;
}
