/* Instances that are there, by their settings. */
#include "cmd/fs/fs_in_use.h"

#include "cmd/fs/fs_mount_place.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool contains(const char *folder, const char *other)
{
    size_t length = strlen(folder);
    return length && *other && strncmp(folder, other, length) == 0 &&
           (!other[length] || other[length] == '/' || folder[length - 1] == '/');
}

static bool overlap(const char *one, const char *other)
{
    return contains(one, other) || contains(other, one);
}

enum { FOLDERS = 2 /* DIR, and PREFIX: "" where it has none */ };

/* A prefix that cannot be resolved is taken as it is. */
static void take_folders(const struct fth_fs_instance *instance, char folders[FOLDERS][PATH_MAX])
{
    snprintf(folders[0], PATH_MAX, "%s", instance->under_path);
    if (!*instance->prefix || (!realpath(instance->prefix, folders[1]) &&
                               !fth_cmd_fs_place_resolve(instance->prefix, folders[1])))
        snprintf(folders[1], PATH_MAX, "%s", instance->prefix);
}

/* The folder of the other one that both have. NULL: none. */
static const char *find_shared(char own[FOLDERS][PATH_MAX], char theirs[FOLDERS][PATH_MAX])
{
    for (int i = 0; i < FOLDERS; i++)
        for (int j = 0; j < FOLDERS; j++)
            if (overlap(own[i], theirs[j]))
                return theirs[j];
    return NULL;
}

static int compare(const struct fth_fs_instance *instance, const struct fth_fs_instance *other,
                   const char *name, struct fth_error **error)
{
    char own[FOLDERS][PATH_MAX], theirs[FOLDERS][PATH_MAX];
    if (!instance->rules.model_count && !other->rules.model_count)
        return 0;
    take_folders(instance, own);
    take_folders(other, theirs);
    const char *shared = find_shared(own, theirs);
    if (!shared)
        return 0;
    return fth_fail(error,
                    "'%s' is in use by the instance '%s': run the program there (fathom fs run "
                    "--instance %s), or end it (fathom fs stop --instance %s)",
                    shared, name, name, name);
}

/* Instances on several nodes meet in the folder below, also where this node has none of their
 * servers. */
static int check_meetings(const struct fth_fs_instance *instance, const char *own,
                          struct fth_error **error)
{
    static const char start[] = ".fathom-fs-";
    DIR *entries = instance->rules.model_count ? opendir(instance->under_path) : NULL;
    struct dirent *entry;
    int failed = 0;
    while (entries && !failed && (entry = readdir(entries)))
        if (strncmp(entry->d_name, start, sizeof start - 1) == 0 &&
            (instance->server_count == 1 || strcmp(entry->d_name + sizeof start - 1, own) != 0))
            failed =
                fth_fail(error,
                         "'%s' is in use by the instance '%s' on several nodes; if it is not "
                         "there any more, remove the folder '%s' in it",
                         instance->under_path, entry->d_name + sizeof start - 1, entry->d_name);
    if (entries)
        closedir(entries);
    return failed;
}

int fth_cmd_fs_check_use(const struct fth_fs_instance *instance, const char *parent,
                         const char *own, struct fth_error **error)
{
    DIR *entries = opendir(parent);
    struct dirent *entry;
    int failed = check_meetings(instance, own, error);
    while (entries && !failed && (entry = readdir(entries))) {
        struct fth_fs_instance other;
        char path[PATH_MAX];
        if (*entry->d_name == '.' ||
            snprintf(path, sizeof path, "%s/%s", parent, entry->d_name) >= (int)sizeof path ||
            fth_instance_open(&other, path, NULL))
            continue;
        failed = compare(instance, &other, entry->d_name, error);
        fth_instance_close(&other);
    }
    if (entries)
        closedir(entries);
    return failed;
}
