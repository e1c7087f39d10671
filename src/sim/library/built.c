/* Programs that another program builds command by command. A command is kept once, however many
 * ranks have it; each rank has a list of them. */
#include "sim/library/sim_objects.h"

#include "base/memory.h"
#include "sim/program/program_files.h"

#include <stdio.h>
#include <string.h>

/* A place in a rank's list. */
struct item {
    uint32_t command;
    uint32_t other; /* of a repeat: the place of its end; of an end: that of its repeat */
};

struct list {
    struct item *items;
    uint32_t count;
    uint32_t open[FTH_SIM_LOOPS], depth; /* repeats that have no end yet */
};

struct kept {
    enum { COMMAND, REPEAT, END } kind;
    uint64_t turns;
    struct fth_sim_command command;
};

struct built {
    struct fth_sim_program program;
    struct kept *commands;
    uint32_t count;
    struct list *lists; /* by rank */
    struct fth_sim_file *files;
    struct fth_sim_communicator *communicators;
};

enum { MOST_COMMANDS = 1 << 30, MOST_REQUESTS = 1 << 30 };

/* ---- going through it ---- */

static bool next(const struct fth_sim_program *program, uint32_t rank,
                 struct fth_sim_cursor *cursor, struct fth_sim_command *command)
{
    const struct built *built = (const struct built *)program;
    const struct list *list = &built->lists[rank];
    while (cursor->at < list->count) {
        const struct item *item = &list->items[cursor->at++];
        const struct kept *kept = &built->commands[item->command];
        if (kept->kind == COMMAND) {
            *command = kept->command;
            command->line = cursor->at;
            return true;
        }
        if (kept->kind == REPEAT) {
            if (kept->turns)
                cursor->turns[cursor->depth++] = kept->turns;
            else
                cursor->at = item->other + 1;
        } else if (--cursor->turns[cursor->depth - 1]) {
            cursor->at = item->other + 1;
        } else {
            cursor->depth--;
        }
    }
    return false;
}

struct fth_sim_program *fth_sim_built_new(uint32_t ranks)
{
    struct built *built = fth_new(1, sizeof *built);
    built->lists = fth_new(ranks, sizeof *built->lists);
    built->program = (struct fth_sim_program){.ranks = ranks, .numbers = "command", .next = next};
    return &built->program;
}

void fth_sim_built_free(struct fth_sim_program *program)
{
    struct built *built = (struct built *)program;
    for (uint32_t i = 0; i < program->ranks; i++)
        free(built->lists[i].items);
    for (uint32_t i = 0; i < built->count; i++)
        free((void *)(uintptr_t)built->commands[i].command.ranges.list);
    for (uint32_t i = 0; i < program->file_count; i++)
        free((void *)(uintptr_t)built->files[i].name);
    for (uint32_t i = 0; i < program->communicator_count; i++)
        fth_sim_communicator_free(&built->communicators[i]);
    free(built->lists);
    free(built->commands);
    free(built->files);
    free(built->communicators);
    free(built);
}

/* ---- files and communicators ---- */

int64_t fth_sim_built_file(struct fth_sim_program *program, const struct fth_program_file *file,
                           struct fth_error **error)
{
    struct built *built = (struct built *)program;
    const char *name = file->name ? file->name : "";
    if (!*name)
        return fth_fail(error, "a file needs a name");
    for (uint32_t i = 0; i < program->file_count; i++)
        if (!strcmp(built->files[i].name, name))
            return fth_fail(error, "there is already a file '%s'", name);
    if (file->size > FTH_SIM_MOST_OFFSET || file->stripe > UINT32_MAX)
        return fth_fail(error, "file '%s': %s", name,
                        file->size > FTH_SIM_MOST_OFFSET ? "it is larger than 1 EiB"
                                                         : "its stripe is larger than 4 GiB");
    FTH_GROW(built->files, program->file_count);
    built->files[program->file_count] =
        (struct fth_sim_file){.name = strcpy(fth_new(strlen(name) + 1, 1), name),
                              .size = file->size,
                              .stripe = file->stripe,
                              .servers = file->servers,
                              .first = file->first};
    program->files = built->files;
    return program->file_count++;
}

int64_t fth_sim_built_split(struct fth_sim_program *program, const uint32_t *colors,
                            const uint32_t *keys)
{
    struct built *built = (struct built *)program;
    FTH_GROW(built->communicators, program->communicator_count);
    fth_sim_communicator_split(&built->communicators[program->communicator_count], program->ranks,
                               colors, keys);
    program->communicators = built->communicators;
    return ++program->communicator_count;
}

/* ---- what a command says ---- */

/* Which members of a command count for its verb. */
enum {
    TO = 1,
    FROM = 2,
    TAG = 4,
    FROM_TAG = 8,
    ROOT = 16,
    BYTES = 32,
    NUMBERS = 64,
    ONE_FILE = 128,
    RANGES = 256,
    TIME = 512,
    IN_WORLD = 1024 /* only of all processes */
};
static const struct {
    enum fth_sim_verb verb;
    unsigned has;
} known[FTH_VERBS] = {
    [FTH_VERB_COMPUTE] = {FTH_SIM_COMPUTE, TIME},
    [FTH_VERB_SEND] = {FTH_SIM_SEND, TO | BYTES | TAG},
    [FTH_VERB_RECV] = {FTH_SIM_RECV, FROM | TAG},
    [FTH_VERB_SENDRECV] = {FTH_SIM_SENDRECV, TO | FROM | BYTES | TAG | FROM_TAG},
    [FTH_VERB_PUT] = {FTH_SIM_PUT, TO | BYTES},
    [FTH_VERB_GET] = {FTH_SIM_GET, FROM | BYTES},
    [FTH_VERB_PROBE] = {FTH_SIM_PROBE, FROM | TAG},
    [FTH_VERB_BARRIER] = {FTH_SIM_BARRIER, 0},
    [FTH_VERB_BCAST] = {FTH_SIM_BCAST, ROOT | BYTES},
    [FTH_VERB_REDUCE] = {FTH_SIM_REDUCE, ROOT | BYTES},
    [FTH_VERB_ALLREDUCE] = {FTH_SIM_ALLREDUCE, BYTES},
    [FTH_VERB_GATHER] = {FTH_SIM_GATHER, ROOT | BYTES},
    [FTH_VERB_SCATTER] = {FTH_SIM_SCATTER, ROOT | BYTES},
    [FTH_VERB_ALLGATHER] = {FTH_SIM_ALLGATHER, BYTES},
    [FTH_VERB_ALLTOALL] = {FTH_SIM_ALLTOALL, BYTES},
    [FTH_VERB_REDUCE_SCATTER] = {FTH_SIM_REDUCE_SCATTER, BYTES},
    [FTH_VERB_SCAN] = {FTH_SIM_SCAN, BYTES},
    [FTH_VERB_EXSCAN] = {FTH_SIM_EXSCAN, BYTES},
    [FTH_VERB_WAIT] = {FTH_SIM_WAIT, NUMBERS},
    [FTH_VERB_WAITANY] = {FTH_SIM_WAITANY, NUMBERS},
    [FTH_VERB_TEST] = {FTH_SIM_TEST, NUMBERS},
    [FTH_VERB_FILE_OPEN] = {FTH_SIM_FILE_OPEN, ONE_FILE},
    [FTH_VERB_FILE_CLOSE] = {FTH_SIM_FILE_CLOSE, ONE_FILE},
    [FTH_VERB_FILE_LOOKUP] = {FTH_SIM_FILE_LOOKUP, ONE_FILE},
    [FTH_VERB_FILE_READ] = {FTH_SIM_FILE_READ, ONE_FILE | RANGES},
    [FTH_VERB_FILE_WRITE] = {FTH_SIM_FILE_WRITE, ONE_FILE | RANGES},
    [FTH_VERB_FILE_FLUSH] = {FTH_SIM_FILE_SYNC, ONE_FILE},
    [FTH_VERB_FILE_OPEN_ALL] = {FTH_SIM_FILE_OPEN_ALL, ONE_FILE},
    [FTH_VERB_FILE_CLOSE_ALL] = {FTH_SIM_FILE_CLOSE_ALL, ONE_FILE},
    [FTH_VERB_FILE_READ_ALL] = {FTH_SIM_FILE_READ_ALL, ONE_FILE | RANGES},
    [FTH_VERB_FILE_WRITE_ALL] = {FTH_SIM_FILE_WRITE_ALL, ONE_FILE | RANGES},
};

static int check_rank(const char *name, uint32_t rank, uint32_t ranks, struct fth_error **error)
{
    return rank < ranks ? 0
                        : fth_fail(error, "there is no rank %u as `%s`, ranks are 0 to %u", rank,
                                   name, ranks - 1);
}

static int check_ranks(const struct fth_command *command, unsigned has, uint32_t ranks,
                       struct fth_error **error)
{
    bool may_be_any = command->from == FTH_ANY_RANK && (has & (TAG | FROM_TAG));
    if ((has & TO) && check_rank("to", command->to, ranks, error))
        return -1;
    if ((has & FROM) && !may_be_any && check_rank("from", command->from, ranks, error))
        return -1;
    if ((has & ROOT) && check_rank("root", command->root, ranks, error))
        return -1;
    bool sends = has & TO && has & TAG;
    return sends && command->tag == FTH_ANY_TAG ? fth_fail(error, "a message needs a `tag`") : 0;
}

static int check_list(const struct fth_command *command, struct fth_error **error)
{
    uint64_t end = 0;
    for (uint64_t i = 0; i < command->count; i++) {
        const struct fth_command_range *range = &command->ranges[i];
        if (range->offset < end || !range->bytes || range->bytes > FTH_SIM_MOST_OFFSET ||
            range->offset > FTH_SIM_MOST_OFFSET - range->bytes)
            return fth_fail(error,
                            "range %llu of %llu is empty, beyond 1 EiB, or not behind the one "
                            "before",
                            (unsigned long long)i, (unsigned long long)command->count);
        end = range->offset + range->bytes;
    }
    return command->count ? 0 : fth_fail(error, "with `ranges` it needs their `count`");
}

static int check_ranges(const struct fth_command *command, struct fth_error **error)
{
    uint64_t count = command->count ? command->count : 1;
    if (count > UINT32_MAX)
        return fth_fail(error, "these are more than 2^32 - 1 ranges");
    if (command->ranges)
        return check_list(command, error);
    if (!command->bytes)
        return fth_fail(error, "it needs the number of `bytes`");
    if (count > 1 && command->stride < command->bytes)
        return fth_fail(error, "several ranges need a `stride` that is not less than `bytes`");
    if (command->bytes > FTH_SIM_MOST_OFFSET || command->offset > FTH_SIM_MOST_OFFSET ||
        command->stride > FTH_SIM_MOST_OFFSET / count)
        return fth_fail(error, "no file is larger than 1 EiB");
    return 0;
}

static int check_requests(const struct fth_command *command, unsigned has, struct fth_error **error)
{
    uint32_t last = has & NUMBERS ? command->last_request : 0;
    if (command->request > MOST_REQUESTS || last > MOST_REQUESTS)
        return fth_fail(error, "requests are 1 to %d", MOST_REQUESTS);
    return last && (last < command->request || !command->request)
               ? fth_fail(error, "`last_request` is less than `request`")
               : 0;
}

static int check(const struct built *built, uint32_t rank, const struct fth_command *command,
                 struct fth_error **error)
{
    const struct fth_sim_program *program = &built->program;
    unsigned has = known[command->verb].has;
    uint32_t ranks = program->ranks;
    if (command->communicator > program->communicator_count)
        return fth_fail(error, "there is no communicator %u", command->communicator);
    if (command->communicator)
        ranks = built->communicators[command->communicator - 1].size[rank];
    if (!ranks)
        return fth_fail(error, "it is not in communicator %u", command->communicator);
    if ((has & BYTES) && command->bytes > FTH_SIM_MOST_OFFSET)
        return fth_fail(error, "`bytes` are more than 1 EiB");
    if ((has & ONE_FILE) && command->file >= program->file_count)
        return fth_fail(error, "there is no file %u (fth_program_file adds files)", command->file);
    if ((has & TIME) && command->nanoseconds < 0)
        return fth_fail(error, "`nanoseconds` is negative");
    if ((has & TIME) && command->nanoseconds > INT64_C(100000000000000))
        return fth_fail(error, "`nanoseconds` are more than a day");
    if ((has & TIME) && command->instructions > UINT64_C(1000000000000000000))
        return fth_fail(error, "`instructions` are more than 10^18");
    if (check_ranks(command, has, ranks, error) || check_requests(command, has, error))
        return -1;
    return has & RANGES ? check_ranges(command, error) : 0;
}

static struct fth_sim_ranges copy_ranges(const struct fth_command *command)
{
    struct fth_sim_ranges ranges = {.offset = command->offset,
                                    .bytes = command->bytes,
                                    .stride = command->stride,
                                    .count = command->count ? command->count : 1};
    if (!command->ranges)
        return ranges;
    struct fth_sim_extent *list = fth_new(command->count, sizeof *list);
    for (uint64_t i = 0; i < command->count; i++)
        list[i] = (struct fth_sim_extent){command->ranges[i].offset, command->ranges[i].bytes};
    ranges.list = list;
    return ranges;
}

/* As the simulator wants it: only what the verb has. */
static struct kept keep(const struct fth_command *command)
{
    if (command->verb == FTH_VERB_REPEAT || command->verb == FTH_VERB_END)
        return (struct kept){.kind = command->verb == FTH_VERB_END ? END : REPEAT,
                             .turns = command->count};
    unsigned has = known[command->verb].has;
    struct fth_sim_command made = {.verb = known[command->verb].verb,
                                   .communicator = command->communicator,
                                   .request = command->request};
    made.to = has & TO ? command->to : 0;
    made.from = has & FROM ? command->from : 0;
    made.tag = has & TAG ? command->tag : 0;
    made.from_tag = has & FROM_TAG ? command->from_tag : made.tag;
    made.root = has & ROOT ? command->root : 0;
    made.bytes = has & BYTES ? command->bytes : 0;
    made.nanoseconds = has & TIME ? command->nanoseconds : 0;
    made.instructions = has & TIME ? command->instructions : 0;
    made.file = has & ONE_FILE ? command->file : 0;
    if (has & NUMBERS)
        made.last_request = command->last_request ? command->last_request : command->request;
    if (has & RANGES)
        made.ranges = copy_ranges(command);
    return (struct kept){.kind = COMMAND, .command = made};
}

/* ---- adding ---- */

static const char *name_of(enum fth_verb verb)
{
    return verb == FTH_VERB_REPEAT ? "repeat"
           : verb == FTH_VERB_END  ? "end"
                                   : fth_sim_verb_names[known[verb].verb];
}

static int check_for(const struct built *built, uint32_t rank, const struct fth_command *command,
                     struct fth_error **error)
{
    const struct list *list = &built->lists[rank];
    int result = 0;
    if (list->count == MOST_COMMANDS)
        result = fth_fail(error, "there are too many commands");
    else if (command->verb == FTH_VERB_REPEAT && list->depth == FTH_SIM_LOOPS)
        result = fth_fail(error, "repeats are nested more than %d deep", FTH_SIM_LOOPS);
    else if (command->verb == FTH_VERB_END && !list->depth)
        result = fth_fail(error, "there is no repeat to end");
    else if (command->verb == FTH_VERB_END && list->open[list->depth - 1] + 1 == list->count)
        result = fth_fail(error, "the repeat is empty");
    else if (command->verb < FTH_VERB_REPEAT)
        result = check(built, rank, command, error);
    return result ? fth_fail_in(error, "command %u of rank %u, %s", list->count + 1, rank,
                                name_of(command->verb))
                  : 0;
}

static void append(struct list *list, uint32_t command, int kind)
{
    FTH_GROW(list->items, list->count);
    struct item *item = &list->items[list->count];
    *item = (struct item){.command = command};
    if (kind == REPEAT)
        list->open[list->depth++] = list->count;
    if (kind == END) {
        item->other = list->open[--list->depth];
        list->items[item->other].other = list->count;
    }
    list->count++;
}

int fth_sim_built_add(struct fth_sim_program *program, uint32_t rank,
                      const struct fth_command *command, struct fth_error **error)
{
    struct built *built = (struct built *)program;
    uint32_t first = rank == FTH_EACH_RANK ? 0 : rank;
    uint32_t last = rank == FTH_EACH_RANK ? program->ranks - 1 : rank;
    if ((unsigned)command->verb >= FTH_VERBS)
        return fth_fail(error, "there is no verb %d", (int)command->verb);
    if (first >= program->ranks)
        return fth_fail(error, "there is no rank %u, ranks are 0 to %u", rank, program->ranks - 1);
    if (built->count == MOST_COMMANDS)
        return fth_fail(error, "there are too many commands");
    for (uint32_t i = first; i <= last; i++)
        if (check_for(built, i, command, error))
            return -1;
    FTH_GROW(built->commands, built->count);
    built->commands[built->count] = keep(command);
    for (uint32_t i = first; i <= last; i++)
        append(&built->lists[i], built->count, built->commands[built->count].kind);
    built->count++;
    return 0;
}

int fth_sim_built_check(const struct fth_sim_program *program, struct fth_error **error)
{
    const struct built *built = (const struct built *)program;
    for (uint32_t rank = 0; rank < program->ranks; rank++) {
        const struct list *list = &built->lists[rank];
        if (list->depth)
            return fth_fail(error, "command %u of rank %u, repeat: it has no end",
                            list->open[list->depth - 1] + 1, rank);
    }
    return 0;
}
