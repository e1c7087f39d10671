/* Events are opened for each thread there is, and are inherited by the threads that these start. */
#include "machine/hardware.h"

#include <dirent.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct {
    const char *name;
    uint32_t type;
    uint64_t config;
} events[FTH_HARDWARE_EVENTS] = {
    {"hardware.instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    {"hardware.cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"hardware.cache_misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    {"hardware.page_faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
};

/* Where the kernel may not be watched, the program alone is. */
static int open_event(size_t event, pid_t thread)
{
    struct perf_event_attr attributes = {
        .size = sizeof attributes,
        .type = events[event].type,
        .config = events[event].config,
        .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
        .inherit = 1,
        .inherit_thread = 1,
        .exclude_hv = 1,
    };
    long file = syscall(SYS_perf_event_open, &attributes, thread, -1, -1, PERF_FLAG_FD_CLOEXEC);
    if (file < 0 && (errno == EACCES || errno == EPERM)) {
        attributes.exclude_kernel = 1;
        file = syscall(SYS_perf_event_open, &attributes, thread, -1, -1, PERF_FLAG_FD_CLOEXEC);
    }
    return (int)file;
}

bool fth_hardware_open(struct fth_hardware *hardware, int64_t pid, int *error)
{
    char path[64];
    size_t threads = 0;
    bool any = false;
    snprintf(path, sizeof path, "/proc/%lld/task", (long long)pid);
    DIR *folder = opendir(path);
    *error = ESRCH;
    for (struct dirent *entry;
         folder && threads < FTH_HARDWARE_THREADS && (entry = readdir(folder));) {
        pid_t thread = (pid_t)strtol(entry->d_name, NULL, 10);
        if (thread <= 0)
            continue;
        for (size_t i = 0; i < FTH_HARDWARE_EVENTS; i++) {
            int file = open_event(i, thread);
            if (file < 0 && events[i].type == PERF_TYPE_HARDWARE)
                *error = errno;
            any = any || (file >= 0 && events[i].type == PERF_TYPE_HARDWARE);
            hardware->files[threads][i] = file + 1;
        }
        threads++;
    }
    if (folder)
        closedir(folder);
    hardware->opened = true;
    return any;
}

/* Where there are more events than counters, they take turns: what was counted stands for all of
 * the time. */
static bool read_event(int file, uint64_t *count)
{
    struct {
        uint64_t value, enabled, running;
    } now;
    if (read(file, &now, sizeof now) != (ssize_t)sizeof now)
        return false;
    double share = now.running ? (double)now.enabled / (double)now.running : 1;
    *count += (uint64_t)((double)now.value * share);
    return true;
}

void fth_hardware_take(const struct fth_hardware *hardware, const struct fth_taker *taker)
{
    for (size_t i = 0; i < FTH_HARDWARE_EVENTS; i++) {
        uint64_t count = 0;
        bool any = false;
        for (size_t k = 0; k < FTH_HARDWARE_THREADS; k++)
            if (hardware->files[k][i])
                any = read_event(hardware->files[k][i] - 1, &count) || any;
        if (any)
            fth_reading_take(taker, events[i].name, "", FTH_SERIES_RATE, FTH_SERIES_COUNT, count);
    }
}

void fth_hardware_close(struct fth_hardware *hardware)
{
    for (size_t k = 0; k < FTH_HARDWARE_THREADS; k++)
        for (size_t i = 0; i < FTH_HARDWARE_EVENTS; i++)
            if (hardware->files[k][i])
                close(hardware->files[k][i] - 1);
    *hardware = (struct fth_hardware){0};
}
