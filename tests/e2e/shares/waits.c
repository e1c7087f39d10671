/* A parent that waits for its children: on a pipe, on a socket, for an event, for locks of a file,
 * and for their ends. The only I/O is a file that it writes, reads, and locks without waiting. */
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static void check(int ok)
{
    if (!ok)
        abort();
}

int main(void)
{
    int ends[2], sockets[2], event = eventfd(0, 0), file = open("data", O_CREAT | O_RDWR, 0666);
    uint64_t one = 1;
    char block[4096] = {0};
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    check(!pipe(ends) && !socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
    pid_t child = fork();
    if (!child) {
        check(!fcntl(file, F_SETLKW, &lock));
        usleep(20000);
        check(write(ends[1], "a", 1) == 1);
        usleep(20000);
        check(send(sockets[1], "b", 1, 0) == 1);
        usleep(20000);
        check(write(event, &one, sizeof one) == sizeof one);
        usleep(20000);
        _exit(0);
    }
    check(poll(&(struct pollfd){.fd = ends[0], .events = POLLIN}, 1, -1) == 1);
    check(read(ends[0], block, 1) == 1);
    check(recv(sockets[0], block, 1, 0) == 1);
    check(read(event, &one, sizeof one) == sizeof one);
    check(!fcntl(file, F_SETLKW, &lock));
    lock.l_type = F_UNLCK;
    check(!fcntl(file, F_SETLKW, &lock));
    lock.l_type = F_RDLCK;
    check(!fcntl(file, F_SETLK, &lock));
    check(!flock(file, LOCK_EX) && !flock(file, LOCK_SH | LOCK_NB) && !flock(file, LOCK_UN));
    check(waitpid(child, NULL, 0) == child);
    for (int i = 0; i < 100; i++)
        check(pwrite(file, block, sizeof block, i * 4096) == sizeof block);
    for (int i = 0; i < 100; i++)
        check(pread(file, block, sizeof block, i * 4096) == sizeof block);
    return 0;
}
