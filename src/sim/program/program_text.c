/* Reads programs: see the header. How one goes through them: statements.c. */
#include "sim/program/program_text.h"

#include "base/text_file.h"

#include "base/memory.h"
#include "sim/program/statements.h"
#include "sim/text/line_words.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { MOST_PROCESSES = FTH_SIM_MOST_PROCESSES };

struct reading {
    struct fth_sim_words words;
    struct text_program *program;
    uint32_t open[FTH_SIM_LOOPS], depth;
    bool has_processes;
};

/* Which words a command takes. */
enum { TO = 1, FROM = 2, SIZE = 4, ROOT = 8, REQUEST = 16, NUMBERS = 32, COUNTS = 64 };
static const struct {
    enum fth_sim_verb verb;
    unsigned needs, may;
} known[] = {
    {FTH_SIM_SEND, TO | SIZE, 0},
    {FTH_SIM_RECV, FROM, 0},
    {FTH_SIM_PROBE, FROM, 0},
    {FTH_SIM_SENDRECV, TO | FROM | SIZE, 0},
    {FTH_SIM_PUT, TO | SIZE, 0},
    {FTH_SIM_GET, FROM | SIZE, 0},
    {FTH_SIM_BARRIER, 0, 0},
    {FTH_SIM_BCAST, SIZE, ROOT},
    {FTH_SIM_REDUCE, SIZE, ROOT},
    {FTH_SIM_ALLREDUCE, SIZE, 0},
    {FTH_SIM_GATHER, SIZE, ROOT},
    {FTH_SIM_SCATTER, SIZE, ROOT},
    {FTH_SIM_ALLGATHER, SIZE, 0},
    {FTH_SIM_ALLTOALL, SIZE, 0},
    {FTH_SIM_REDUCE_SCATTER, SIZE, COUNTS},
    {FTH_SIM_SCAN, SIZE, 0},
    {FTH_SIM_EXSCAN, SIZE, 0},
    {FTH_SIM_WAIT, NUMBERS, 0},
    {FTH_SIM_WAITANY, NUMBERS, 0},
    {FTH_SIM_TEST, NUMBERS, 0},
};

/* Behind `wait` and its like: "3", "1..7", or "all". */
static int read_requests(struct reading *reading, struct fth_sim_command *command)
{
    uint64_t first = 0, last = 0;
    if (fth_sim_words_accept(&reading->words, "all"))
        return 0;
    if (fth_sim_words_range(&reading->words, &first, &last) || !first || first > last ||
        last > FTH_SIM_MOST_REQUESTS)
        return fth_sim_words_fail(&reading->words,
                                  "requests are '3', '1..7' or 'all', from 1 to 1073741824", "");
    command->request = (uint32_t)first;
    command->last_request = (uint32_t)last;
    return 0;
}

static int read_communicator(struct reading *reading, struct fth_sim_command *command)
{
    char word[FTH_SIM_WORD];
    size_t length = fth_sim_words_peek(&reading->words, word);
    command->communicator = fth_sim_find_communicator(reading->program, word);
    if (!command->communicator)
        return fth_sim_words_fail(&reading->words, "there is no communicator", word);
    reading->words.at += length;
    return 0;
}

/* Behind `counts`: bytes of the part of each rank, "8 KiB 16 KiB 8 KiB"; gone round when there are
 * fewer than ranks. */
static int read_counts(struct reading *reading, struct fth_sim_command *command)
{
    struct fth_sim_extent *list = NULL;
    uint64_t all = 0, ranks = reading->program->program.ranks;
    uint32_t count = 0;
    char word[FTH_SIM_WORD];
    int result = 0;
    while (!result && fth_sim_words_peek(&reading->words, word) && isdigit((unsigned char)*word)) {
        FTH_GROW(list, count);
        list[count] = (struct fth_sim_extent){.offset = count};
        result = fth_sim_words_size(&reading->words, &list[count].bytes);
        all += list[count].bytes > INT64_MAX / ranks ? 0 : list[count].bytes;
        if (!result && (list[count].bytes > INT64_MAX / ranks || all > INT64_MAX / ranks))
            result =
                fth_sim_words_fail(&reading->words, "this is too large: the maximum is 8 EiB", "");
        count++;
    }
    if (!result && (!count || count > ranks))
        result = fth_sim_words_fail(
            &reading->words, "expected the bytes of each rank's part, for at most all ranks", "");
    if (result) {
        free(list);
        return -1;
    }
    free((void *)(uintptr_t)command->ranges.list);
    command->ranges = (struct fth_sim_ranges){.count = count, .list = list};
    command->bytes = (all + count - 1) / count;
    return 0;
}

static int read_words(struct reading *reading, struct statement *statement, unsigned needs,
                      unsigned may)
{
    struct fth_sim_command *command = &statement->command;
    unsigned seen = 0;
    char word[FTH_SIM_WORD];
    for (; fth_sim_words_peek(&reading->words, word) && *word != '#' && *word != '}';) {
        if ((needs & TO) && fth_sim_words_accept(&reading->words, "to")) {
            seen |= TO;
            if (fth_sim_words_rank(&reading->words, reading->program->program.ranks,
                                   &statement->to))
                return -1;
            if (statement->to.is_any)
                return fth_sim_words_fail(&reading->words, "a message goes to one rank, not to any",
                                          "");
        } else if ((needs & FROM) && fth_sim_words_accept(&reading->words, "from")) {
            seen |= FROM;
            if (fth_sim_words_rank(&reading->words, reading->program->program.ranks,
                                   &statement->from))
                return -1;
        } else if ((needs & SIZE) && fth_sim_words_accept(&reading->words, "size")) {
            seen |= SIZE;
            if (fth_sim_words_size(&reading->words, &command->bytes))
                return -1;
        } else if ((needs & REQUEST) && fth_sim_words_accept(&reading->words, "request")) {
            seen |= REQUEST;
            if (fth_sim_words_count(&reading->words, 1, FTH_SIM_MOST_REQUESTS, &command->request))
                return -1;
        } else if (!(needs & NUMBERS) && fth_sim_words_accept(&reading->words, "in")) {
            if (read_communicator(reading, command))
                return -1;
        } else if ((may & COUNTS) && fth_sim_words_accept(&reading->words, "counts")) {
            seen |= SIZE;
            if (read_counts(reading, command))
                return -1;
        } else if ((may & ROOT) && fth_sim_words_accept(&reading->words, "root")) {
            if (fth_sim_words_count(&reading->words, 0, reading->program->program.ranks - 1,
                                    &command->root))
                return -1;
        } else if ((needs & (TO | FROM)) && fth_sim_words_accept(&reading->words, "tag")) {
            if (fth_sim_words_count(&reading->words, 0, 1 << 30, &command->tag))
                return -1;
            command->from_tag = command->tag;
        } else {
            return fth_sim_words_fail(&reading->words,
                                      "this does not belong to the command:", word);
        }
    }
    unsigned lacks = needs & ~seen & ~(unsigned)NUMBERS;
    if (lacks)
        return fth_sim_words_fail(&reading->words,
                                  lacks & TO     ? "it lacks 'to RANK'"
                                  : lacks & FROM ? "it lacks 'from RANK'"
                                  : lacks & SIZE ? "it lacks 'size BYTES'"
                                                 : "it lacks 'request NUMBER'",
                                  "");
    return 0;
}

static bool is_beyond(const struct rank *rank, uint32_t count)
{
    return !rank->is_relative && !rank->is_any && rank->value >= count;
}

/* All whom the statement is for are in groups that have the ranks that it names. */
static int check_groups(const struct reading *reading, const struct statement *statement)
{
    uint32_t communicator = statement->command.communicator, count = 0;
    if (!communicator)
        return 0;
    for (uint32_t i = statement->first; i <= statement->last; i++) {
        if (!fth_sim_statement_is_for(reading->program, statement, i))
            continue;
        uint32_t size = reading->program->communicators[communicator - 1].size[i];
        count++;
        if (is_beyond(&statement->to, size) || is_beyond(&statement->from, size) ||
            statement->command.root >= size)
            return fth_sim_words_fail(&reading->words,
                                      "a group of this communicator has no such rank:",
                                      reading->program->names[communicator - 1]);
    }
    return count ? 0
                 : fth_sim_words_fail(&reading->words, "none of these ranks is in communicator",
                                      reading->program->names[communicator - 1]);
}

static int read_compute(struct reading *reading, struct fth_sim_command *command)
{
    char word[FTH_SIM_WORD];
    uint64_t number = 0;
    const char *start = reading->words.at;
    command->verb = FTH_SIM_COMPUTE;
    if (!fth_sim_parse((fth_sim_words_peek(&reading->words, word), word), FTH_SIM_COUNT, &number,
                       NULL)) {
        reading->words.at += strlen(word);
        if (fth_sim_words_accept(&reading->words, "instructions")) {
            command->instructions = number;
            return 0;
        }
        reading->words.at = start;
    }
    if (fth_sim_words_quantity(&reading->words, FTH_SIM_TIME, &number))
        return -1;
    command->nanoseconds = (int64_t)number;
    if (number > INT64_C(100000000000000))
        return fth_sim_words_fail(&reading->words, "this is too long: the maximum is 100000 s", "");
    return 0;
}

static int read_command(struct reading *reading, struct statement *statement)
{
    char word[FTH_SIM_WORD];
    size_t length = fth_sim_words_peek(&reading->words, word);
    statement->command.line = reading->words.number;
    if (fth_sim_words_accept(&reading->words, "compute"))
        return read_compute(reading, &statement->command);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const char *name = fth_sim_verb_names[known[i].verb];
        bool begins = *word == 'i' && !strcmp(name, word + 1) && known[i].needs != NUMBERS &&
                      known[i].verb != FTH_SIM_PROBE;
        if (!begins && strcmp(name, word))
            continue;
        reading->words.at += length;
        statement->command.verb = known[i].verb;
        if (known[i].needs == NUMBERS && read_requests(reading, &statement->command))
            return -1;
        if (read_words(reading, statement, known[i].needs | (begins ? REQUEST : 0), known[i].may))
            return -1;
        return check_groups(reading, statement);
    }
    for (enum fth_sim_verb verb = 0; verb < FTH_SIM_VERBS; verb++)
        if (fth_sim_works_with_file(verb)) {
            bool begins = *word == 'i' && !strcmp(fth_sim_verb_names[verb], word + 1);
            if (!begins && strcmp(fth_sim_verb_names[verb], word))
                continue;
            reading->words.at += length;
            statement->command.verb = verb;
            if (fth_sim_words_access(&reading->words, &reading->program->files, begins,
                                     &statement->command, &statement->place))
                return -1;
            return begins && !statement->command.request
                       ? fth_sim_words_fail(&reading->words, "it lacks 'request NUMBER'", "")
                       : 0;
        }
    return fth_sim_words_fail(&reading->words, "there is no command", word);
}

static int read_repeat(struct reading *reading)
{
    struct statement repeat = {.kind = REPEAT};
    if (fth_sim_words_quantity(&reading->words, FTH_SIM_COUNT, &repeat.turns))
        return -1;
    if (!fth_sim_words_accept(&reading->words, "{"))
        return fth_sim_words_fail(&reading->words, "expected '{' after the number", "");
    if (reading->depth == FTH_SIM_LOOPS)
        return fth_sim_words_fail(&reading->words, "loops are nested more than eight deep", "");
    reading->open[reading->depth++] = reading->program->count;
    fth_sim_add_statement(reading->program, &repeat);
    return 0;
}

static int read_end(struct reading *reading)
{
    if (!reading->depth)
        return fth_sim_words_fail(&reading->words, "there is no open block to end", "");
    uint32_t repeat = reading->open[--reading->depth];
    reading->program->statements[repeat].other = reading->program->count;
    fth_sim_add_statement(reading->program, &(struct statement){.kind = END, .other = repeat});
    return 0;
}

/* "communicator rows = rank / 4", "= rank % 4", "= ranks 2..5": who has the same number is
 * together. */
static int read_split(struct reading *reading)
{
    struct text_program *program = reading->program;
    uint32_t ranks = program->program.ranks, number = 0;
    uint64_t first = 0, last = 0;
    char name[FTH_SIM_WORD], operation = 0;
    size_t length = fth_sim_words_peek(&reading->words, name);
    if (!isalpha((unsigned char)*name))
        return fth_sim_words_fail(&reading->words, "expected a name, not", name);
    if (fth_sim_find_communicator(program, name))
        return fth_sim_words_fail(&reading->words, "this is the second communicator", name);
    reading->words.at += length;
    if (!fth_sim_words_accept(&reading->words, "="))
        return fth_sim_words_fail(&reading->words, "expected '=' after the name", "");
    if (fth_sim_words_accept(&reading->words, "ranks")) {
        if (fth_sim_words_range(&reading->words, &first, &last) || first > last || last >= ranks)
            return fth_sim_words_fail(&reading->words, "there are no such ranks", "");
    } else if (fth_sim_words_accept(&reading->words, "rank") &&
               (fth_sim_words_accept(&reading->words, "/") ||
                fth_sim_words_accept(&reading->words, "%"))) {
        operation = reading->words.at[-1];
        if (fth_sim_words_count(&reading->words, 1, MOST_PROCESSES, &number))
            return -1;
    } else {
        return fth_sim_words_fail(&reading->words,
                                  "expected 'rank / 4', 'rank % 4' or 'ranks 2..5'", "");
    }
    uint32_t *colors = fth_new(ranks, sizeof *colors);
    for (uint32_t i = 0; i < ranks; i++)
        colors[i] = operation == '/'          ? i / number
                    : operation == '%'        ? i % number
                    : i >= first && i <= last ? 0
                                              : (uint32_t)FTH_SIM_NO_COLOR;
    fth_sim_add_communicator(program, name, colors);
    free(colors);
    return 0;
}

static bool accept_bench(struct fth_sim_words *words)
{
    const char *start = words->at;
    if (fth_sim_words_accept(words, "mpi") && fth_sim_words_accept(words, "-") &&
        fth_sim_words_accept(words, "bench"))
        return true;
    words->at = start;
    return false;
}

static int read_line(struct reading *reading, uint32_t processes)
{
    struct fth_sim_program *program = &reading->program->program;
    char word[FTH_SIM_WORD];
    if (!fth_sim_words_peek(&reading->words, word) || *word == '#')
        return 0;
    if (fth_sim_words_accept(&reading->words, "processes")) {
        uint32_t count = 0;
        if (reading->has_processes)
            return fth_sim_words_fail(&reading->words, "this is the second line 'processes'", "");
        if (reading->program->count)
            return fth_sim_words_fail(&reading->words, "this must stand before the first command",
                                      "");
        if (fth_sim_words_count(&reading->words, 1, MOST_PROCESSES, &count))
            return -1;
        program->ranks = processes ? processes : count;
        reading->has_processes = true;
    } else if (!program->ranks) {
        return fth_sim_words_fail(&reading->words, "a program begins with 'processes N'", "");
    } else if (fth_sim_words_accept(&reading->words, "communicator")) {
        if (read_split(reading))
            return -1;
    } else if (fth_sim_words_accept(&reading->words, "file")) {
        if (fth_sim_words_file(&reading->words, &reading->program->files))
            return -1;
    } else if (fth_sim_words_accept(&reading->words, "repeat")) {
        if (read_repeat(reading))
            return -1;
    } else if (fth_sim_words_accept(&reading->words, "}")) {
        if (read_end(reading))
            return -1;
    } else if (!reading->depth && fth_sim_words_accept(&reading->words, "partdiff")) {
        struct statement rule = {.kind = PARTDIFF, .command.line = reading->words.number};
        if (fth_sim_words_partdiff(&reading->words, &reading->program->files,
                                   &reading->program->partdiff))
            return -1;
        fth_sim_add_statement(reading->program, &rule);
    } else if (!reading->depth && accept_bench(&reading->words)) {
        if (fth_sim_words_bench(&reading->words, reading->program))
            return -1;
    } else {
        struct statement statement;
        if (fth_sim_words_ranks(&reading->words, program->ranks, &statement) ||
            read_command(reading, &statement))
            return -1;
        statement.loop = reading->depth ? reading->open[reading->depth - 1] + 1 : 0;
        fth_sim_add_statement(reading->program, &statement);
    }
    return fth_sim_words_peek(&reading->words, word) && *word != '#'
               ? fth_sim_words_fail(&reading->words, "expected the end of the line, not", word)
               : 0;
}

static int read_program(FILE *file, uint32_t processes, struct text_program *program,
                        struct fth_error **error)
{
    char *line = NULL;
    size_t limit = 0;
    struct reading reading = {.words = {.error = error}, .program = program};
    int result = 0;
    program->program.ranks = processes;
    for (ssize_t length; !result && (length = getline(&line, &limit, file)) >= 0;) {
        if (length && line[length - 1] == '\n')
            line[--length] = 0;
        if (length && line[length - 1] == '\r')
            line[--length] = 0;
        reading.words.line = reading.words.at = line;
        reading.words.number++;
        result = strlen(line) == (size_t)length
                     ? read_line(&reading, processes)
                     : fth_sim_words_fail(&reading.words, "this is not text", "");
    }
    if (!result && ferror(file))
        result = fth_fail_errno(error, "cannot read it");
    if (!result && !program->program.ranks)
        result = fth_fail(error, "it is empty");
    if (!result && reading.depth)
        result = fth_fail(error, "line %u: a '}' is missing at the end", reading.words.number);
    free(line);
    return result;
}

static struct fth_sim_program *read_file(FILE *file, bool is_pbl, uint32_t processes,
                                         struct fth_error **error)
{
    struct text_program *program = fth_new(1, sizeof *program);
    program->program.next = fth_sim_statements_next;
    int result = is_pbl ? fth_sim_read_pbl(file, processes, program, error)
                        : read_program(file, processes, program, error);
    program->program.files = program->files.files;
    program->program.file_count = program->files.count;
    if (!result)
        return &program->program;
    fth_sim_program_free(&program->program);
    return NULL;
}

struct fth_sim_program *fth_sim_program_read(const char *path, uint32_t processes,
                                             struct fth_error **error)
{
    FILE *file = fth_text_file(path, FTH_TEXT_MOST_BYTES, error);
    if (!file) {
        fth_fail_in(error, "program");
        return NULL;
    }
    struct fth_sim_program *program = read_file(file, fth_sim_is_pbl(path), processes, error);
    fclose(file);
    if (!program)
        fth_fail_in(error, "program '%s'", path);
    return program;
}

struct fth_sim_program *fth_sim_program_parse(const char *text, uint32_t processes,
                                              struct fth_error **error)
{
    FILE *file = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    if (!file) {
        fth_fail_errno(error, "cannot read the program");
        return NULL;
    }
    struct fth_sim_program *program = read_file(file, false, processes, error);
    fclose(file);
    if (!program)
        fth_fail_in(error, "program");
    return program;
}

void fth_sim_program_free(struct fth_sim_program *program)
{
    if (!program)
        return;
    struct text_program *text = (struct text_program *)program;
    for (uint32_t i = 0; i < program->communicator_count; i++) {
        fth_sim_communicator_free(&text->communicators[i]);
        free(text->names[i]);
    }
    free(text->communicators);
    free(text->names);
    for (uint32_t i = 0; i < text->count; i++)
        free((void *)(uintptr_t)text->statements[i].command.ranges.list);
    free(text->statements);
    fth_sim_named_files_free(&text->files);
    free(text);
}
