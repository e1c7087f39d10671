/* A look through /proc. */
#include "trace/spill/late_processes.h"

#include "base/memory.h"
#include "base/settings.h"
#include "trace/program/program.h"
#include "trace/spill/spill_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reads all of a process's environment, or what fits; returns its length. 0 also for a process of
 * somebody else, for one that has ended, and for one of the kernel. */
static size_t read_environment(int64_t pid, char *text, size_t size)
{
    char path[64];
    size_t length = 0;
    snprintf(path, sizeof path, "/proc/%" PRId64 "/environ", pid);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    for (ssize_t got = 1; file >= 0 && got > 0 && length < size;) {
        got = read(file, text + length, size - length);
        length += got > 0 ? (size_t)got : 0;
    }
    if (file >= 0)
        close(file);
    return length;
}

/* Is one of the variables this one, "NAME=VALUE"? `size`: room for an environment. */
static bool is_given(int64_t pid, const char *variable, char *text, size_t size)
{
    size_t length = read_environment(pid, text, size), bytes = strlen(variable) + 1;
    for (const char *at = text, *end = text + length; at < end;) {
        if ((size_t)(end - at) >= bytes && memcmp(at, variable, bytes) == 0)
            return true;
        at += strnlen(at, (size_t)(end - at)) + 1;
    }
    return false;
}

static bool can_be_recorded(int64_t pid)
{
    char path[64], why[512];
    snprintf(path, sizeof path, "/proc/%" PRId64 "/exe", pid);
    return !fth_program_is_unseen(path, why, sizeof why);
}

/* The kernel takes an environment of a quarter of the limit of the stack: 2 MiB, by default. */
enum { LONGEST_ENVIRONMENT = 2 << 20 };

void fth_late_processes_find(struct fth_late_processes *late, const char *spill,
                             bool (*has_file)(int64_t pid, const void *context),
                             const void *context)
{
    *late = (struct fth_late_processes){0};
    char *variable = fth_text_format("%s=%s", FTH_SETTING_NAME(SPILL), spill);
    char *text = malloc(LONGEST_ENVIRONMENT);
    DIR *folder = text && variable ? opendir("/proc") : NULL;
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        char *end;
        int64_t pid = strtoll(entry->d_name, &end, 10);
        if (*end || pid <= 0 || pid == getpid() ||
            !is_given(pid, variable, text, LONGEST_ENVIRONMENT) || has_file(pid, context) ||
            !can_be_recorded(pid) || !fth_process_is_alive(pid))
            continue;
        FTH_GROW(late->pids, late->count);
        late->pids[late->count++] = pid;
    }
    if (folder)
        closedir(folder);
    free(text);
    free(variable);
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
