/* writes N: N writes at random offsets of a file by each of two threads, and a sum of what was read
 * back. */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int writes;

static void *write_file(void *name)
{
    uint64_t state = 1, sum = 0;
    int file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0644);
    for (int i = 0; i < writes; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        off_t at = (off_t)(state >> 40) % 65536;
        uint64_t value = 0;
        if (pwrite(file, &state, sizeof state, at) != sizeof state ||
            pread(file, &value, sizeof value, at / 2) < 0)
            abort();
        sum += value;
    }
    close(file);
    printf("%s %llx\n", (char *)name, (unsigned long long)sum);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    writes = argc > 1 ? atoi(argv[1]) : 1000;
    write_file("one");
    pthread_create(&thread, NULL, write_file, "two");
    pthread_join(thread, NULL);
    return 7;
}
