/* Plug-ins of users: looked for by name, read, and added to the catalogue. */
#include "cmd/record/find_plugins.h"

#include "base/memory.h"
#include "base/path_text.h"
#include "base/settings.h"
#include "base/sink.h"
#include "base/text.h"
#include "cmd/record/record.h"
#include "cmd/run/run.h"
#include "trace/program/plugin_file.h"
#include "trace/record/builtin.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MOST_FOLDERS = 34,
    MOST_PLUGINS = 16, /* the tracer has room for so many (capture/record/plugin.h) */
};

static const char beginning[] = "libfathom-", ending[] = ".so";

/* ---- places ---- */

struct folders {
    size_t count;
    char *paths[MOST_FOLDERS];
};

static void add_folder(struct folders *folders, const char *path, size_t length)
{
    if (length && folders->count < MOST_FOLDERS)
        folders->paths[folders->count++] = fth_text_part(path, length);
}

/* In the order in which they are looked through. */
static struct folders all_folders(void)
{
    struct folders folders = {0};
    char path[PATH_MAX];
    const char *given = getenv(FTH_SETTING_NAME(PLUGIN_PATH)), *data = getenv("HOME");
    for (size_t length; given && *given; given += length + (given[length] != 0)) {
        length = strcspn(given, ":");
        add_folder(&folders, given, length);
    }
    if (data && *data == '/' &&
        snprintf(path, sizeof path, "%s/.local/lib/fathom", data) < (int)sizeof path)
        add_folder(&folders, path, strlen(path));
    if (fth_record_tracer(path, NULL) == 0)
        add_folder(&folders, path, (size_t)(strrchr(path, '/') - path));
    return folders;
}

static void free_folders(struct folders *folders)
{
    for (size_t i = 0; i < folders->count; i++)
        free(folders->paths[i]);
}

/* ---- by name ---- */

static char *find_in(const struct folders *folders, const char *name)
{
    char path[PATH_MAX];
    for (size_t i = 0; i < folders->count; i++) {
        int length =
            snprintf(path, sizeof path, "%s/%s%s%s", folders->paths[i], beginning, name, ending);
        if (length > 0 && length < (int)sizeof path && access(path, R_OK) == 0)
            return fth_path_absolute(path);
    }
    return NULL;
}

static int say_nowhere(const struct folders *folders, const char *name, struct fth_error **error)
{
    char places[1024] = "", here[PATH_MAX];
    for (size_t i = 0; i < folders->count; i++)
        if (strlen(places) + strlen(folders->paths[i]) + 3 < sizeof places) {
            strcat(places, *places ? ", " : "");
            strcat(places, folders->paths[i]);
        }
    snprintf(here, sizeof here, "./%s%.200s%s", beginning, name, ending);
    if (access(here, R_OK) == 0)
        return fth_fail(error,
                        "there is no plug-in '%s' in %s; --with %s takes the one in this directory",
                        name, places, here);
    return fth_fail(error,
                    "there is no plug-in '%s': no %s%s%s in %s; FATHOM_PLUGIN_PATH adds folders, "
                    "and a name with a slash is the path of the file",
                    name, beginning, name, ending, places);
}

char *fth_record_find_plugin(const char *name, struct fth_error **error)
{
    if (strchr(name, '/') || fth_text_ends(name, ending)) {
        if (access(name, R_OK) == 0)
            return fth_path_absolute(name);
        fth_fail_errno(error, "cannot open the plug-in '%s'", name);
        return NULL;
    }
    struct folders folders = all_folders();
    char *found = find_in(&folders, name);
    if (!found)
        say_nowhere(&folders, name, error);
    free_folders(&folders);
    return found;
}

/* ---- what is there ---- */

static bool is_plugin(const char *path)
{
    char *text;
    size_t length;
    struct fth_error *error = NULL;
    if (fth_plugin_read(path, &text, &length, NULL, &error)) {
        fth_error_free(error);
        return false;
    }
    free(text);
    return true;
}

static void add_found(struct fth_sink *to, const char *folder, const char *file)
{
    char path[PATH_MAX];
    size_t length = strlen(file);
    if (strncmp(file, beginning, sizeof beginning - 1) != 0 || !fth_text_ends(file, ending) ||
        snprintf(path, sizeof path, "%s/%s", folder, file) >= (int)sizeof path || !is_plugin(path))
        return;
    fth_sink_text(to, to->used ? ", " : "");
    fth_sink_bytes(to, file + sizeof beginning - 1,
                   length - (sizeof beginning - 1) - (sizeof ending - 1));
    fth_sink_text(to, " (");
    fth_sink_text(to, path);
    fth_sink_char(to, ')');
}

char *fth_record_found_plugins(void)
{
    struct folders folders = all_folders();
    struct fth_sink found;
    fth_sink_open_memory(&found);
    for (size_t i = 0; i < folders.count; i++) {
        DIR *folder = opendir(folders.paths[i]);
        for (struct dirent *entry; folder && (entry = readdir(folder));)
            add_found(&found, folders.paths[i], entry->d_name);
        if (folder)
            closedir(folder);
    }
    free_folders(&folders);
    char *text = found.used ? fth_text_part(found.bytes, found.used) : NULL;
    fth_sink_close_memory(&found);
    return text;
}

/* ---- into the catalogue ---- */

int fth_record_add_plugin(json_t *plugins, const char *path, bool *is_foreign,
                          struct fth_error **error)
{
    char *rows;
    size_t length;
    if (strchr(path, ':'))
        return fth_fail(error, "the plug-in '%s' cannot be used: its path contains a colon", path);
    if (json_array_size(plugins) == MOST_PLUGINS)
        return fth_fail(error, "too many plug-ins: at most %d at a time", MOST_PLUGINS);
    if (fth_plugin_read(path, &rows, &length, is_foreign, error))
        return -1;
    int result = fth_builtin_extend(path, rows, length, error);
    if (result)
        fth_fail_in(error, "the plug-in '%s' does not match this version of Fathom", path);
    else
        json_array_append_new(
            plugins, json_pack("{s:o, s:s%}", "path", fth_run_text(path), "rows", rows, length));
    free(rows);
    return result;
}

int fth_record_take_plugins(const json_t *plugins, struct fth_error **error)
{
    for (size_t i = 0; i < json_array_size(plugins); i++) {
        const json_t *plugin = json_array_get(plugins, i), *rows = json_object_get(plugin, "rows");
        const char *path = json_string_value(json_object_get(plugin, "path"));
        if (!json_is_string(rows) || !path)
            return fth_fail(error, "a plug-in of the run has no rows");
        if (fth_builtin_extend(path, json_string_value(rows), json_string_length(rows), error))
            return fth_fail_in(error, "the plug-in '%s' does not match this version of Fathom",
                               path);
    }
    return 0;
}
