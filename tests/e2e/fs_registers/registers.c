/* One process of several that read and write the same words of some files at a time: registers
 * FOLDER LOG NUMBER SEED OPERATIONS. Each word that is written is another one. What was done, when
 * it began and when it ended stands in LOG, which is mapped: it is there also when this process is
 * killed. OPERATIONS 0: each word is read once. A call that is not over has the end 0, one that
 * failed the end 1 (check.py). */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { FILES = 3, WORDS = 64, MOST = 4 /* words of a call */ };
enum { WRITE = 1, READ, SYNC, OPEN, CLOSE };

struct record {
    uint64_t begin, end;
    uint32_t kind, file;
    uint64_t word, value;
};

static struct record *records;
static uint64_t room, used, state;
static int files[FILES];
static const char *folder;

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* xorshift (Marsaglia, 2003) */
static uint64_t draw(uint64_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (state >> 11) % below;
}

/* Half of them at the start, half around the end of the first 64 MiB. */
static off_t place_of(uint64_t word)
{
    return (off_t)(word < WORDS / 2 ? word * 8 : (64 << 20) - WORDS * 2 + (word - WORDS / 2) * 8);
}

static struct record *begin(uint32_t kind, uint32_t file, uint64_t word, uint64_t value)
{
    if (used == room)
        exit(0);
    records[used] = (struct record){.begin = now(), .file = file, .word = word, .value = value};
    __atomic_store_n(&records[used].kind, kind, __ATOMIC_RELEASE);
    return &records[used++];
}

static void end(struct record *first, uint64_t count, int done)
{
    uint64_t at = done ? now() : 1;
    for (uint64_t i = 0; i < count; i++)
        __atomic_store_n(&first[i].end, at, __ATOMIC_RELEASE);
}

static void open_one(uint32_t file)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%u", folder, file);
    struct record *record = begin(OPEN, file, 0, 0);
    files[file] = open(path, O_RDWR);
    end(record, 1, files[file] >= 0);
}

static void close_one(uint32_t file)
{
    struct record *record = begin(CLOSE, file, 0, 0);
    end(record, 1, close(files[file]) == 0);
    files[file] = -1;
}

static void write_some(uint32_t file, uint64_t word, uint64_t count, uint64_t number)
{
    static uint64_t written;
    uint64_t words[MOST];
    struct record *first = records + used;
    for (uint64_t i = 0; i < count; i++) {
        words[i] = number << 40 | ++written;
        begin(WRITE, file, word + i, words[i]);
    }
    end(first, count, pwrite(files[file], words, count * 8, place_of(word)) == (ssize_t)count * 8);
}

static void read_some(uint32_t file, uint64_t word, uint64_t count)
{
    uint64_t words[MOST];
    struct record *first = records + used;
    for (uint64_t i = 0; i < count; i++)
        begin(READ, file, word + i, 0);
    ssize_t got = pread(files[file], words, count * 8, place_of(word));
    for (uint64_t i = 0; i < count && got > 0; i++)
        first[i].value = (ssize_t)(i + 1) * 8 <= got ? words[i] : UINT64_MAX; /* too short */
    end(first, count, got >= 0);
}

static void act(uint64_t number)
{
    uint32_t file = (uint32_t)draw(FILES);
    uint64_t kind = draw(100), half = draw(2) * WORDS / 2, count = 1 + draw(MOST);
    uint64_t word = half + draw(WORDS / 2 - count + 1);
    if (files[file] < 0) {
        open_one(file);
    } else if (kind < 45) {
        write_some(file, word, count, number);
    } else if (kind < 90) {
        read_some(file, word, count);
    } else if (kind < 95) {
        struct record *record = begin(SYNC, file, 0, 0);
        end(record, 1, fsync(files[file]) == 0);
    } else {
        close_one(file);
    }
}

int main(int count, char **words)
{
    if (count != 6)
        return 2;
    folder = words[1];
    uint64_t number = strtoull(words[3], NULL, 10), operations = strtoull(words[5], NULL, 10);
    state = (strtoull(words[4], NULL, 10) * 2 + 1) * (number + 88172645463325252u);
    room = MOST * operations + FILES * (WORDS + 2);
    int log = open(words[2], O_RDWR | O_CREAT | O_EXCL, 0600);
    if (log < 0 || ftruncate(log, (off_t)(room * sizeof *records)))
        return 1;
    records = mmap(NULL, room * sizeof *records, PROT_READ | PROT_WRITE, MAP_SHARED, log, 0);
    if (records == MAP_FAILED)
        return 1;
    for (uint32_t file = 0; file < FILES; file++)
        open_one(file);
    for (uint64_t i = 0; i < operations; i++)
        act(number);
    for (uint32_t file = 0; file < FILES; file++) {
        for (uint64_t word = 0; !operations && word < WORDS; word++)
            read_some(file, word, 1);
        if (files[file] >= 0)
            close_one(file);
    }
    return 0;
}
