/* Lists with commas between, and lists of paths: each is checked when its option is read. */
#include "cmd/record/option_lists.h"

#include "base/memory.h"
#include "base/path_text.h"
#include "trace/record/builtin.h"

#include <errno.h>
#include <string.h>

/* The tracer keeps them in fixed places. */
enum { LONGEST_LIST = 1000, LONGEST_PREFIXES = 8000 };

/* Is this the first row of its layer? That of the tracer's own notes is none. */
static bool begins_layer(const struct fth_catalog *catalog, size_t row)
{
    const char *layer = catalog->rows[row].layer;
    return strcmp(layer, "fathom") != 0 &&
           (row == 0 || strcmp(catalog->rows[row - 1].layer, layer) != 0);
}

static bool is_layer(const char *name, size_t length)
{
    const struct fth_catalog *catalog = fth_builtin_catalog();
    for (size_t i = 0; i < catalog->row_count; i++)
        if (begins_layer(catalog, i) && strlen(catalog->rows[i].layer) == length &&
            strncmp(catalog->rows[i].layer, name, length) == 0)
            return true;
    return false;
}

/* "posix, stdio, ...", each once. */
static const char *layer_names(void)
{
    static char names[256];
    const struct fth_catalog *catalog = fth_builtin_catalog();
    for (size_t i = 0; i < catalog->row_count; i++) {
        const char *layer = catalog->rows[i].layer;
        if (begins_layer(catalog, i) && !strstr(names, layer) &&
            strlen(names) + strlen(layer) + 3 < sizeof names) {
            strcat(names, *names ? ", " : "");
            strcat(names, layer);
        }
    }
    return names;
}

void fth_record_check_layers(struct argp_state *state, const char *list)
{
    for (const char *at = list;; at++) {
        size_t length = strcspn(at, ",");
        if (!is_layer(at, length))
            fth_cmd_wrong(state, "there is no layer '%.*s'; the layers are %s", (int)length, at,
                          layer_names());
        at += length;
        if (!*at)
            return;
    }
}

const char *fth_record_check_functions(struct argp_state *state, const char *list)
{
    if (!*list || strlen(list) > LONGEST_LIST)
        fth_cmd_wrong(state, "--functions takes a list of at most %d characters", LONGEST_LIST);
    return list;
}

const char *fth_record_check_masked(struct argp_state *state, const char *names)
{
    if (!names || !*names)
        return "*password*";
    if (strlen(names) > LONGEST_LIST)
        fth_cmd_wrong(state, "--mask-arguments takes a list of at most %d characters",
                      LONGEST_LIST);
    return names;
}

void fth_record_add_prefix(struct argp_state *state, struct fth_prefixes *prefixes,
                           const char *prefix)
{
    size_t all = 0;
    char *absolute = fth_path_absolute(prefix);
    if (!absolute)
        argp_failure(state, 1, errno, "cannot determine the path of '%s'", prefix);
    for (size_t i = 0; i < prefixes->count; i++)
        all += strlen(prefixes->items[i]) + 1;
    if (strchr(absolute, ':'))
        fth_cmd_wrong(state, "a path with a colon cannot be included or excluded: '%s'", absolute);
    if (prefixes->count == FTH_MOST_PREFIXES || all + strlen(absolute) > LONGEST_PREFIXES)
        fth_cmd_wrong(state, "too many paths: at most %d, with %d characters in all",
                      FTH_MOST_PREFIXES, LONGEST_PREFIXES);
    prefixes->items[prefixes->count++] = absolute;
}

void fth_record_add_default_excludes(struct argp_state *state, struct fth_prefixes *excluded)
{
    static const char *const prefixes[] = {
        "/proc/",
        "/sys/",
        "/dev/",
        "/run/",
        "/etc/ld.so.",
        "/lib/",
        "/lib64/",
        "/usr/lib/",
        "/usr/lib64/",
        "/usr/share/locale/",
        "/usr/share/zoneinfo/",
        "/usr/share/i18n/",
        "/dev/shm/ucx_shm_posix", /* memory that MPI libraries share between ranks */
        "/dev/shm/vader_segment",
        "/dev/shm/sm_segment",
        "/dev/shm/mpich_shar_tmp",
        "/dev/shm/osc",
    };
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        fth_record_add_prefix(state, excluded, prefixes[i]);
    /* descriptors that are no files have names like socket:[1234]; these are no paths to be made
     * absolute */
    /* made inside a call (capture/follow/descriptor_slots.c) */
    excluded->items[excluded->count++] = fth_text_copy("library socket");
    excluded->items[excluded->count++] = fth_text_copy("anon_inode");
}
