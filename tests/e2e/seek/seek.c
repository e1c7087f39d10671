/* Two threads that turn around on files of their own: numbered ones that are opened and closed,
 * offsets that go by steps, offsets and sizes without a rule, streams that write when they are full
 * (calls inside calls), names that are drawn.
 *
 *     seek TURNS        in an empty folder */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static long turns;

static uint64_t draw(uint64_t *state, uint64_t below)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state % below;
}

static void turn(long turn, int base, FILE *log, char name, uint64_t *state)
{
    char path[64], bytes[256] = {0};
    snprintf(path, sizeof path, "%c/step%05ld.%ld", name, turn, turn / 7);
    int file = open(path, O_RDWR | O_CREAT, 0644);
    for (int i = 0; i < 6; i++)
        if (pwrite(file, bytes, 16, i * 48) != 16)
            abort();
    lseek(file, 5, SEEK_SET);
    if (read(file, bytes, 10) != 10 || write(file, bytes, 100 + draw(state, 100)) < 100)
        abort();
    lseek(file, -3, SEEK_CUR);
    for (int i = 0; i < 4; i++)
        if (pread(base, bytes, 32, (off_t)draw(state, 1 << 20)) < 0)
            abort();
    fprintf(log, "turn %ld of %s takes some room in the buffer of its stream\n", turn, path);
    if (turn % 50 == 0)
        fflush(log);
    close(file);
    snprintf(path, sizeof path, "%c/drawn.%d", name, (int)draw(state, 100000));
    if (turn % 3 == 0)
        access(path, R_OK);
    snprintf(path, sizeof path, "%c/step%05ld.%ld", name, turn, turn / 7);
    unlink(path);
}

static void *work(void *named)
{
    char name = *(char *)named, path[] = {name, 0}, log_path[] = {name, '/', 'l', 'o', 'g', 0};
    uint64_t state = 88172645463325252u + (uint64_t)name;
    mkdir(path, 0755);
    FILE *log = fopen(log_path, "w");
    int base = open(log_path, O_RDWR);
    for (long i = 0; i < turns; i++)
        turn(i, base, log, name, &state);
    close(base);
    fclose(log);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    turns = argc == 2 ? atol(argv[1]) : 1;
    pthread_create(&thread, NULL, work, "b");
    work("a");
    return pthread_join(thread, NULL);
}
