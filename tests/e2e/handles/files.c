/* Descriptors and streams that come and go in every way there is, and some that were never there.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static void *open_one(void *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_NONBLOCK, 0644);
    if (write(fd, "thread", 6) != 6)
        exit(1);
    return (void *)(intptr_t)fd;
}

int main(void)
{
    char buffer[16];
    pthread_t thread;
    void *made;

    int fd = open("one", O_WRONLY | O_CREAT | O_TRUNC, 0644), copy = dup(fd);
    if (write(fd, "123", 3) != 3 || write(copy, "4567", 4) != 4)
        return 1;
    close(fd);
    dup2(copy, copy); /* no copy */
    dup2(copy, 40);
    close(copy);
    if (write(40, "8", 1) != 1)
        return 1;
    close(40);

    fd = creat("two", 0600); /* the same number again */
    FILE *stream = fdopen(fd, "w");
    fputs("two", stream);
    fclose(stream);

    stream = fopen("three", "a+");
    fputs("three", stream);
    fclose(stream);

    DIR *directory = opendir(".");
    while (readdir(directory))
        ;
    closedir(directory);

    pthread_create(&thread, NULL, open_one, "four");
    pthread_join(thread, &made);
    close((int)(intptr_t)made); /* another thread has opened it */

    errno = 0;
    int twice = close((int)(intptr_t)made);
    ssize_t garbage = read(12345, buffer, sizeof buffer), none = write(-7, buffer, 1);
    printf("%d %zd %zd %d\n", twice, garbage, none, errno);
    puts("on the standard output");
    fflush(stdout);

    void *nameless = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (nameless == MAP_FAILED || munmap(nameless, 4096))
        return 1;
    close(open(".", O_RDONLY | O_DIRECTORY));

    fd = open("five", O_RDWR | O_CREAT, 0644);
    int second = fcntl(fd, F_DUPFD_CLOEXEC, 60);
    fcntl(fd, F_SETFL, O_APPEND);
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 100, .l_len = 50};
    fcntl(fd, F_SETLK, &whole);
    whole.l_type = F_UNLCK;
    fcntl(fd, F_SETLK, &whole);
    int other = open("five", O_RDWR);
    flock(fd, LOCK_EX);
    flock(other, LOCK_SH | LOCK_NB); /* refused */
    flock(fd, LOCK_UN);
    flock(other, LOCK_SH | LOCK_NB);
    if (write(second, "5", 1) != 1)
        return 1;
    close(other);
    close(second);
    close(fd);
    unlink("five");

    fd = open("one", O_RDONLY);
    pid_t child = fork();
    if (child == 0)
        _exit(read(fd, buffer, 3) == 3 ? 0 : 1); /* inherited */
    waitpid(child, NULL, 0);
    return 0; /* never closed */
}
