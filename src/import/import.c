/* The importers: see the header. */
#include "import/import.h"

#include <string.h>
#include <sys/stat.h>
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

static bool has_extension(const struct fth_importer *importer, const char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    for (const char *const *each = importer->extensions; each && *each; each++) {
        size_t end = strlen(*each);
        if (length > end && memcmp(path + length - end, *each, end) == 0)
            return true;
    }
    return false;
}

/* From the last one on: a log of strace has no mark, and a line of it may be in any text. */
static const struct fth_importer *find(const char *path)
{
    for (size_t i = fth_importer_count; i-- > 0;)
        if (fth_importers[i]->knows(path))
            return fth_importers[i];
    for (size_t i = 0; i < fth_importer_count; i++)
        if (has_extension(fth_importers[i], path))
            return fth_importers[i];
    return NULL;
}

const struct fth_importer *fth_importer_of(const char *path, struct fth_error **error)
{
    struct stat facts;
    bool is_there = stat(path, &facts) == 0;
    bool is_kept = !is_there || S_ISREG(facts.st_mode) || S_ISDIR(facts.st_mode);
    const struct fth_importer *found = is_kept && strcmp(path, "-") ? find(path) : NULL;
    if (found)
        return found;
    if (strcmp(path, "-") == 0)
        fth_fail(error, "the standard input can be of any format: use --from");
    else if (!is_kept)
        fth_fail(error, "'%s' can be of any format, and can be read once only: use --from", path);
    else if (access(path, R_OK) != 0)
        fth_fail_errno(error, "cannot open '%s'", path);
    else
        fth_fail(error, 
                 "'%s' is in no format that can be imported (`fathom import --help` lists them)",
                 path);
    return NULL;
}
