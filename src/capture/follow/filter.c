/* What is to be recorded: layers, functions and paths, as `fathom record` passes them on in the
 * environment. */
#include "base/settings.h"
#include "calls.h"
#include "capture/follow/handle_slots.h"
#include "capture/follow/descriptor_identity.h"
#include "capture/follow/paths.h"
#include "capture/follow/written_files.h"
#include "capture/process/environment.h"
#include "capture/record/plugin.h"
#include "capture/record/runtime.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PREFIXES = 64, MOST_TEXT = 8192 };

struct prefixes {
    unsigned count;
    char *prefix[MOST_PREFIXES];
    size_t length[MOST_PREFIXES];
    char text[MOST_TEXT];
};

static struct prefixes included, excluded;
static bool programs_own_files_too; /* shared libraries, Python's files */

/* Splits "A:B:C" in place. */
static void split(const char *list, struct prefixes *prefixes)
{
    if (!list || strlen(list) >= sizeof prefixes->text)
        return;
    strcpy(prefixes->text, list);
    char *rest = prefixes->text, *item;
    while ((item = strsep(&rest, ":")) && prefixes->count < MOST_PREFIXES) {
        if (!*item)
            continue;
        prefixes->prefix[prefixes->count] = item;
        prefixes->length[prefixes->count++] = strlen(item);
    }
}

static bool matches(const struct prefixes *prefixes, const char *path)
{
    for (unsigned i = 0; i < prefixes->count; i++)
        if (strncmp(path, prefixes->prefix[i], prefixes->length[i]) == 0)
            return true;
    return false;
}

static bool ends_with(const char *path, size_t length, const char *ending)
{
    size_t size = strlen(ending);
    return length >= size && memcmp(path + length - size, ending, size) == 0;
}

/* Shared libraries, what the loader and the C library read for themselves, and Python's own
 * files. */
static bool is_programs_own(const char *path)
{
    size_t length = strlen(path);
    return ends_with(path, length, ".so") || strstr(path, ".so.") ||
           ends_with(path, length, ".pyc") || ends_with(path, length, ".py") ||
           strstr(path, "/__pycache__") || strstr(path, "/site-packages/") ||
           strstr(path, "/dist-packages/") || strstr(path, "/lib/python3");
}

/* What leaves out a path, or NULL. Files in memory are files: that of /dev/ means devices. */
static const char *excluded_by(const char *path)
{
    for (unsigned i = 0; i < excluded.count; i++)
        if (strncmp(path, excluded.prefix[i], excluded.length[i]) == 0 &&
            (strcmp(excluded.prefix[i], "/dev/") != 0 || strncmp(path, "/dev/shm/", 9) != 0))
            return excluded.prefix[i];
    return NULL;
}

/* Files that are left out because programs mostly only read them. Those of Python's caches are
 * written once, under other names, and belong to the interpreter. */
static bool is_left_out_as_read(const char *path)
{
    static const char *const folders[] = {"/run/",           "/lib/",
                                          "/lib64/",         "/usr/lib/",
                                          "/usr/lib64/",     "/usr/share/locale/",
                                          "/etc/ld.so.",     "/usr/share/zoneinfo/",
                                          "/usr/share/i18n/"};
    const char *by = excluded_by(path);
    if (strstr(path, "/__pycache__"))
        return false;
    for (size_t i = 0; by && i < sizeof folders / sizeof *folders; i++)
        if (strcmp(by, folders[i]) == 0)
            return true;
    return !by && is_programs_own(path);
}

/* In a folder that is left out, but that users write to, a link may lead to a file of theirs. In
 * the folders of the system, which programs look into often, none does. */
static bool may_be_users_link(const char *path)
{
    return excluded_by(path) && strncmp(path, "/dev/", 5) != 0 && strncmp(path, "/usr/", 5) != 0 &&
           strncmp(path, "/lib", 4) != 0 && strncmp(path, "/sys/", 5) != 0 &&
           strncmp(path, "/proc/", 6) != 0;
}

bool fth_absolute_path_is_wanted(const char *path, enum fth_path_use use)
{
    path = fth_led_to(path);
    if (included.count)
        return matches(&included, path);
    if (may_be_users_link(path))
        path = fth_link_led_to(path);
    if (!excluded_by(path) && (programs_own_files_too || !is_programs_own(path)))
        return true;
    if (!is_left_out_as_read(path))
        return false;
    return use == FTH_PATH_WRITTEN ? fth_file_is_written(path)
                                   : fth_file_was_written(path, use == FTH_PATH_READ);
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
    split(fth_setting(FTH_SETTING_NAME(INCLUDE)), &included);
    split(fth_setting(FTH_SETTING_NAME(EXCLUDE)), &excluded);
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
    return !layers && !functions && !bytes && !least;
}
