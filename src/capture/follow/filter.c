/* What is to be recorded: layers, functions and paths, as `fathom record` passes them on in the
 * environment. */
#include "base/settings.h"
#include "calls.h"
#include "capture/follow/handle_slots.h"
#include "capture/follow/descriptor_identity.h"
#include "capture/follow/descriptor_path.h"
#include "capture/follow/paths.h"
#include "capture/follow/processes_looked_at.h"
#include "capture/follow/standing.h"
#include "capture/follow/written_files.h"
#include "capture/process/environment.h"
#include "capture/record/plugin.h"
#include "capture/record/runtime.h"
#include "capture/record/watch_phases.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PREFIXES = 64, MOST_TEXT = 8192 };

struct prefixes {
    unsigned count;
    char *prefix[MOST_PREFIXES];
    size_t length[MOST_PREFIXES];
    uint64_t with_second[256]; /* by second byte of a path: those that it may begin with, as bits */
    char text[MOST_TEXT];
};

static struct prefixes included, excluded;
static uint64_t read_mostly;        /* of those that leave out: folders of the system, as bits */
static bool programs_own_files_too; /* shared libraries, Python's files */

static void add_prefix(struct prefixes *prefixes, char *prefix)
{
    unsigned number = prefixes->count++;
    size_t length = strlen(prefix);
    prefixes->prefix[number] = prefix;
    prefixes->length[number] = length;
    for (unsigned byte = 0; byte < 256; byte++)
        if (length < 2 || (unsigned char)prefix[1] == byte)
            prefixes->with_second[byte] |= UINT64_C(1) << number;
}

/* Splits "A:B:C" in place. */
static void split(const char *list, struct prefixes *prefixes)
{
    if (!list || strlen(list) >= sizeof prefixes->text)
        return;
    strcpy(prefixes->text, list);
    char *rest = prefixes->text, *item;
    while ((item = strsep(&rest, ":")) && prefixes->count < MOST_PREFIXES) {
        if (*item)
            add_prefix(prefixes, item);
    }
}

/* The number of the first one that the path begins with, but for those before `first`; -1: none. */
static int find_match(const struct prefixes *prefixes, const char *path, int first)
{
    uint64_t left = prefixes->with_second[(unsigned char)(*path ? path[1] : 0)];
    for (left &= ~UINT64_C(0) << first; left; left &= left - 1) {
        int i = __builtin_ctzll(left);
        if (strncmp(path, prefixes->prefix[i], prefixes->length[i]) == 0)
            return i;
    }
    return -1;
}

static bool begins_with(const char *path, const char *beginning)
{
    return strncmp(path, beginning, strlen(beginning)) == 0;
}

static bool is_programs_folder(const char *path)
{
    switch (path[1]) {
    case '_':
        return begins_with(path, "/__pycache__");
    case 's':
        return begins_with(path, "/site-packages/");
    case 'd':
        return begins_with(path, "/dist-packages/");
    case 'l':
        return begins_with(path, "/lib/python3");
    default:
        return false;
    }
}

/* ".so", ".so.6", ".py", ".pyc" */
static bool is_programs_ending(const char *path)
{
    if (path[1] == 's' && path[2] == 'o')
        return path[3] == 0 || path[3] == '.';
    return path[1] == 'p' && path[2] == 'y' && (path[3] == 0 || (path[3] == 'c' && path[4] == 0));
}

/* Shared libraries, what the loader and the C library read for themselves, and Python's own
 * files. */
static bool is_programs_own(const char *path)
{
    for (; *path; path++)
        if ((*path == '/' && is_programs_folder(path)) ||
            (*path == '.' && is_programs_ending(path)))
            return true;
    return false;
}

/* Files in memory are files: /dev/ means devices. And through the memory of a process others may
 * notify it, or be notified: /proc/ means what the system reports. */
static bool is_kept(const char *path, const char *prefix)
{
    size_t length = strlen(path);
    return (strcmp(prefix, "/dev/") == 0 && begins_with(path, "/dev/shm/")) ||
           (strcmp(prefix, "/proc/") == 0 && length > 4 && strcmp(path + length - 4, "/mem") == 0);
}

/* The number of what leaves out a path, or -1. */
static int excluded_by(const char *path)
{
    int by = find_match(&excluded, path, 0);
    while (by >= 0 && is_kept(path, excluded.prefix[by]))
        by = by + 1 < MOST_PREFIXES ? find_match(&excluded, path, by + 1) : -1;
    return by;
}

/* Files that are left out because programs mostly only read them. Those of Python's caches are
 * written once, under other names, and belong to the interpreter. */
static bool is_left_out_as_read(const char *path, int by)
{
    bool is_of_system = by >= 0 && read_mostly & UINT64_C(1) << by;
    for (; *path && (by < 0 || is_of_system); path++)
        if (*path == '/' && path[1] == '_' && begins_with(path, "/__pycache__"))
            return false;
    return by < 0 || is_of_system;
}

/* In a folder that is left out, but that users write to, a link may lead to a file of theirs. In
 * the folders of the system, which programs look into often, none does. */
static bool may_be_users_link(const char *path)
{
    return strncmp(path, "/dev/", 5) != 0 && strncmp(path, "/usr/", 5) != 0 &&
           strncmp(path, "/lib", 4) != 0 && strncmp(path, "/sys/", 5) != 0 &&
           strncmp(path, "/proc/", 6) != 0;
}

/* A file of a program, opened by this path, may be one of the run's by another: a link leads to
 * that, or the file has several names. */
static bool is_another_as_well(const char *path, enum fth_path_use use)
{
    bool is_link;
    if (path == fth_self->text) /* of a descriptor, which was opened by another one before */
        return false;
    struct fth_identity_known file = fth_identity_at(path, &is_link);
    struct fth_path_hashes hashes = fth_path_hashes_of(path);
    bool is_direct = !is_link && fth_folder_is_plain(hashes);
    const char *real = is_direct ? path : fth_path_behind_links(path);
    bool is_other = real && real != path;
    if (!is_direct && real == path)
        fth_folder_plain(hashes);
    if (is_other && excluded_by(real) < 0 && !is_programs_own(real))
        return true;
    bool wanted = use == FTH_PATH_READ && file.links > 1 && fth_names_were_written(&file);
    if (!is_other)
        return wanted;
    bool written =
        use == FTH_PATH_WRITTEN ? fth_file_is_written(real) : fth_file_was_written(real, true);
    return wanted || written;
}

static bool is_wanted(const char *path, enum fth_path_use use)
{
    path = fth_led_to(path);
    if (included.count)
        return find_match(&included, path, 0) >= 0;
    int by = excluded_by(path);
    if (by >= 0 && may_be_users_link(path)) {
        path = fth_link_led_to(path);
        by = excluded_by(path);
    }
    if (by < 0 && (programs_own_files_too || !is_programs_own(path)))
        return true;
    if (!is_left_out_as_read(path, by))
        return false;
    bool written = use == FTH_PATH_WRITTEN ? fth_file_is_written(path)
                                           : fth_file_was_written(path, use == FTH_PATH_READ);
    return written | (use != FTH_PATH_NAMED && by < 0 && is_another_as_well(path, use));
}

static void find_read_mostly(void)
{
    static const char *const folders[] = {"/run/",           "/lib/",
                                          "/lib64/",         "/usr/lib/",
                                          "/usr/lib64/",     "/usr/share/locale/",
                                          "/etc/ld.so.",     "/usr/share/zoneinfo/",
                                          "/usr/share/i18n/"};
    read_mostly = 0;
    for (unsigned i = 0; i < excluded.count; i++)
        for (size_t k = 0; k < sizeof folders / sizeof *folders; k++)
            if (strcmp(excluded.prefix[i], folders[k]) == 0)
                read_mostly |= UINT64_C(1) << i;
}

bool fth_absolute_path_is_wanted(const char *path, enum fth_path_use use)
{
    bool wanted = is_wanted(path, use);
    if (!wanted)
        fth_process_is_looked_at(path);
    return wanted;
}

/* Is `word` one of the comma-separated patterns? */
static bool listed(const char *patterns, const char *word)
{
    char copy[1024];
    strncpy(copy, patterns, sizeof copy - 1);
    copy[sizeof copy - 1] = 0;
    char *rest = copy, *item;
    while ((item = strsep(&rest, ",")))
        if (fnmatch(item, word, 0) == 0)
            return true;
    return false;
}

static const char *layers, *functions; /* --layers, --functions */

static bool is_listed(const char *layer, const char *name, uint32_t flags)
{
    bool wanted = layers ? listed(layers, layer) : !(flags & FTH_CALL_OFF);
    return functions ? listed(functions, name) && (!layers || wanted) : wanted;
}

static void want(uint32_t function, bool wanted, bool binds)
{
    fth_wanted[function] = wanted ? FTH_WANTED : binds ? FTH_FOLLOWED : FTH_NOT_WANTED;
}

/* Transfers of buffers of streams, whose wrappers are written by hand. */
static const struct fth_also_watched below_streams[] = {
    {FTH_CALL_stdio_read, FTH_WATCHED_READ},
    {FTH_CALL_stdio_write, FTH_WATCHED_WRITE},
    {-1, 0},
};

bool fth_filters_read(void)
{
    layers = fth_setting(FTH_SETTING_NAME(LAYERS));
    functions = fth_setting(FTH_SETTING_NAME(FUNCTIONS));
    const char *bytes = fth_setting(FTH_SETTING_NAME(MIN_BYTES)),
               *least = fth_setting(fth_ticks_are_ns ? FTH_SETTING_NAME(MIN_NS)
                                                     : FTH_SETTING_NAME(MIN_TICKS));
    int64_t least_bytes = bytes ? atoll(bytes) : 0;
    bool streams = false, has_lists = layers || functions;
    included.count = excluded.count = 0;
    memset(included.with_second, 0, sizeof included.with_second);
    memset(excluded.with_second, 0, sizeof excluded.with_second);
    split(fth_setting(FTH_SETTING_NAME(INCLUDE)), &included);
    split(fth_setting(FTH_SETTING_NAME(EXCLUDE)), &excluded);
    find_read_mostly();
    programs_own_files_too = fth_setting(FTH_SETTING_NAME(PROGRAM_FILES)) != NULL;
    fth_least_bytes = least_bytes > 0 ? least_bytes : INT64_MIN; /* failed calls moved -1 */
    fth_least_ticks = least ? strtoull(least, NULL, 10) : 0;
    for (unsigned i = 0; i < fth_call_count; i++) {
        const struct fth_call_info *call = &fth_call_infos[i];
        bool wanted = has_lists ? is_listed(fth_call_words + call->layer,
                                            fth_call_words + call->name, call->flags)
                                : !(call->flags & FTH_CALL_OFF);
        want(i, wanted, call->binds);
        streams |= wanted && call->buffered;
    }
    for (unsigned i = 0; i < fth_plugin_count(); i++) {
        const struct fth_plugin *plugin = fth_plugin_at(i);
        for (uint32_t k = 0; k < plugin->call_count; k++)
            want(plugin->first_call + k,
                 is_listed(plugin->calls[k].layer, plugin->calls[k].name, plugin->calls[k].flags),
                 plugin->calls[k].binds);
    }
    if (streams)
        fth_wanted[FTH_CALL_stdio_read] = fth_wanted[FTH_CALL_stdio_write] =
            fth_wanted[FTH_CALL_stdio_seek] = fth_wanted[FTH_CALL_stdio_close] = FTH_WANTED;
    fth_recorded_again = fth_standings_unseen;
    fth_phases_start(below_streams);
    return !layers && !functions && !bytes && !least && !fth_setting(FTH_SETTING_NAME(SELECT));
}
