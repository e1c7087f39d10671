/* Writes a file and ends in the way that the argument names. */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static void *exit_in_thread(void *unused)
{
    (void)unused;
    exit(21);
}

int main(int argc, char **argv)
{
    int fd = open("file", O_CREAT | O_WRONLY, 0644);
    if (argc != 2 || fd < 0 || write(fd, "text", 4) != 4)
        return 99;
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    if (strcmp(argv[1], "abort") == 0)
        abort();
    if (strcmp(argv[1], "quick_exit") == 0)
        quick_exit(22);
    if (strcmp(argv[1], "_exit") == 0)
        _exit(23);
    pthread_t thread;
    if (pthread_create(&thread, NULL, exit_in_thread, NULL) == 0)
        pthread_join(thread, NULL);
    return 98;
}
