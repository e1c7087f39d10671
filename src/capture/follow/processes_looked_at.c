/* Looks at other processes in /proc, which is left out: a program may wait until a process is not
 * there any more. Each process that is looked at is noted once, so that a verdict knows of it. */
#include "capture/follow/processes_looked_at.h"
#include "capture/process/process.h"
#include "capture/record/runtime.h"
#include "interpose/own/put.h"
#include "trace/record/spill.h"

#include <stdbool.h>
#include <string.h>

enum { MOST_LOOKS = 64 };

static int64_t looker; /* a forked child begins anew */
static unsigned count;
static int64_t looked_at[MOST_LOOKS];

static bool is_known(int64_t pid)
{
    unsigned known = __atomic_load_n(&count, __ATOMIC_ACQUIRE);
    for (unsigned i = 0; i < known && i < MOST_LOOKS; i++)
        if (looked_at[i] == pid)
            return true;
    return known > MOST_LOOKS;
}

static void note(int64_t pid)
{
    char text[24];
    unsigned number = __atomic_fetch_add(&count, 1, __ATOMIC_ACQ_REL);
    if (number > MOST_LOOKS)
        return;
    if (number < MOST_LOOKS)
        looked_at[number] = pid;
    fth_put_decimal(text, number < MOST_LOOKS ? (uint64_t)pid : FTH_LOOKED_AT_MORE);
    fth_process_note(FTH_LOOKED_AT_KEY "=", text);
}

void fth_process_is_looked_at(const char *path)
{
    int64_t pid = 0;
    bool is_of_library = fth_self && fth_self->depth > 1; /* MPI asks who the other ranks are */
    if (!fth_process || strncmp(path, "/proc/", 6) != 0 || is_of_library)
        return;
    for (path += 6; *path >= '0' && *path <= '9' && pid < INT32_MAX; path++)
        pid = pid * 10 + (*path - '0');
    if (!pid || pid > INT32_MAX || (*path && *path != '/') || pid == fth_process->pid)
        return;
    if (looker != fth_process->pid) {
        looker = fth_process->pid;
        count = 0;
    }
    if (!is_known(pid))
        note(pid);
}
