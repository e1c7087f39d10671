/* A look through /proc. */
#include "trace/spill/late_processes.h"

#include "base/memory.h"
#include "base/settings.h"
#include "trace/program/program.h"
#include "trace/spill/spill_files.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Is one of the variables FATHOM_SPILL, with this value? False also for a process of somebody else,
 * and for one that has ended. */
static bool is_given(int64_t pid, const char *spill)
{
    char path[64], *variable = NULL;
    size_t room = 0;
    bool found = false;
    snprintf(path, sizeof path, "/proc/%" PRId64 "/environ", pid);
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    const char *name = FTH_SETTING_NAME(SPILL);
    size_t length = strlen(name);
    while (!found && getdelim(&variable, &room, 0, file) > 0)
        found = !strncmp(variable, name, length) && variable[length] == '=' &&
                !strcmp(variable + length + 1, spill);
    free(variable);
    fclose(file);
    return found;
}

static bool can_be_recorded(int64_t pid)
{
    char path[64], why[512];
    snprintf(path, sizeof path, "/proc/%" PRId64 "/exe", pid);
    return !fth_program_is_unseen(path, why, sizeof why);
}

static bool is_own(int folder, const char *name)
{
    struct stat status;
    return fstatat(folder, name, &status, 0) == 0 && status.st_uid == geteuid();
}

void fth_late_processes_find(struct fth_late_processes *late, const char *spill,
                             bool (*has_file)(int64_t pid, const void *context),
                             const void *context)
{
    *late = (struct fth_late_processes){0};
    DIR *folder = opendir("/proc");
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        char *end;
        int64_t pid = strtoll(entry->d_name, &end, 10);
        if (*end || pid <= 0 || pid == getpid() || !is_own(dirfd(folder), entry->d_name) ||
            !is_given(pid, spill) || has_file(pid, context) || !can_be_recorded(pid) ||
            !fth_process_is_alive(pid))
            continue;
        FTH_GROW(late->pids, late->count);
        late->pids[late->count++] = pid;
    }
    if (folder)
        closedir(folder);
}

bool fth_late_processes_have(const struct fth_late_processes *late, int64_t pid)
{
    for (size_t i = 0; i < late->count; i++)
        if (late->pids[i] == pid)
            return true;
    return false;
}

void fth_process_program(int64_t pid, char *name, size_t size)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%" PRId64 "/comm", pid);
    FILE *file = fopen(path, "re");
    if (!file || !fgets(name, (int)size, file))
        snprintf(name, size, "?");
    name[strcspn(name, "\n")] = 0;
    if (file)
        fclose(file);
}
