/* Reads what programs say of files: see the header. */
#include "sim/program/program_files.h"

#include "base/memory.h"

#include <string.h>

static const struct fth_sim_file *find(const struct fth_sim_named_files *files, const char *name)
{
    for (uint32_t i = 0; i < files->count; i++)
        if (!strcmp(files->files[i].name, name))
            return &files->files[i];
    return NULL;
}

int fth_sim_named_files_add(struct fth_sim_words *words, struct fth_sim_named_files *files,
                            const struct fth_sim_file *file)
{
    if (find(files, file->name))
        return fth_sim_words_fail(words, "there is already a file", file->name);
    FTH_GROW(files->files, files->count);
    files->files[files->count] = *file;
    files->files[files->count++].name = strcpy(fth_new(strlen(file->name) + 1, 1), file->name);
    return 0;
}

int fth_sim_words_file(struct fth_sim_words *words, struct fth_sim_named_files *files)
{
    char name[FTH_SIM_WORD], word[FTH_SIM_WORD];
    struct fth_sim_file file = {0};
    size_t length = fth_sim_words_peek(words, name);
    if (!length || *name == '#')
        return fth_sim_words_fail(words, "expected a name after 'file'", "");
    words->at += length;
    while (fth_sim_words_peek(words, word) && *word != '#') {
        int result;
        if (fth_sim_words_accept(words, "size"))
            result = fth_sim_words_quantity(words, FTH_SIM_BYTES, &file.size);
        else if (fth_sim_words_accept(words, "stripe"))
            result = fth_sim_words_quantity(words, FTH_SIM_BYTES, &file.stripe);
        else if (fth_sim_words_accept(words, "servers"))
            result = fth_sim_words_count(words, 1, 1 << 24, &file.servers);
        else if (fth_sim_words_accept(words, "first"))
            result = fth_sim_words_count(words, 0, 1 << 24, &file.first);
        else if (fth_sim_words_accept(words, "cb_nodes"))
            result = fth_sim_words_count(words, 1, 1 << 24, &file.cb_nodes);
        else if (fth_sim_words_accept(words, "cb_buffer_size"))
            result = fth_sim_words_quantity(words, FTH_SIM_BYTES, &file.cb_buffer);
        else
            return fth_sim_words_fail(words, "this does not belong to a file:", word);
        if (result)
            return -1;
    }
    if (file.size > FTH_SIM_MOST_OFFSET || file.stripe > UINT32_MAX ||
        file.cb_buffer > FTH_SIM_MOST_OFFSET)
        return fth_sim_words_fail(words, "a file has at most 1 EiB (1152921504606846976 B):", name);
    file.name = name;
    return fth_sim_named_files_add(words, files, &file);
}

void fth_sim_named_files_free(struct fth_sim_named_files *files)
{
    for (uint32_t i = 0; i < files->count; i++)
        free((void *)(uintptr_t)files->files[i].name);
    free(files->files);
}

bool fth_sim_works_with_file(enum fth_sim_verb verb)
{
    return verb >= FTH_SIM_FILE_OPEN && verb <= FTH_SIM_FILE_WRITE_ALL;
}

static bool moves_bytes(enum fth_sim_verb verb)
{
    return verb == FTH_SIM_FILE_READ || verb == FTH_SIM_FILE_WRITE ||
           verb == FTH_SIM_FILE_READ_ALL || verb == FTH_SIM_FILE_WRITE_ALL;
}

/* "1 MiB * rank + 64 KiB * turn + 4 KiB", in any order. */
static int read_place(struct fth_sim_words *words, struct fth_sim_place *place)
{
    do {
        uint64_t part = 0, *to = &place->base;
        if (fth_sim_words_quantity(words, FTH_SIM_BYTES, &part))
            return -1;
        if (part > FTH_SIM_MOST_OFFSET)
            return fth_sim_words_fail(words, "a file has at most 1 EiB (1152921504606846976 B)",
                                      "");
        if (fth_sim_words_accept(words, "*")) {
            if (fth_sim_words_accept(words, "rank"))
                to = &place->per_rank;
            else if (fth_sim_words_accept(words, "turn"))
                to = &place->per_turn;
            else
                return fth_sim_words_fail(words, "expected 'rank' or 'turn' after the '*'", "");
        }
        *to += part;
    } while (fth_sim_words_accept(words, "+"));
    return 0;
}

int fth_sim_words_access(struct fth_sim_words *words, const struct fth_sim_named_files *files,
                         bool begins, struct fth_sim_command *command, struct fth_sim_place *place)
{
    char word[FTH_SIM_WORD];
    uint32_t count = 1;
    struct fth_sim_ranges *ranges = &command->ranges;
    size_t length = fth_sim_words_peek(words, word);
    const struct fth_sim_file *file = find(files, word);
    if (!file)
        return fth_sim_words_fail(words, "there is no line 'file' before this for", word);
    words->at += length;
    command->file = (uint32_t)(file - files->files);
    while (fth_sim_words_peek(words, word) && *word != '#') {
        int result;
        if (begins && fth_sim_words_accept(words, "request"))
            result = fth_sim_words_count(words, 1, FTH_SIM_MOST_REQUESTS, &command->request);
        else if (!moves_bytes(command->verb))
            return fth_sim_words_fail(words, "this does not belong to the command:", word);
        else if (fth_sim_words_accept(words, "at"))
            result = read_place(words, place);
        else if (fth_sim_words_accept(words, "size"))
            result = fth_sim_words_quantity(words, FTH_SIM_BYTES, &ranges->bytes) ||
                     (!ranges->bytes && fth_sim_words_fail(words, "the minimum is one byte", ""));
        else if (fth_sim_words_accept(words, "count"))
            result = fth_sim_words_count(words, 1, 1 << 30, &count);
        else if (fth_sim_words_accept(words, "stride"))
            result = fth_sim_words_quantity(words, FTH_SIM_BYTES, &ranges->stride);
        else
            return fth_sim_words_fail(words, "this does not belong to the command:", word);
        if (result)
            return -1;
    }
    if (!moves_bytes(command->verb))
        return 0;
    ranges->count = count;
    if (!ranges->bytes)
        return fth_sim_words_fail(words, "it lacks 'size BYTES'", "");
    if (count > 1 && ranges->stride < ranges->bytes)
        return fth_sim_words_fail(words, "'count' needs a 'stride' of at least the size", "");
    if (ranges->bytes > FTH_SIM_MOST_OFFSET || ranges->stride > FTH_SIM_MOST_OFFSET / count)
        return fth_sim_words_fail(words, "a file has at most 1 EiB (1152921504606846976 B)", "");
    return 0;
}
