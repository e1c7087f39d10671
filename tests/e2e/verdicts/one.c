/* one HOW: "over" writes bytes that it wrote before; "turns" reads them in between, too; "threads"
 * lets a thread do so, "racing" does so meanwhile, too; "longer" makes the file longer, "size" asks
 * how long it is. */
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int file;

static void *work(void *unused)
{
    return pwrite(file, "b", 1, 0) == 1 ? unused : &file;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    struct stat facts;
    char byte[1];
    void *failed = NULL, *own = NULL;
    file = open("data", O_RDWR | O_CREAT, 0600);
    if (argc > 1 && !strcmp(argv[1], "longer"))
        return ftruncate(file, 5);
    if (argc > 1 && !strcmp(argv[1], "size"))
        return fstat(file, &facts);
    if (argc < 2 || pwrite(file, "aa", 2, 0) != 2)
        return 1;
    if (!strcmp(argv[1], "over"))
        return pwrite(file, "b", 1, 0) != 1;
    if (!strcmp(argv[1], "turns"))
        return pread(file, byte, 1, 0) != 1 || pwrite(file, "b", 1, 0) != 1;
    if (pthread_create(&thread, NULL, work, NULL))
        return 1;
    if (!strcmp(argv[1], "racing"))
        own = work(NULL);
    return pthread_join(thread, &failed) || failed || own;
}
