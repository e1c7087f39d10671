/* The file that a staging writes, and failures. */
#include "fs/server/stage_state.h"

#include "fs/protocol/held_files.h"

#include <stdio.h>

void fth_staging_fail(struct fth_staging *staging, struct fth_error *error)
{
    staging->has_failed = true;
    if (!staging->error) {
        staging->error = error;
        return;
    }
    fprintf(stderr, "fathom fs: %s\n", fth_error_text(error));
    fth_error_free(error);
}

bool fth_staging_open(struct fth_staging *staging)
{
    const struct fth_published_file *file = fth_staging_file(staging);
    struct fth_error *error = NULL;
    size_t length;
    const char *path = fth_published_path(staging->published, staging->file, &length);
    if (staging->has_target)
        return true;
    int failed =
        !file->is_held && fth_held_is_identity(path, length)
            ? fth_fail(&error, "'%s' is not held here, where bytes of it are", staging->name)
            : fth_stage_target_open(&staging->target, file, staging->instance->under, staging->name,
                                    staging->of.at_end, &error);
    staging->has_target = !failed;
    if (failed)
        fth_staging_fail(staging, error);
    return !failed;
}
