/* What importers gather about a run: see the header. */
#include "import/shared/importer.h"

#include "base/memory.h"

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
