/* Where on this node something is counted. What is not there, or may not be read, is left out. */
#include "machine/sources.h"

#include "base/memory.h"
#include "machine/node_counters.h"

#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIRST_ROOM = 16 << 10, MOST_ROOM = 4 << 20 };

/* ---- texts ---- */

const char *fth_source_text(struct fth_sources *sources, int file)
{
    size_t length = 0;
    ssize_t got = 0;
    if (file < 0)
        return NULL;
    do {
        length += (size_t)got;
        if (length + 1 >= sources->room && sources->room < MOST_ROOM) {
            sources->room = sources->room ? 2 * sources->room : FIRST_ROOM;
            sources->text = fth_resize(sources->text, sources->room, 1);
        }
        got = pread(file, sources->text + length, sources->room - 1 - length, (off_t)length);
    } while (got > 0);
    sources->text[length] = 0;
    return got < 0 && length == 0 ? NULL : sources->text;
}

static int open_file(const char *path)
{
    return open(path, O_RDONLY | O_CLOEXEC);
}

/* One line of a small file. */
static bool read_line(const char *folder, const char *name, char *line, int size)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "re");
    bool got = file && fgets(line, size, file);
    if (file)
        fclose(file);
    line[got ? strcspn(line, "\n") : 0] = 0;
    return got;
}

/* ---- disks ---- */

/* A part of a disk has no folder of its own there, and these are no disks. */
static bool is_disk(const char *name)
{
    char path[128];
    if (strncmp(name, "loop", 4) == 0 || strncmp(name, "ram", 3) == 0 || strchr(name, '/'))
        return false;
    snprintf(path, sizeof path, "/sys/block/%s", name);
    return access(path, F_OK) == 0;
}

static void take_disks(const char *text, const struct fth_taker *taker)
{
    fth_node_disks(text, is_disk, taker);
}

/* ---- energy ---- */

static void add_domain(struct fth_sources *sources, const char *folder)
{
    struct fth_energy_domain domain = {0};
    char line[48], path[256];
    if (sources->domain_count == FTH_MOST_DOMAINS ||
        !read_line(folder, "name", domain.name, sizeof domain.name))
        return;
    if (read_line(folder, "max_energy_range_uj", line, sizeof line))
        domain.range = strtoull(line, NULL, 10);
    snprintf(path, sizeof path, "%s/energy_uj", folder);
    domain.file = open_file(path);
    /* a package has parts, "core", "dram", which are distinguished by the folder they are in */
    const char *colon = strchr(folder, ':');
    if (colon && strncmp(domain.name, "package", 7) != 0)
        snprintf(domain.name + strlen(domain.name), sizeof domain.name - strlen(domain.name), ":%s",
                 colon + 1);
    if (domain.file >= 0)
        sources->domains[sources->domain_count++] = domain;
}

static void find_domains(struct fth_sources *sources)
{
    glob_t found = {0};
    if (glob("/sys/class/powercap/*:*", 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            add_domain(sources, found.gl_pathv[i]);
    globfree(&found);
}

static void take_energy(struct fth_sources *sources, struct fth_energy_domain *domain,
                        const struct fth_taker *taker)
{
    uint64_t count;
    const char *text = fth_source_text(sources, domain->file);
    if (!text || !fth_reading_next_number(&text, &count))
        return;
    if (domain->read)
        domain->used += count >= domain->before          ? count - domain->before
                        : domain->range > domain->before ? domain->range - domain->before + count
                                                         : count;
    domain->before = count;
    domain->read = true;
    fth_reading_take(taker, "energy.used", domain->name, FTH_SERIES_RATE, FTH_SERIES_MICROJOULES,
                     domain->used);
}

/* ---- Lustre ---- */

/* ".../llite/scratch-ffff9a5e4c0e8000/stats": the part before the last dash is the file system's
 * name. */
static void add_client(struct fth_sources *sources, const char *path)
{
    const char *name = strstr(path, "/llite/");
    if (!name || sources->client_count == FTH_MOST_CLIENTS)
        return;
    struct fth_lustre_client *client = &sources->clients[sources->client_count];
    name += strlen("/llite/");
    snprintf(client->name, sizeof client->name, "%.*s", (int)strcspn(name, "/"), name);
    char *dash = strrchr(client->name, '-');
    if (dash && dash > client->name)
        *dash = 0;
    client->file = open_file(path);
    if (client->file >= 0)
        sources->client_count++;
}

static void find_clients(struct fth_sources *sources)
{
    static const char *const patterns[] = {"/proc/fs/lustre/llite/*/stats",
                                           "/sys/kernel/debug/lustre/llite/*/stats"};
    for (size_t i = 0; i < 2 && !sources->client_count; i++) {
        glob_t found = {0};
        if (glob(patterns[i], 0, NULL, &found) == 0)
            for (size_t k = 0; k < found.gl_pathc; k++)
                add_client(sources, found.gl_pathv[k]);
        globfree(&found);
    }
}

/* ---- all of them ---- */

static const struct {
    const char *path;
    void (*take)(const char *text, const struct fth_taker *taker);
} node_sources[FTH_NODE_SOURCES] = {
    {"/proc/stat", fth_node_cpus},       {"/proc/loadavg", fth_node_load},
    {"/proc/meminfo", fth_node_memory},  {"/proc/vmstat", fth_node_swapping},
    {"/proc/diskstats", take_disks},     {"/proc/net/dev", fth_node_network},
    {"/proc/net/rpc/nfs", fth_node_nfs}, {"/proc/self/mountstats", fth_node_nfs_mounts},
};

void fth_sources_open(struct fth_sources *sources)
{
    *sources = (struct fth_sources){0};
    bool has_nfs = access("/proc/net/rpc/nfs", R_OK) == 0;
    for (size_t i = 0; i < FTH_NODE_SOURCES; i++) {
        bool wanted =
            node_sources[i].path && (has_nfs || node_sources[i].take != fth_node_nfs_mounts);
        sources->files[i] = wanted ? open_file(node_sources[i].path) : -1;
    }
    find_domains(sources);
    find_clients(sources);
}

void fth_sources_take(struct fth_sources *sources, const struct fth_taker *taker)
{
    for (size_t i = 0; i < FTH_NODE_SOURCES; i++) {
        const char *text = fth_source_text(sources, sources->files[i]);
        if (text)
            node_sources[i].take(text, taker);
    }
    for (size_t i = 0; i < sources->domain_count; i++)
        take_energy(sources, &sources->domains[i], taker);
    for (size_t i = 0; i < sources->client_count; i++) {
        const char *text = fth_source_text(sources, sources->clients[i].file);
        if (text)
            fth_node_lustre(text, sources->clients[i].name, taker);
    }
}

void fth_sources_close(struct fth_sources *sources)
{
    for (size_t i = 0; i < FTH_NODE_SOURCES; i++)
        if (sources->files[i] >= 0)
            close(sources->files[i]);
    for (size_t i = 0; i < sources->domain_count; i++)
        close(sources->domains[i].file);
    for (size_t i = 0; i < sources->client_count; i++)
        close(sources->clients[i].file);
    free(sources->text);
}
