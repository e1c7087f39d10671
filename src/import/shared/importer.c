/* What importers find out about an input, and gather about a run: see the header. */
#include "import/shared/importer.h"

#include "base/memory.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

size_t fth_imported_beginning(const char *path, void *bytes, size_t size)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? -1 : pread(file, bytes, size, 0);
    if (file >= 0)
        close(file);
    return length < 0 ? 0 : (size_t)length;
}

bool fth_imported_has_file(const char *folder, const char *name)
{
    struct stat facts;
    char *path = fth_text_format("%s/%s", folder, name);
    bool has = stat(path, &facts) == 0 && S_ISREG(facts.st_mode);
    free(path);
    return has;
}

void fth_imported_unseen(struct fth_imported *imported, char *sentence)
{
    FTH_GROW(imported->unseen, imported->unseen_count);
    imported->unseen[imported->unseen_count++] = sentence;
}

void fth_imported_free(struct fth_imported *imported)
{
    for (size_t i = 0; i < imported->unseen_count; i++)
        free(imported->unseen[i]);
    free(imported->unseen);
    free(imported->directory);
    free(imported->host);
    fth_bytes_free(&imported->command);
    *imported = (struct fth_imported){0};
}

void fth_imported_counters_free(struct fth_imported_counters *counters)
{
    for (size_t i = 0; i < counters->count; i++)
        fth_table_free(counters->tables[i]);
    free(counters->command);
    *counters = (struct fth_imported_counters){0};
}
