/* Where small spill files are: see spill_memory.h. A recording takes no more of the memory than
 * SHARE of what is free, and at most MOST. It counts for the program's own limit (the memory.max of
 * its control groups), and is no more given back under pressure than the program's: so less is
 * taken where little is left. */
#include "trace/spill/spill_memory.h"

#include "base/memory.h"
#include "trace/record/spill.h"
#include "trace/spill/memory_left.h"

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
    uint64_t most = least_of(free_bytes, fth_memory_left()) / SHARE;
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
