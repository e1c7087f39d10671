/* Programs of Parabench, as far as they were published with the simulator's validation (Kunkel
 * 2013, listings 7.4 to 7.6):
 *
 *     $name = "text";                                           # "$name" in a text is that one, or
 *                                                               a variable of the environment
 *     define pattern {"p", 2, 10*1024, 100*1024, 3};            # name, type, iterations, bytes of
 *                                                               a record, level
 *     time["label"] pwrite("$name/file", "p");                  # or { several statements }; labels
 *                                                               mean nothing here
 *     pread("file", "p"); pdelete("file"); barrier;
 *
 * Of P processes, rank r accesses the records r, P + r, 2 P + r and so on (the type is always 2).
 * Levels: 0 each for himself, record by record; 1 the same all together; 2 and 3 all records with
 * one call. Files are opened and closed by all. */
#include "sim/program/statements.h"

#include "base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMED = 256, MOST_TEXT = 256, MOST_DEEP = 32, MOST_LENGTH = 1 << 20 };

struct pattern {
    char name[MOST_TEXT];
    uint64_t iterations, record, level;
};
struct variable {
    char name[MOST_TEXT], value[MOST_TEXT];
};

struct pbl {
    const char *text, *at;
    struct text_program *program;
    struct pattern patterns[MOST_NAMED];
    struct variable variables[MOST_NAMED];
    size_t pattern_count, variable_count;
    struct fth_error **error;
};

static uint32_t line_of(const struct pbl *pbl)
{
    uint32_t line = 1;
    for (const char *at = pbl->text; at < pbl->at; at++)
        line += *at == '\n';
    return line;
}

static int fail(const struct pbl *pbl, const char *what, const char *word)
{
    const char *begin = pbl->at;
    while (begin > pbl->text && begin[-1] != '\n')
        begin--;
    return fth_fail(pbl->error, "line %u, column %zu: %s%s%s%s", line_of(pbl),
                    (size_t)(pbl->at - begin) + 1, what, *word ? " '" : "", word, *word ? "'" : "");
}

/* ---- words ---- */

static void skip(struct pbl *pbl)
{
    for (; *pbl->at && (isspace((unsigned char)*pbl->at) || *pbl->at == '#'); pbl->at++)
        if (*pbl->at == '#')
            while (pbl->at[1] && pbl->at[1] != '\n')
                pbl->at++;
}

static bool accept(struct pbl *pbl, const char *word)
{
    size_t length = strlen(word);
    skip(pbl);
    bool is_word = isalpha((unsigned char)*word);
    if (strncmp(pbl->at, word, length) ||
        (is_word && (isalnum((unsigned char)pbl->at[length]) || pbl->at[length] == '_')))
        return false;
    pbl->at += length;
    return true;
}

static int want(struct pbl *pbl, const char *word)
{
    return accept(pbl, word) ? 0 : fail(pbl, "expected", word);
}

static size_t name_at(const char *at)
{
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_')
        length++;
    return length;
}

static const char *value_of(const struct pbl *pbl, const char *name)
{
    for (size_t i = pbl->variable_count; i--;)
        if (!strcmp(pbl->variables[i].name, name))
            return pbl->variables[i].value;
    return getenv(name);
}

/* "$name" in it is replaced. */
static int read_text(struct pbl *pbl, char text[MOST_TEXT])
{
    size_t length = 0;
    if (want(pbl, "\""))
        return -1;
    while (*pbl->at && *pbl->at != '"' && *pbl->at != '\n') {
        char name[MOST_TEXT], one[2] = {*pbl->at, 0};
        const char *part = one;
        size_t taken = *pbl->at == '$' ? name_at(pbl->at + 1) : 0;
        if (taken && taken < sizeof name) {
            snprintf(name, sizeof name, "%.*s", (int)taken, pbl->at + 1);
            part = value_of(pbl, name);
            if (!part)
                return fail(pbl, "there is no variable", name);
        }
        if (length + strlen(part) >= MOST_TEXT)
            return fail(pbl, "this is too long", "");
        length += (size_t)snprintf(text + length, MOST_TEXT - length, "%s", part);
        pbl->at += taken + 1;
    }
    text[length] = 0;
    return want(pbl, "\"");
}

/* "10 * 1024". */
static int read_number(struct pbl *pbl, uint64_t most, uint64_t *number)
{
    *number = 1;
    do {
        uint64_t factor = 0;
        skip(pbl);
        size_t length = strspn(pbl->at, "0123456789");
        if (!length || length > 18)
            return fail(pbl, "expected a number", "");
        factor = strtoull(pbl->at, NULL, 10);
        if (__builtin_mul_overflow(*number, factor, number) || *number > most)
            return fail(pbl, "this is too large", "");
        pbl->at += length;
    } while (accept(pbl, "*"));
    return 0;
}

/* ---- what is said before ---- */

static int read_variable(struct pbl *pbl)
{
    struct variable *variable = &pbl->variables[pbl->variable_count];
    size_t length = name_at(pbl->at);
    if (!length || length >= MOST_TEXT || pbl->variable_count == MOST_NAMED)
        return fail(pbl, "expected the name of a variable", "");
    snprintf(variable->name, sizeof variable->name, "%.*s", (int)length, pbl->at);
    pbl->at += length;
    if (want(pbl, "=") || read_text(pbl, variable->value))
        return -1;
    pbl->variable_count++;
    return want(pbl, ";");
}

static int read_pattern(struct pbl *pbl)
{
    struct pattern *pattern = &pbl->patterns[pbl->pattern_count];
    uint64_t type = 0;
    if (pbl->pattern_count == MOST_NAMED)
        return fail(pbl, "there are too many patterns", "");
    if (want(pbl, "pattern") || want(pbl, "{") || read_text(pbl, pattern->name) || want(pbl, ",") ||
        read_number(pbl, UINT32_MAX, &type) || want(pbl, ",") ||
        read_number(pbl, UINT32_MAX, &pattern->iterations) || want(pbl, ",") ||
        read_number(pbl, UINT64_C(1) << 40, &pattern->record) || want(pbl, ",") ||
        read_number(pbl, 3, &pattern->level) || want(pbl, "}"))
        return -1;
    if (type != 2)
        return fail(pbl, "the only type is 2 (records round robin over the processes)", "");
    if (!pattern->record || !pattern->iterations)
        return fail(pbl, "this pattern has no bytes:", pattern->name);
    pbl->pattern_count++;
    return want(pbl, ";");
}

static const struct pattern *find_pattern(const struct pbl *pbl, const char *name)
{
    for (size_t i = pbl->pattern_count; i--;)
        if (!strcmp(pbl->patterns[i].name, name))
            return &pbl->patterns[i];
    return NULL;
}

/* ---- what is done ---- */

static uint32_t file_of(struct pbl *pbl, const char *name)
{
    struct fth_sim_named_files *files = &pbl->program->files;
    uint32_t number = 0;
    while (number < files->count && strcmp(files->files[number].name, name))
        number++;
    if (number == files->count)
        fth_sim_named_files_add(NULL, files, &(struct fth_sim_file){.name = name});
    return number;
}

static void add(struct pbl *pbl, enum fth_sim_verb verb, uint32_t file)
{
    fth_sim_add_statement(
        pbl->program,
        &(struct statement){.last = pbl->program->program.ranks - 1,
                            .step = 1,
                            .command = {.verb = verb, .file = file, .line = line_of(pbl)}});
}

static void add_accesses(struct pbl *pbl, const struct pattern *pattern, enum fth_sim_verb verb,
                         uint32_t file)
{
    struct text_program *program = pbl->program;
    uint32_t repeat = program->count;
    uint64_t stride = pattern->record * program->program.ranks;
    bool at_once = pattern->level > 1;
    if (!at_once)
        fth_sim_add_statement(program,
                              &(struct statement){.kind = REPEAT, .turns = pattern->iterations});
    add(pbl, verb, file);
    struct statement *access = &program->statements[program->count - 1];
    access->command.ranges = (struct fth_sim_ranges){
        .bytes = pattern->record, .stride = stride, .count = at_once ? pattern->iterations : 1};
    access->place =
        (struct fth_sim_place){.per_rank = pattern->record, .per_turn = at_once ? 0 : stride};
    if (at_once)
        return;
    access->loop = repeat + 1;
    program->statements[repeat].other = program->count;
    fth_sim_add_statement(program, &(struct statement){.kind = END, .other = repeat});
}

static int read_access(struct pbl *pbl, enum fth_sim_verb alone, enum fth_sim_verb all)
{
    char name[MOST_TEXT], pattern_name[MOST_TEXT], group[MOST_TEXT];
    if (want(pbl, "(") || read_text(pbl, name) || want(pbl, ",") || read_text(pbl, pattern_name))
        return -1;
    const struct pattern *pattern = find_pattern(pbl, pattern_name);
    if (!pattern)
        return fail(pbl, "there is no pattern", pattern_name);
    if (accept(pbl, ",") && read_text(pbl, group))
        return -1;
    if (want(pbl, ")"))
        return -1;
    uint64_t ranks = pbl->program->program.ranks, total = 0;
    if (__builtin_mul_overflow(pattern->record * ranks, pattern->iterations, &total) ||
        total > FTH_SIM_MOST_OFFSET)
        return fail(pbl, "a file has at most 1 EiB (1152921504606846976 B):", name);
    uint32_t file = file_of(pbl, name);
    struct fth_sim_file *stored = &pbl->program->files.files[file];
    if (alone == FTH_SIM_FILE_READ && stored->size < total)
        stored->size = total; /* it is there before */
    add(pbl, FTH_SIM_FILE_OPEN_ALL, file);
    add_accesses(pbl, pattern, pattern->level % 2 ? all : alone, file);
    add(pbl, FTH_SIM_FILE_CLOSE_ALL, file);
    return 0;
}

static int read_delete(struct pbl *pbl)
{
    char name[MOST_TEXT];
    if (want(pbl, "(") || read_text(pbl, name) || want(pbl, ")"))
        return -1;
    add(pbl, FTH_SIM_FILE_LOOKUP, file_of(pbl, name));
    pbl->program->statements[pbl->program->count - 1].last = 0; /* rank 0 does it */
    return 0;
}

static int read_statement(struct pbl *pbl, unsigned depth);

static int read_timed(struct pbl *pbl, unsigned depth)
{
    char label[MOST_TEXT];
    if (depth == MOST_DEEP)
        return fail(pbl, "this is nested too deeply", "");
    if (want(pbl, "[") || read_text(pbl, label) || want(pbl, "]"))
        return -1;
    if (!accept(pbl, "{"))
        return read_statement(pbl, depth + 1);
    while (!accept(pbl, "}"))
        if (read_statement(pbl, depth + 1))
            return -1;
    accept(pbl, ";");
    return 0;
}

static int read_statement(struct pbl *pbl, unsigned depth)
{
    if (accept(pbl, "$"))
        return read_variable(pbl);
    if (accept(pbl, "define"))
        return read_pattern(pbl);
    if (accept(pbl, "time"))
        return read_timed(pbl, depth);
    int result;
    if (accept(pbl, "pwrite"))
        result = read_access(pbl, FTH_SIM_FILE_WRITE, FTH_SIM_FILE_WRITE_ALL);
    else if (accept(pbl, "pread"))
        result = read_access(pbl, FTH_SIM_FILE_READ, FTH_SIM_FILE_READ_ALL);
    else if (accept(pbl, "pdelete"))
        result = read_delete(pbl);
    else if (accept(pbl, "barrier"))
        result = (add(pbl, FTH_SIM_BARRIER, 0), 0);
    else
        return fail(pbl, "there is no such statement", "");
    return result ? -1 : want(pbl, ";");
}

bool fth_sim_is_pbl(const char *path)
{
    const char *ending = strrchr(path, '.');
    return ending && !strcmp(ending, ".pbl");
}

int fth_sim_read_pbl(FILE *file, uint32_t processes, struct text_program *program,
                     struct fth_error **error)
{
    if (!processes)
        return fth_fail(error, "it does not set the number of processes: use --processes");
    char *text = fth_new(MOST_LENGTH + 1, 1);
    size_t length = fread(text, 1, MOST_LENGTH, file);
    struct pbl *pbl = fth_new(1, sizeof *pbl);
    *pbl = (struct pbl){.text = text, .at = text, .program = program, .error = error};
    program->program.ranks = processes;
    int result = 0;
    if (length == MOST_LENGTH || strlen(text) != length)
        result = fth_fail(error, "this is not text, or it is longer than 1 MiB");
    while (!result && (skip(pbl), *pbl->at))
        result = read_statement(pbl, 0);
    free(pbl);
    free(text);
    return result;
}
