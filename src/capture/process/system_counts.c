/* What the system has counted for this process: bytes read and written, and how often it was asked
 * to (/proc/PID/io, proc(5)). The merger compares it with what was recorded
 * (trace/merge/counted_bytes.h): a difference was read or written by ways that nobody saw. It is
 * asked when a program starts and when it ends: about 5 us each. */
#include "capture/process/system_counts.h"

#include "interpose/own/apart.h"
#include "interpose/own/own_files.h"

#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST = 512 };

/* The number behind `name` and a colon. */
static bool take(const char *text, const char *name, uint64_t *number)
{
    const char *at = strstr(text, name);
    if (!at)
        return false;
    *number = 0;
    for (at += strlen(name); *at == ' '; at++)
        continue;
    for (; *at >= '0' && *at <= '9'; at++)
        *number = *number * 10 + (uint64_t)(*at - '0');
    return true;
}

bool fth_counted_read_here(struct fth_spill_counted *counted, uint64_t *took)
{
    char text[MOST];
    int file = fth_file_open("/proc/self/io");
    if (file < 0)
        return false;
    long length = syscall(SYS_read, file, text, sizeof text - 1);
    fth_file_close(file);
    text[length > 0 ? length : 0] = 0;
    struct fth_spill_counted now = {0};
    if (!take(text, "rchar:", &now.read) || !take(text, "wchar:", &now.written) ||
        !take(text, "syscr:", &now.reads) || !take(text, "syscw:", &now.writes))
        return false;
    now.read += (uint64_t)length;
    now.reads++;
    *counted = now;
    *took = (uint64_t)length;
    return true;
}

struct reading {
    struct fth_spill_counted *counted;
    uint64_t *took;
    bool done;
};

static void read_here(void *argument)
{
    struct reading *reading = argument;
    reading->done = fth_counted_read_here(reading->counted, reading->took);
}

bool fth_counted_read(struct fth_spill_counted *counted, uint64_t *took)
{
    struct reading reading = {.counted = counted, .took = took};
    fth_apart_or_alone(read_here, &reading);
    return reading.done;
}
