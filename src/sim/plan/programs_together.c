/* Commands of each program are taken as they are, but for the numbers of files and communicators.
 * Ranks in them are those of a communicator, so "all processes" becomes one of the program's
 * own. */
#include "sim/plan/programs_together.h"

#include "base/memory.h"

#include <string.h>

enum { MOST_RANKS = 1 << 24 };

struct part {
    const struct fth_sim_program *program;
    uint32_t rank, file, communicator; /* its first ones; communicator: that of all its processes */
    const uint32_t *files;             /* numbers of its files; NULL: from the first one on */
    const bool *skipped;
    bool is_absent;
};

struct together {
    struct fth_sim_program program;
    struct part *parts; /* one more behind the last */
    size_t count;
    uint32_t *part_of; /* by rank */
};

static bool is_about_file(const struct fth_sim_command *command)
{
    return command->verb >= FTH_SIM_FILE_OPEN && command->verb <= FTH_SIM_FILE_WRITE_ALL;
}

/* What was begun is waited for later: that is not left out. */
static bool is_skipped(const struct part *part, const struct fth_sim_command *command)
{
    return part->skipped && is_about_file(command) && !command->request &&
           part->skipped[command->file];
}

static uint32_t number_of_file(const struct part *part, uint32_t file)
{
    bool has = part->files && file < part->program->file_count;
    return has ? part->files[file] : part->file + file;
}

static bool next(const struct fth_sim_program *program, uint32_t rank,
                 struct fth_sim_cursor *cursor, struct fth_sim_command *command)
{
    const struct together *together = (const struct together *)program;
    const struct part *part = &together->parts[together->part_of[rank]];
    do {
        if (part->is_absent ||
            !part->program->next(part->program, rank - part->rank, cursor, command))
            return false;
    } while (is_skipped(part, command));
    command->communicator += part->communicator + 1;
    command->file = number_of_file(part, command->file);
    return true;
}

/* Of one program, for the processes of all. */
static struct fth_sim_communicator widen(const struct fth_sim_communicator *communicator,
                                         const struct part *part, uint32_t ranks)
{
    uint32_t own = part->program->ranks;
    struct fth_sim_communicator wide = {.members = fth_new(own, sizeof(uint32_t)),
                                        .first = fth_new(ranks, sizeof(uint32_t)),
                                        .size = fth_new(ranks, sizeof(uint32_t)),
                                        .rank = fth_new(ranks, sizeof(uint32_t))};
    for (uint32_t i = 0; i < own; i++) {
        wide.members[i] = part->rank + (communicator ? communicator->members[i] : i);
        wide.first[part->rank + i] = communicator ? communicator->first[i] : 0;
        wide.size[part->rank + i] = communicator ? communicator->size[i] : own;
        wide.rank[part->rank + i] = communicator ? communicator->rank[i] : i;
    }
    return wide;
}

static void add_communicators(struct fth_sim_communicator *all, const struct part *part,
                              uint32_t ranks)
{
    all[part->communicator] = widen(NULL, part, ranks);
    for (uint32_t i = 0; i < part->program->communicator_count; i++)
        all[part->communicator + 1 + i] = widen(&part->program->communicators[i], part, ranks);
}

/* A file that the program has put on fewer servers than the set has stays on as many. */
static void add_files(struct fth_sim_file *files, const struct part *part,
                      const struct fth_sim_server_set *servers)
{
    for (uint32_t i = 0; i < part->program->file_count; i++) {
        struct fth_sim_file *file = &files[number_of_file(part, i)];
        uint64_t size = file->name ? file->size : 0;
        *file = part->program->files[i];
        file->size = size > file->size ? size : file->size;
        if (!servers->count)
            continue;
        file->servers =
            file->servers && file->servers < servers->count ? file->servers : servers->count;
        file->first = servers->first;
    }
}

static void free_parts(struct together *together)
{
    free(together->parts);
    free(together->part_of);
    free(together);
}

/* Of files that programs have in common. */
static uint32_t count_common(const struct fth_sim_contender *contenders, size_t count)
{
    uint32_t common = 0;
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; contenders[i].files && k < contenders[i].program->file_count; k++)
            if (contenders[i].files[k] >= common)
                common = contenders[i].files[k] + 1;
    return common;
}

static struct together *number(const struct fth_sim_contender *contenders, size_t count,
                               struct fth_error **error)
{
    struct together *together = fth_new(1, sizeof *together);
    struct part at = {.file = count_common(contenders, count)};
    together->parts = fth_new(count + 1, sizeof *together->parts);
    together->count = count;
    for (size_t i = 0; i < count; i++) {
        const struct fth_sim_program *program = contenders[i].program;
        at.program = program;
        at.is_absent = contenders[i].is_absent;
        at.files = contenders[i].files;
        at.skipped = contenders[i].skipped;
        together->parts[i] = at;
        if (program->ranks > MOST_RANKS - at.rank) {
            fth_fail(error, "the programs have more than %d processes", MOST_RANKS);
            free_parts(together);
            return NULL;
        }
        at.rank += program->ranks;
        at.file += at.files ? 0 : program->file_count;
        at.communicator += program->communicator_count + 1;
    }
    together->parts[count] = at;
    return together;
}

struct fth_sim_program *fth_sim_together_new(const struct fth_sim_contender *contenders,
                                             size_t count, struct fth_error **error)
{
    struct together *together = number(contenders, count, error);
    if (!together)
        return NULL;
    const struct part *end = &together->parts[count];
    struct fth_sim_communicator *communicators = fth_new(end->communicator, sizeof *communicators);
    struct fth_sim_file *files = fth_new(end->file + 1, sizeof *files);
    together->part_of = fth_new(end->rank, sizeof *together->part_of);
    for (size_t i = 0; i < count; i++) {
        const struct part *part = &together->parts[i];
        for (uint32_t rank = 0; rank < part->program->ranks; rank++)
            together->part_of[part->rank + rank] = (uint32_t)i;
        add_communicators(communicators, part, end->rank);
        add_files(files, part, &contenders[i].servers);
    }
    together->program = (struct fth_sim_program){.ranks = end->rank,
                                                 .numbers = contenders[0].program->numbers,
                                                 .communicators = communicators,
                                                 .communicator_count = end->communicator,
                                                 .files = files,
                                                 .file_count = end->file,
                                                 .next = next};
    return &together->program;
}

void fth_sim_together_free(struct fth_sim_program *program)
{
    struct together *together = (struct together *)program;
    if (!program)
        return;
    struct fth_sim_communicator *communicators =
        (struct fth_sim_communicator *)(uintptr_t)program->communicators;
    for (uint32_t i = 0; i < program->communicator_count; i++)
        fth_sim_communicator_free(&communicators[i]);
    free(communicators);
    free((void *)(uintptr_t)program->files);
    free_parts(together);
}

uint32_t fth_sim_together_rank(const struct fth_sim_program *together, size_t index)
{
    return ((const struct together *)together)->parts[index].rank;
}

uint32_t fth_sim_together_file(const struct fth_sim_program *together, size_t index)
{
    return ((const struct together *)together)->parts[index].file;
}
