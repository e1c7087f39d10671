/* Looks up each folder on the path of a file. */
#include "analysis/passes/named_folders.h"

void fth_named_folders_add(struct fth_named_folders *folders, const struct fth_survey_file *folder)
{
    folders->names.size = sizeof(bool);
    fth_keyed_get(&folders->names, folder->path, strlen(folder->path));
}

bool fth_named_folders_hold(const struct fth_named_folders *folders,
                            const struct fth_survey_file *file)
{
    if (!fth_keyed_count(&folders->names))
        return false;
    for (const char *slash = strchr(file->path, '/'); slash; slash = strchr(slash + 1, '/'))
        if (slash > file->path &&
            fth_keyed_has(&folders->names, file->path, (size_t)(slash - file->path)))
            return true;
    return false;
}

void fth_named_folders_free(struct fth_named_folders *folders)
{
    fth_keyed_free(&folders->names);
}
