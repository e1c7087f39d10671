/* one HOW: "over" writes bytes that it wrote before; "threads" lets a thread do so. */
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static int file;

static void *work(void *unused)
{
    return pwrite(file, "b", 1, 0) == 1 ? unused : &file;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    void *failed = NULL;
    file = open("data", O_RDWR | O_CREAT, 0600);
    if (argc < 2 || pwrite(file, "aa", 2, 0) != 2)
        return 1;
    if (!strcmp(argv[1], "over"))
        return pwrite(file, "b", 1, 0) != 1;
    return pthread_create(&thread, NULL, work, NULL) || pthread_join(thread, &failed) || failed;
}
