/* Reads programs, and goes through them: see the header. */
#include "sim/program_text.h"

#include "base/memory.h"
#include "sim/units.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* A rank in a program: a number, or a distance to the rank that reads it, counted round. */
struct rank {
    bool is_relative, is_any;
    int64_t value;
};

struct statement {
    enum { COMMAND, REPEAT, END } kind;
    uint32_t first, last, step; /* the ranks that it is for */
    uint32_t other;             /* of a repeat: its end, of an end: its repeat */
    uint64_t turns;
    struct rank to, from;
    struct fth_sim_command command;
};

struct text_program {
    struct fth_sim_program program;
    struct statement *statements;
    uint32_t count;
};

enum { MOST_PROCESSES = 1 << 24, WORD = 64 };

struct reading {
    struct text_program *program;
    const char *line, *at;
    uint32_t number;
    uint32_t open[FTH_SIM_LOOPS], depth;
    struct fth_error **error;
};

static int fail(const struct reading *reading, const char *what, const char *word)
{
    return fth_fail(reading->error, "line %u, column %zu: %s%s%s%s", reading->number,
                    (size_t)(reading->at - reading->line) + 1, what, *word ? " '" : "", word,
                    *word ? "'" : "");
}

static void skip_spaces(struct reading *reading)
{
    while (*reading->at == ' ' || *reading->at == '\t')
        reading->at++;
}

/* The next word, which is not consumed: letters, digits, points; or a single other character. */
static size_t peek(struct reading *reading, char word[WORD])
{
    skip_spaces(reading);
    size_t length = 0;
    while (isalnum((unsigned char)reading->at[length]) || reading->at[length] == '.' ||
           (length && reading->at[length] == '/'))
        length++;
    if (!length && reading->at[0])
        length = 1;
    snprintf(word, WORD, "%.*s", (int)(length < WORD ? length : WORD - 1), reading->at);
    return length;
}

static bool accept(struct reading *reading, const char *wanted)
{
    char word[WORD];
    size_t length = peek(reading, word);
    if (strcmp(word, wanted))
        return false;
    reading->at += length;
    return true;
}

/* A number with its unit, as one or two words. */
static int read_quantity(struct reading *reading, enum fth_sim_quantity quantity, uint64_t *value)
{
    char number[WORD], unit[WORD] = "", text[2 * WORD + 1];
    struct fth_error *cause = NULL;
    size_t length = peek(reading, number);
    const char *start = reading->at;
    reading->at += length;
    if (quantity != FTH_SIM_COUNT && length && isdigit((unsigned char)number[strlen(number) - 1]))
        reading->at += peek(reading, unit);
    snprintf(text, sizeof text, "%s%s%s", number, *unit ? " " : "", unit);
    if (!fth_sim_parse(text, quantity, value, &cause))
        return 0;
    reading->at = start;
    fail(reading, fth_error_text(cause), "");
    fth_error_free(cause);
    return -1;
}

/* How often, how many: at least `least`, less than a number of 32 bits. */
static int read_count(struct reading *reading, uint32_t least, uint32_t most, uint32_t *value)
{
    uint64_t number = 0;
    skip_spaces(reading);
    const char *start = reading->at;
    if (read_quantity(reading, FTH_SIM_COUNT, &number))
        return -1;
    if (number < least || number > most) {
        reading->at = start;
        return fail(reading, number < least ? "this is too small" : "this is too large", "");
    }
    *value = (uint32_t)number;
    return 0;
}

/* "3", "any", "left", "right", "rank", "rank+2", "rank-1". */
static int read_rank(struct reading *reading, struct rank *rank)
{
    *rank = (struct rank){0};
    if (accept(reading, "any")) {
        rank->is_any = true;
        return 0;
    }
    rank->is_relative = true;
    if (accept(reading, "right")) {
        rank->value = 1;
        return 0;
    }
    if (accept(reading, "left")) {
        rank->value = -1;
        return 0;
    }
    uint32_t number = 0;
    if (accept(reading, "rank")) {
        bool minus = accept(reading, "-");
        if (!minus && !accept(reading, "+"))
            return 0;
        if (read_count(reading, 0, MOST_PROCESSES, &number))
            return -1;
        rank->value = minus ? -(int64_t)number : number;
        return 0;
    }
    rank->is_relative = false;
    uint32_t ranks = reading->program->program.ranks;
    if (!ranks)
        return fail(reading, "how many processes there are must stand before this", "");
    if (read_count(reading, 0, ranks - 1, &number))
        return -1;
    rank->value = number;
    return 0;
}

/* Which ranks a line is for: "rank 3:", "rank 1..7:", "even:", "odd:", or all of them. */
static int read_ranks(struct reading *reading, struct statement *statement)
{
    uint32_t ranks = reading->program->program.ranks;
    *statement = (struct statement){.last = ranks - 1, .step = 1};
    if (accept(reading, "even") || accept(reading, "odd")) {
        statement->step = 2;
        statement->first = reading->at[-1] == 'd';
    } else if (accept(reading, "rank")) {
        char word[WORD], *points;
        struct fth_error *cause = NULL;
        uint64_t first = 0, last = 0;
        size_t length = peek(reading, word);
        if ((points = strstr(word, "..")))
            *points = 0;
        if (fth_sim_parse(word, FTH_SIM_COUNT, &first, &cause) ||
            fth_sim_parse(points ? points + 2 : word, FTH_SIM_COUNT, &last, &cause)) {
            fth_error_free(cause);
            return fail(reading, "ranks are '3' or '1..7', not", word);
        }
        if (first > last || last >= ranks)
            return fail(reading, "there are no such ranks", "");
        reading->at += length;
        statement->first = (uint32_t)first;
        statement->last = (uint32_t)last;
    } else {
        return 0;
    }
    return accept(reading, ":") ? 0 : fail(reading, "a ':' is wanted behind the ranks", "");
}

/* Which words a command takes. */
enum { TO = 1, FROM = 2, SIZE = 4, ROOT = 8 };
static const struct {
    enum fth_sim_verb verb;
    unsigned needs, may;
} known[] = {
    {FTH_SIM_SEND, TO | SIZE, 0},
    {FTH_SIM_RECV, FROM, 0},
    {FTH_SIM_SENDRECV, TO | FROM | SIZE, 0},
    {FTH_SIM_BARRIER, 0, 0},
    {FTH_SIM_BCAST, SIZE, ROOT},
    {FTH_SIM_REDUCE, SIZE, ROOT},
    {FTH_SIM_ALLREDUCE, SIZE, 0},
    {FTH_SIM_GATHER, SIZE, ROOT},
    {FTH_SIM_SCATTER, SIZE, ROOT},
    {FTH_SIM_ALLGATHER, SIZE, 0},
};

static int read_words(struct reading *reading, struct statement *statement, unsigned needs,
                      unsigned may)
{
    struct fth_sim_command *command = &statement->command;
    unsigned seen = 0;
    char word[WORD];
    for (; peek(reading, word) && *word != '#' && *word != '}';) {
        if ((needs & TO) && accept(reading, "to")) {
            seen |= TO;
            if (read_rank(reading, &statement->to))
                return -1;
            if (statement->to.is_any)
                return fail(reading, "a message goes to one rank, not to any", "");
        } else if ((needs & FROM) && accept(reading, "from")) {
            seen |= FROM;
            if (read_rank(reading, &statement->from))
                return -1;
        } else if ((needs & SIZE) && accept(reading, "size")) {
            seen |= SIZE;
            if (read_quantity(reading, FTH_SIM_BYTES, &command->bytes))
                return -1;
        } else if ((may & ROOT) && accept(reading, "root")) {
            if (read_count(reading, 0, reading->program->program.ranks - 1, &command->root))
                return -1;
        } else if ((needs & (TO | FROM)) && accept(reading, "tag")) {
            if (read_count(reading, 0, 1 << 30, &command->tag))
                return -1;
            command->from_tag = command->tag;
        } else {
            return fail(reading, "this does not belong to the command:", word);
        }
    }
    if (needs & ~seen)
        return fail(reading,
                    needs & ~seen & TO     ? "it lacks 'to' and a rank"
                    : needs & ~seen & FROM ? "it lacks 'from' and a rank"
                                           : "it lacks 'size' and how many bytes",
                    "");
    return 0;
}

static int read_compute(struct reading *reading, struct fth_sim_command *command)
{
    char word[WORD];
    uint64_t number = 0;
    const char *start = reading->at;
    command->verb = FTH_SIM_COMPUTE;
    if (!fth_sim_parse((peek(reading, word), word), FTH_SIM_COUNT, &number, NULL)) {
        reading->at += strlen(word);
        if (accept(reading, "instructions")) {
            command->instructions = number;
            return 0;
        }
        reading->at = start;
    }
    if (read_quantity(reading, FTH_SIM_TIME, &number))
        return -1;
    command->nanoseconds = (int64_t)number;
    if (number > INT64_C(100000000000000))
        return fail(reading, "this is more than a day", "");
    return 0;
}

static int read_command(struct reading *reading, struct statement *statement)
{
    char word[WORD];
    size_t length = peek(reading, word);
    statement->command.line = reading->number;
    if (accept(reading, "compute"))
        return read_compute(reading, &statement->command);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(fth_sim_verb_names[known[i].verb], word)) {
            reading->at += length;
            statement->command.verb = known[i].verb;
            return read_words(reading, statement, known[i].needs, known[i].may);
        }
    return fail(reading, "there is no command", word);
}

static struct statement *add(struct reading *reading, const struct statement *statement)
{
    struct text_program *program = reading->program;
    FTH_GROW(program->statements, program->count);
    program->statements[program->count] = *statement;
    return &program->statements[program->count++];
}

static int read_repeat(struct reading *reading)
{
    struct statement repeat = {.kind = REPEAT};
    if (read_quantity(reading, FTH_SIM_COUNT, &repeat.turns))
        return -1;
    if (!accept(reading, "{"))
        return fail(reading, "a '{' is wanted behind the number", "");
    if (reading->depth == FTH_SIM_LOOPS)
        return fail(reading, "loops are nested too deeply", "");
    reading->open[reading->depth++] = reading->program->count;
    add(reading, &repeat);
    return 0;
}

static int read_end(struct reading *reading)
{
    if (!reading->depth)
        return fail(reading, "nothing is open that this could end", "");
    uint32_t repeat = reading->open[--reading->depth];
    reading->program->statements[repeat].other = reading->program->count;
    add(reading, &(struct statement){.kind = END, .other = repeat});
    return 0;
}

static int read_line(struct reading *reading, uint32_t processes)
{
    struct fth_sim_program *program = &reading->program->program;
    char word[WORD];
    if (!peek(reading, word) || *word == '#')
        return 0;
    if (accept(reading, "processes")) {
        uint32_t count = 0;
        if (reading->program->count)
            return fail(reading, "this must stand before the first command", "");
        if (read_count(reading, 1, MOST_PROCESSES, &count))
            return -1;
        program->ranks = processes ? processes : count;
    } else if (!program->ranks) {
        return fail(reading, "a program begins with 'processes' and how many there are", "");
    } else if (accept(reading, "repeat")) {
        if (read_repeat(reading))
            return -1;
    } else if (accept(reading, "}")) {
        if (read_end(reading))
            return -1;
    } else {
        struct statement statement;
        if (read_ranks(reading, &statement) || read_command(reading, &statement))
            return -1;
        add(reading, &statement);
    }
    return peek(reading, word) && *word != '#'
               ? fail(reading, "nothing is wanted here, but there is", word)
               : 0;
}

static uint32_t resolve(const struct rank *rank, uint32_t self, uint32_t ranks)
{
    if (rank->is_any)
        return FTH_SIM_ANY;
    int64_t value = rank->is_relative ? (int64_t)self + rank->value : rank->value;
    value %= ranks;
    return (uint32_t)(value < 0 ? value + ranks : value);
}

static bool next(const struct fth_sim_program *program, uint32_t rank,
                 struct fth_sim_cursor *cursor, struct fth_sim_command *command)
{
    const struct text_program *text = (const struct text_program *)program;
    while (cursor->at < text->count) {
        const struct statement *statement = &text->statements[cursor->at++];
        if (statement->kind == REPEAT) {
            if (statement->turns)
                cursor->turns[cursor->depth++] = statement->turns;
            else
                cursor->at = statement->other + 1;
        } else if (statement->kind == END) {
            if (--cursor->turns[cursor->depth - 1])
                cursor->at = statement->other + 1;
            else
                cursor->depth--;
        } else if (rank >= statement->first && rank <= statement->last &&
                   (rank - statement->first) % statement->step == 0) {
            *command = statement->command;
            command->to = resolve(&statement->to, rank, program->ranks);
            command->from = resolve(&statement->from, rank, program->ranks);
            return true;
        }
    }
    return false;
}

static int read_program(FILE *file, uint32_t processes, struct text_program *program,
                        struct fth_error **error)
{
    char *line = NULL;
    size_t limit = 0;
    struct reading reading = {.program = program, .error = error};
    int result = 0;
    program->program.ranks = processes;
    for (ssize_t length; !result && (length = getline(&line, &limit, file)) >= 0;) {
        if (length && line[length - 1] == '\n')
            line[--length] = 0;
        reading.line = reading.at = line;
        reading.number++;
        result = strlen(line) == (size_t)length ? read_line(&reading, processes)
                                                : fail(&reading, "this is no text", "");
    }
    if (!result && !program->program.ranks)
        result = fth_fail(error, "it is empty");
    if (!result && reading.depth)
        result = fth_fail(error, "line %u: a '}' is missing at the end", reading.number);
    free(line);
    return result;
}

struct fth_sim_program *fth_sim_program_read(const char *path, uint32_t processes,
                                             struct fth_error **error)
{
    FILE *file = fopen(path, "re");
    if (!file) {
        fth_fail_errno(error, "cannot open program '%s'", path);
        return NULL;
    }
    struct text_program *program = fth_new(1, sizeof *program);
    program->program.next = next;
    int result = read_program(file, processes, program, error);
    fclose(file);
    if (!result)
        return &program->program;
    fth_fail_in(error, "program '%s'", path);
    fth_sim_program_free(&program->program);
    return NULL;
}

void fth_sim_program_free(struct fth_sim_program *program)
{
    if (!program)
        return;
    free(((struct text_program *)program)->statements);
    free(program);
}
