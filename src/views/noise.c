#include "views/noise.h"

#include <string.h>

static bool begins_with_one(const char *path, const char *const *beginnings)
{
    for (; *beginnings; beginnings++)
        if (strncmp(path, *beginnings, strlen(*beginnings)) == 0)
            return true;
    return false;
}

static bool has_one(const char *path, const char *const *parts)
{
    for (; *parts; parts++)
        if (strstr(path, *parts))
            return true;
    return false;
}

static bool ends_with_one(const char *path, const char *const *endings)
{
    size_t length = strlen(path);
    for (; *endings; endings++) {
        size_t size = strlen(*endings);
        if (length >= size && strcmp(path + length - size, *endings) == 0)
            return true;
    }
    return false;
}

bool fth_views_is_noise(const char *path, bool has_moved_bytes)
{
    static const char *const own[] = {"/dev/shm/", "pipe:", NULL};
    static const char *const system[] = {
        "/proc/",   "/sys/",       "/dev/",   "/run/", "/etc/",       "/lib/", "/lib64/",
        "/usr/lib", "/usr/share/", "socket:", "pipe:", "anon_inode:", NULL};
    static const char *const programs[] = {
        ".so.", "/__pycache__", "/site-packages/", "/dist-packages/", "/lib/python3", NULL};
    static const char *const modules[] = {".so", ".py", ".pyc", "/pyvenv.cfg", NULL};
    /* sessions and settings of Open MPI, PRRTE and PMIx; what OMPIO tries locks with; Hydra and UCX have theirs in /dev/shm and sockets */
    static const char *const launchers[] = {
        "/ompi.",   "/prte.",  "/pmix",      "/.openmpi/",
        "/.pmix/",  "/.prte/", ".locktest.", "/openmpi-sessions",
        "/.ompio.", NULL};
    if (has_moved_bytes && begins_with_one(path, own))
        return false;
    return begins_with_one(path, system) || has_one(path, programs) ||
           ends_with_one(path, modules) || has_one(path, launchers);
}

struct fth_table *fth_views_kept_rows(const struct fth_table *table, const bool *kept)
{
    const struct fth_shape *shape = fth_table_shape(table);
    struct fth_table *copy = fth_table_new(shape);
    for (size_t row = 0; copy && row < fth_table_rows(table); row++) {
        const struct fth_cell *cells = fth_table_row(table, row);
        size_t at = kept[row] ? fth_table_add_row(copy) : FTH_NO_ROW;
        for (size_t i = 0; at != FTH_NO_ROW && i < shape->column_count; i++)
            fth_table_set(copy, at, i, cells[i]);
    }
    if (!copy || !fth_table_failed(copy))
        return copy;
    fth_table_free(copy);
    return NULL;
}
