/* Threads and a signal handler that read and write the same blocks at the same time: each read gets
 * a block as one of the writes left it.
 *
 *     whole FILE SECONDS */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { BLOCK = 6000, BLOCKS = 64, READERS = 2, HELD = 8 << 20 };

static int file, other;
static volatile int over;
static volatile unsigned long reads, handled;

static void check(int good, const char *what)
{
    if (good)
        return;
    perror(what);
    _exit(1);
}

static void put(unsigned block, int value)
{
    char bytes[BLOCK];
    memset(bytes, value, sizeof bytes);
    check(pwrite(file, bytes, sizeof bytes, (off_t)block * BLOCK) == BLOCK, "pwrite");
}

static void look(unsigned block)
{
    char bytes[BLOCK];
    check(pread(file, bytes, sizeof bytes, (off_t)block * BLOCK) == BLOCK, "pread");
    for (int i = 1; i < BLOCK; i++)
        if (bytes[i] != bytes[0]) {
            fprintf(stderr, "block %u is %d, from byte %d on %d\n", block, bytes[0], i, bytes[i]);
            _exit(1);
        }
    __atomic_add_fetch(&reads, 1, __ATOMIC_RELAXED);
}

static void handle(int number)
{
    unsigned at = (unsigned)handled++;
    (void)number;
    look(at % BLOCKS);
    put(at * 7 % BLOCKS, (int)(at % 100));
    if (at % 16 == 0)
        check(fsync(file) == 0, "fsync");
}

static void *read_all(void *data)
{
    unsigned state = (unsigned)(size_t)data;
    while (!over)
        look((unsigned)rand_r(&state) % BLOCKS);
    return NULL;
}

/* Makes room in the buffer again and again: bytes are moved in it. */
static void *fill(void *data)
{
    char *bytes = malloc(HELD);
    memset(bytes, 1, HELD);
    while (!over) {
        check(pwrite(other, bytes, HELD, 0) == HELD && fsync(other) == 0, "the other file");
        usleep(2000);
    }
    free(bytes);
    return data;
}

int main(int count, char **arguments)
{
    const struct itimerval every = {{0, 700}, {0, 700}};
    const struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    pthread_t threads[READERS + 1];
    unsigned state = 1;
    char name[4096];
    check(count == 3, "arguments");
    snprintf(name, sizeof name, "%s-other", arguments[1]);
    check((file = open(arguments[1], O_RDWR | O_CREAT, 0600)) >= 0, arguments[1]);
    check((other = open(name, O_RDWR | O_CREAT, 0600)) >= 0, name);
    for (unsigned block = 0; block < BLOCKS; block++)
        put(block, 0);
    for (size_t i = 0; i < READERS; i++)
        pthread_create(&threads[i], NULL, read_all, (void *)(i + 2));
    pthread_create(&threads[READERS], NULL, fill, NULL);
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &every, NULL);
    for (time_t end = time(NULL) + atoi(arguments[2]); time(NULL) < end;) {
        put((unsigned)rand_r(&state) % BLOCKS, rand_r(&state) % 100);
        look((unsigned)rand_r(&state) % BLOCKS);
    }
    over = 1;
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 0}}, NULL);
    for (int i = 0; i <= READERS; i++)
        pthread_join(threads[i], NULL);
    check(handled > 10 && reads > 1000, "nothing was done");
    return 0;
}
