/* A run may have one file that needs a strong model, and many that need none: for each file that
 * several processes accessed, the weakest model of the ladder without a violation there; and for
 * those that one did. */
#include "verify/report/by_file.h"

#include "base/memory.h"

#include <string.h>

struct models_of_file {
    uint64_t racy, unsure; /* bits of models */
    uint32_t proc;         /* that accessed it + 1; 0: none */
    bool shared;
};

static struct models_of_file *models_of_files(const struct fth_run_accesses *accesses,
                                              uint32_t file_count, const struct fth_groups *groups)
{
    struct models_of_file *found = fth_new((size_t)file_count + 1, sizeof *found);
    for (size_t i = 0; i < accesses->situation_count; i++) {
        struct models_of_file *file = &found[accesses->situations[i].opening];
        uint32_t proc = accesses->situations[i].proc + 1;
        file->shared |= file->proc && file->proc != proc;
        file->proc = proc;
    }
    for (uint32_t i = 0; i < groups->keys.count; i++) {
        size_t length;
        struct fth_group_key key;
        memcpy(&key, fth_interned(&groups->keys, i, &length), sizeof key);
        *(key.unsure || key.doubt ? &found[key.file].unsure : &found[key.file].racy) |= key.models;
    }
    return found;
}

static struct fth_verdict_by_file verdict_of(const struct fth_verdict *verdict, const char *name,
                                             const struct models_of_file *file)
{
    struct fth_verdict_by_file found = {.name = name};
    size_t lowest = 0;
    for (size_t i = 0; i < verdict->model_count; i++) {
        const struct fth_verdict_model *model = &verdict->models[i];
        bool racy = file->racy >> i & 1, unsure = file->unsure >> i & 1;
        bool is_asked = model->is_on_ladder || verdict->model_count == 1;
        if (!is_asked)
            continue;
        found.racy |= model->rung == 0 && racy;
        found.unknown |= model->rung == 0 && unsure && !racy;
        if (!racy && !unsure && (!found.weakest || model->rung > lowest)) {
            found.weakest = model->model;
            lowest = model->rung;
        }
    }
    if (found.racy || found.unknown)
        found.weakest = NULL;
    return found;
}

/* Where its accesses went was chance. */
static void doubt_places(const struct fth_verdict *verdict, struct fth_verdict_by_file *file)
{
    bool is_doubted = false;
    for (size_t i = 0; i < verdict->placed_file_count && !is_doubted; i++)
        is_doubted = strcmp(verdict->placed_files[i].name, file->name) == 0;
    for (size_t i = 0; i < verdict->position_race_count && !is_doubted; i++)
        is_doubted = strcmp(verdict->position_races[i].file, file->name) == 0;
    if (!is_doubted || file->racy)
        return;
    file->unknown = true;
    file->weakest = NULL;
}

static int by_name(const void *a, const void *b)
{
    const struct fth_verdict_by_file *one = a, *other = b;
    return strcmp(one->name, other->name);
}

static void add(struct fth_verdict_by_file **files, size_t *count,
                const struct fth_verdict_by_file *file)
{
    FTH_GROW(*files, *count);
    (*files)[(*count)++] = *file;
}

static void sort(struct fth_verdict_by_file *files, size_t count)
{
    if (count)
        qsort(files, count, sizeof *files, by_name);
}

void fth_by_file_find(struct fth_verdict *verdict, const struct fth_run_accesses *accesses,
                      const struct fth_files *files, const struct fth_groups *groups)
{
    struct models_of_file *found = models_of_files(accesses, files->count, groups);
    for (uint32_t i = 0; i < files->count; i++) {
        size_t length;
        if (!found[i].proc)
            continue;
        struct fth_verdict_by_file file = verdict_of(
            verdict, fth_run_accesses_name(accesses, files->names[i], &length), &found[i]);
        file.renamed = fth_files_renamed(files, accesses, i);
        doubt_places(verdict, &file);
        if (found[i].shared)
            add(&verdict->by_file, &verdict->by_file_count, &file);
        else
            add(&verdict->single, &verdict->single_count, &file);
    }
    free(found);
    sort(verdict->by_file, verdict->by_file_count);
    sort(verdict->single, verdict->single_count);
}
