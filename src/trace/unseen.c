/* Programs that were started but left no spill file. */
#include "trace/unseen.h"

#include "base/memory.h"
#include "trace/program.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* A new program is told which image it comes from. */
static bool has_program(const struct fth_spill_folder *folder, uint64_t from, int64_t pid)
{
    for (size_t i = 0; i < folder->image_count; i++) {
        const struct fth_spill_process *process = folder->images[i].process;
        if (process->pid == pid && process->previous == from)
            return true;
    }
    return false;
}

static void add(char ***sentences, size_t *count, char *sentence)
{
    for (size_t i = 0; i < *count; i++)
        if (strcmp((*sentences)[i], sentence) == 0) {
            free(sentence);
            return;
        }
    FTH_GROW(*sentences, *count);
    (*sentences)[(*count)++] = sentence;
}

static char *explain(const char *name)
{
    char path[PATH_MAX], why[512], *sentence = NULL;
    if (!fth_program_find(name, path, sizeof path))
        snprintf(why, sizeof why, "the tracer did not come up in it");
    else if (!fth_program_is_unseen(path, why, sizeof why))
        snprintf(why, sizeof why, "the tracer did not come up in it: its environment was cleared, or it ended before");
    if (asprintf(&sentence, "%s: %s", name, why) < 0)
        return NULL;
    return sentence;
}

char **fth_unseen_programs(const struct fth_spill_folder *folder, size_t *count)
{
    char **sentences = NULL;
    *count = 0;
    for (size_t i = 0; i < folder->image_count; i++) {
        const struct fth_spill_process *process = folder->images[i].process;
        for (const char *at = NULL; (at = fth_spill_text(process, "unseen", at));)
            add(&sentences, count, strdup(at));
        for (const char *at = NULL; (at = fth_spill_text(process, "program", at));) {
            char *name;
            int64_t pid = strtoll(at, &name, 10);
            if (*name != ' ' || has_program(folder, process->image, pid))
                continue;
            char *sentence = explain(name + 1);
            if (sentence)
                add(&sentences, count, sentence);
        }
    }
    return sentences;
}
