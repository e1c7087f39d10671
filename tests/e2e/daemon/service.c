/* service FILE [keep | wait | root]: becomes a daemon and writes into FILE what it finds itself to
 * be. `keep`: with its directory and streams. `wait`: not before there is a file FILE.go. `root`:
 * below a root without /dev/null, where daemon fails. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void await(const char *file)
{
    char path[4096];
    snprintf(path, sizeof path, "%s.go", file);
    while (access(path, F_OK) != 0)
        usleep(1000);
}

int main(int count, char **arguments)
{
    char text[4096], directory[2048] = "?";
    const char *how = count > 2 ? arguments[2] : "";
    struct stat streams[3];
    pid_t before = getpid();
    int keep = strcmp(how, "keep") == 0,
        file = open(arguments[1], O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    if (strcmp(how, "root") == 0 && (mkdir("empty", 0700) != 0 || chroot("empty") != 0))
        return 77;
    if (write(STDOUT_FILENO, "begins\n", 7) != 7)
        return 1;
    errno = 0;
    int result = daemon(keep, keep), error = errno;
    if (strcmp(how, "wait") == 0)
        await(arguments[1]);
    for (int i = 0; i < 3; i++)
        if (fstat(i, &streams[i]) != 0)
            streams[i] = (struct stat){0};
    int null =
        S_ISCHR(streams[0].st_mode) && S_ISCHR(streams[1].st_mode) && S_ISCHR(streams[2].st_mode);
    if (!getcwd(directory, sizeof directory))
        directory[0] = 0;
    int length =
        snprintf(text, sizeof text,
                 "%d %s, another process %d, its session %d, streams of devices %d, in the root "
                 "%d, ends of files %d\n",
                 result, error ? strerror(error) : "no error", getpid() != before,
                 getsid(0) == getpid(), null, strcmp(directory, "/") == 0, fcntl(3, F_GETFD) >= 0);
    return write(file, text, (size_t)length) == length ? 3 : 1;
}
