/* Calls with pointers that lead nowhere: each returns EFAULT, and nothing else happens. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define SAY(call)                                                                                  \
    (errno = 0, result = (long)(call), printf("%s: %ld, errno %d\n", #call, result, errno))

int main(void)
{
    void *volatile nowhere = (void *)8;
    char *const *no_list = nowhere;
    long result;
    int file = open("file", O_CREAT | O_RDWR, 0600);
    SAY(open(nowhere, O_RDONLY));
    SAY(openat(file, nowhere, O_RDONLY));
    SAY(stat(nowhere, nowhere));
    SAY(stat("file", nowhere));
    SAY(access(nowhere, F_OK));
    SAY(unlink(nowhere));
    SAY(rename("file", nowhere));
    SAY(mkdir(nowhere, 0700));
    SAY(chdir(nowhere));
    SAY(readlink("file", nowhere, 5));
    SAY(write(file, nowhere, 5));
    SAY(writev(file, nowhere, 2));
    SAY(readv(file, nowhere, 2000000));
    SAY(pipe(nowhere));
    SAY(execve(nowhere, no_list, no_list));
    SAY(execve("/bin/true", no_list, NULL));
    SAY(write(file, "end", 3));
    return 0;
}
