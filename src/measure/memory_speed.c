/* Memory: kernels over chunks of a buffer that no cache holds (Kunkel 2013, section 3.3.1). */
#include "measure/memory_speed.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

/* Last-level caches of servers have up to some hundred MiB; the least is for machines that have
 * little memory left. */
enum { MOST_BUFFER = 512 << 20, LEAST_BUFFER = 16 << 20 };

struct buffer {
    char *bytes;
    size_t size, at;
};

/* The next chunk; the other half of the buffer is for copies. */
static char *next_chunk(struct buffer *buffer)
{
    buffer->at += FTH_MEMORY_CHUNK;
    if (buffer->at + FTH_MEMORY_CHUNK > buffer->size / 2)
        buffer->at = 0;
    return buffer->bytes + buffer->at;
}

/* One machine word after the other, as programs access them: `volatile` keeps compilers from
 * something better. */
static void write_words(char *chunk)
{
    volatile uint64_t *words = (uint64_t *)(void *)chunk;
    for (size_t i = 0; i < FTH_MEMORY_CHUNK / sizeof *words; i++)
        words[i] = i;
}

static void read_words(const char *chunk)
{
    const volatile uint64_t *words = (const uint64_t *)(const void *)chunk;
    for (size_t i = 0; i < FTH_MEMORY_CHUNK / sizeof *words; i++)
        (void)words[i];
}

#define KERNEL(name, work)                                                                         \
    static int name(struct fth_trial *trial, void *context, double *nanoseconds,                   \
                    struct fth_error **error)                                                      \
    {                                                                                              \
        struct buffer *buffer = context;                                                           \
        char *chunk = next_chunk(buffer);                                                          \
        (void)trial;                                                                               \
        (void)error;                                                                               \
        int64_t start = fth_measure_now();                                                         \
        work;                                                                                      \
        __asm__ volatile("" : : "r"(chunk) : "memory");                                            \
        *nanoseconds = (double)(fth_measure_now() - start);                                        \
        return 0;                                                                                  \
    }
KERNEL(set, memset(chunk, 1, FTH_MEMORY_CHUNK))
KERNEL(write_chunk, write_words(chunk))
KERNEL(read_chunk, read_words(chunk))
KERNEL(read_write_write, (read_words(chunk), write_words(chunk), write_words(chunk)))
KERNEL(copy, memcpy(chunk + buffer->size / 2, chunk, FTH_MEMORY_CHUNK))

uint64_t fth_memory_available(void)
{
    char line[256];
    unsigned long long kilobytes = 0;
    FILE *file = fopen("/proc/meminfo", "re");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %llu kB", &kilobytes) == 1)
            break;
    if (file)
        fclose(file);
    return kilobytes * 1024;
}

int fth_measure_memory(struct fth_trials *trials, int64_t budget, struct fth_progress *progress,
                       struct fth_error **error)
{
    static const struct {
        const char *name;
        fth_kernel *kernel;
    } kernels[] = {{"set", set},
                   {"write", write_chunk},
                   {"read", read_chunk},
                   {"read, write, write", read_write_write},
                   {"copy", copy}};
    struct buffer buffer = {.size = MOST_BUFFER};
    uint64_t left = fth_memory_available();
    while (left && buffer.size > left / 4 && buffer.size > LEAST_BUFFER)
        buffer.size /= 2;
    buffer.bytes =
        mmap(NULL, buffer.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (buffer.bytes == MAP_FAILED)
        return fth_fail_errno(error, "cannot get %zu MiB of memory to measure it",
                              buffer.size >> 20);
    memset(buffer.bytes, 1, buffer.size); /* so that pages are there before anything is timed */
    size_t first = trials->count;
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        fth_trials_add(trials, "memory", kernels[i].name, FTH_MEMORY_CHUNK, kernels[i].kernel, 1);
    int result = fth_trials_run(trials, first, &buffer, budget, progress, error);
    munmap(buffer.bytes, buffer.size);
    return result;
}
