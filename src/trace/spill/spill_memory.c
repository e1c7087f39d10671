/* Where small spill files are: see spill_memory.h. A recording takes no more of the memory than
 * SHARE of what is free, and at most MOST. It counts for the program's own limit (the memory.max of
 * its control groups), and is no more given back under pressure than the program's: so less is
 * taken where little is left. */
#include "trace/spill/spill_memory.h"

#include "base/memory.h"
#include "trace/record/spill.h"

#include <fcntl.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#define START "/dev/shm/fathom."
enum { SHARE = 8, MOST = 128 << 20, LEAST = 1 << 20 /* bytes: less is not worth it */ };

static bool is_in_memory(const char *path, struct statfs *facts)
{
    return statfs(path, facts) == 0 && facts->f_type == TMPFS_MAGIC;
}

/* ---- what is free ---- */

/* The number in a file of a control group; UINT64_MAX: there is none, or "max". */
static uint64_t read_number(const char *group, const char *name)
{
    uint64_t number = UINT64_MAX;
    char *path = fth_text_format("/sys/fs/cgroup%s/%s", group, name);
    FILE *file = fopen(path, "re");
    if (file && fscanf(file, "%" SCNu64, &number) != 1)
        number = UINT64_MAX;
    if (file)
        fclose(file);
    free(path);
    return number;
}

/* Of the control group of this process and all that it is in. */
static uint64_t left_in_groups(void)
{
    char group[4096] = "";
    uint64_t least = UINT64_MAX;
    FILE *file = fopen("/proc/self/cgroup", "re");
    bool known = file && fscanf(file, "0::%4095[^\n]", group) == 1;
    if (file)
        fclose(file);
    for (char *end; known && *group; *end = 0) {
        uint64_t most = read_number(group, "memory.max"),
                 now = read_number(group, "memory.current");
        if (most != UINT64_MAX && now != UINT64_MAX) {
            uint64_t left = now < most ? most - now : 0;
            least = left < least ? left : least;
        }
        end = strrchr(group, '/');
        if (!end)
            break;
    }
    return least;
}

static uint64_t available(void)
{
    uint64_t kib = 0;
    char line[256];
    FILE *file = fopen("/proc/meminfo", "re");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %" SCNu64, &kib) == 1)
            break;
    if (file)
        fclose(file);
    return kib << 10;
}

static uint64_t least_of(uint64_t one, uint64_t other)
{
    return one < other ? one : other;
}

/* ---- the folder ---- */

uint64_t fth_spill_memory_make(const char *folder)
{
    struct statfs facts, ours;
    char path[] = START "XXXXXX";
    if (is_in_memory(folder, &ours) || !is_in_memory("/dev/shm", &facts))
        return 0;
    uint64_t free_bytes = (uint64_t)facts.f_bavail * (uint64_t)facts.f_bsize;
    uint64_t most = least_of(least_of(free_bytes, available()), left_in_groups()) / SHARE;
    most = least_of(most, MOST);
    if (most < LEAST || !mkdtemp(path))
        return 0;
    char *link = fth_text_format("%s/" FTH_SPILL_MEMORY, folder);
    bool linked = symlink(path, link) == 0;
    free(link);
    if (!linked)
        rmdir(path);
    return linked ? free_bytes - most : 0;
}

static bool is_name_of_ours(const char *path)
{
    const char *name = path + sizeof START - 1;
    return strncmp(path, START, sizeof START - 1) == 0 && strlen(name) == 6 && !strchr(name, '/') &&
           !strchr(name, '.');
}

char *fth_spill_memory_of(const char *folder)
{
    char path[sizeof START + 8];
    struct stat facts;
    char *link = fth_text_format("%s/" FTH_SPILL_MEMORY, folder);
    ssize_t length = readlink(link, path, sizeof path - 1);
    free(link);
    path[length > 0 ? length : 0] = 0;
    bool good = is_name_of_ours(path) && lstat(path, &facts) == 0 && S_ISDIR(facts.st_mode) &&
                facts.st_uid == geteuid() && !(facts.st_mode & 077);
    return good ? fth_text_copy(path) : NULL;
}

void fth_spill_memory_remove(const char *folder)
{
    char *path = fth_spill_memory_of(folder),
         *link = fth_text_format("%s/" FTH_SPILL_MEMORY, folder);
    if (!path || rmdir(path) == 0)
        unlink(link);
    free(link);
    free(path);
}
