/* The importers: see the header. */
#include "import/import.h"

#include <string.h>
#include <unistd.h>

const struct fth_importer *const fth_importers[] = {&fth_importer_strace, &fth_importer_otf2,
                                                    &fth_importer_hdtrace, &fth_importer_darshan,
                                                    &fth_importer_recorder};
const size_t fth_importer_count = sizeof fth_importers / sizeof *fth_importers;

const struct fth_importer *fth_importer_named(const char *name)
{
    for (size_t i = 0; i < fth_importer_count; i++)
        if (strcmp(fth_importers[i]->name, name) == 0)
            return fth_importers[i];
    return NULL;
}

const struct fth_importer *fth_importer_of(const char *path, struct fth_error **error)
{
    for (size_t i = 0; i < fth_importer_count; i++)
        if (fth_importers[i]->knows(path))
            return fth_importers[i];
    if (strcmp(path, "-") == 0)
        fth_fail(error, "the standard input can be of any format: use --from");
    else if (access(path, R_OK) != 0)
        fth_fail_errno(error, "cannot open '%s'", path);
    else
        fth_fail(error, "'%s' is in no format that can be imported", path);
    return NULL;
}
