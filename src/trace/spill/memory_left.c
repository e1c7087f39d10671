/* Reads /proc/meminfo, and the control groups that /proc/self/cgroup names. */
#include "trace/spill/memory_left.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A version of control groups: where its files are, and what they are called. */
struct version {
    const char *root, *most, *now, *idle;
};
static const struct version one = {"/sys/fs/cgroup/memory", "memory.limit_in_bytes",
                                   "memory.usage_in_bytes", "total_inactive_file"};
static const struct version two = {"/sys/fs/cgroup", "memory.max", "memory.current",
                                   "inactive_file"};

static FILE *open_file(const struct version *version, const char *group, const char *name)
{
    char *path = fth_text_format("%s%s/%s", version->root, group, name);
    FILE *file = fopen(path, "re");
    free(path);
    return file;
}

/* The number in a file of a control group; UINT64_MAX: there is none, or "max". */
static uint64_t read_number(const struct version *version, const char *group, const char *name)
{
    uint64_t number = UINT64_MAX;
    FILE *file = open_file(version, group, name);
    if (file && fscanf(file, "%" SCNu64, &number) != 1)
        number = UINT64_MAX;
    if (file)
        fclose(file);
    return number;
}

/* Of files that nobody has used lately. */
static uint64_t read_idle(const struct version *version, const char *group)
{
    char line[256];
    size_t length = strlen(version->idle);
    uint64_t bytes = 0;
    FILE *file = open_file(version, group, "memory.stat");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, version->idle, length) == 0 && line[length] == ' ')
            bytes = strtoull(line + length, NULL, 10);
    if (file)
        fclose(file);
    return bytes;
}

static uint64_t least_of(uint64_t one_number, uint64_t other)
{
    return one_number < other ? one_number : other;
}

static uint64_t left_in(const struct version *version, const char *group)
{
    uint64_t most = read_number(version, group, version->most),
             now = read_number(version, group, version->now);
    if (most == UINT64_MAX || now == UINT64_MAX)
        return UINT64_MAX;
    now -= least_of(now, read_idle(version, group));
    return now < most ? most - now : 0;
}

/* Of this group and all that it is in. In a container their names may be those outside: then the
 * last one is its own. */
static uint64_t left_up_from(const struct version *version, char *group)
{
    uint64_t least = left_in(version, group);
    for (char *end; (end = strrchr(group, '/'));) {
        *end = 0;
        least = least_of(least, left_in(version, group));
    }
    return least;
}

/* Of a line of /proc/self/cgroup: "4:memory:/job", or "0::/job" of version 2. */
static uint64_t left_of_line(char *line)
{
    char *names = strchr(line, ':'), *group = names ? strchr(names + 1, ':') : NULL;
    if (!group)
        return UINT64_MAX;
    *group++ = 0;
    group[strcspn(group, "\n")] = 0;
    if (strcmp(line, "0:") == 0)
        return left_up_from(&two, group);
    return strcmp(names + 1, "memory") == 0 ? left_up_from(&one, group) : UINT64_MAX;
}

static uint64_t left_in_groups(void)
{
    char line[4096 + 64];
    uint64_t least = UINT64_MAX;
    FILE *file = fopen("/proc/self/cgroup", "re");
    while (file && fgets(line, sizeof line, file))
        least = least_of(least, left_of_line(line));
    if (file)
        fclose(file);
    return least;
}

static uint64_t left_on_node(void)
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

uint64_t fth_memory_left(void)
{
    return least_of(left_on_node(), left_in_groups());
}
