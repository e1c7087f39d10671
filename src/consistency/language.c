/* A reader for the language: lines are cut into words, and each first word has a function that
 * reads the rest. */
#include "consistency/language.h"

#include "base/text_file.h"

#include "base/memory.h"
#include "base/visible.h"

#include <fathom/trace.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_FILE = 1 << 20, MOST_MODELS = 64, MOST_WORDS = 4096 };

/* What the generated file built_in_models.c holds. */
extern const char fth_built_in_models[];

struct reader {
    const char *where;
    const char *at, *end; /* of what is left of the line */
    const char *line_start;
    unsigned line;
    struct fth_error **error;
};

struct word {
    const char *text;
    size_t length;
};

static int fail(const struct reader *reader, const char *at, const char *expected,
                struct word instead)
{
    unsigned column = (unsigned)(at - reader->line_start) + 1;
    if (instead.length == 0)
        return fth_fail(reader->error, "%s:%u:%u: expected %s", reader->where, reader->line, column,
                        expected);
    return fth_fail(reader->error, "%s:%u:%u: expected %s instead of '%.*s'", reader->where,
                    reader->line, column, expected,
                    (int)(instead.length < 80 ? instead.length : 80), instead.text);
}

/* The next word of the line; `=` and `,` are words of their own. Length 0: no more. */
static struct word next_word(struct reader *reader)
{
    while (reader->at < reader->end && strchr(" \t\r", *reader->at))
        reader->at++;
    struct word word = {reader->at, 0};
    if (reader->at < reader->end && strchr("=,", *reader->at)) {
        reader->at++;
        word.length = 1;
        return word;
    }
    while (reader->at < reader->end && !strchr(" \t\r=,", *reader->at))
        reader->at++;
    word.length = (size_t)(reader->at - word.text);
    return word;
}

static struct word peek_word(struct reader *reader)
{
    const char *at = reader->at;
    struct word word = next_word(reader);
    reader->at = at;
    return word;
}

static bool is(struct word word, const char *text)
{
    return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}

static char *copy(const char *text, size_t length)
{
    char *copied = fth_new(length + 1, 1);
    memcpy(copied, text, length);
    return copied;
}

static struct word rest_of_line(struct reader *reader)
{
    while (reader->at < reader->end && strchr(" \t", *reader->at))
        reader->at++;
    struct word rest = {reader->at, (size_t)(reader->end - reader->at)};
    while (rest.length && strchr(" \t\r", rest.text[rest.length - 1]))
        rest.length--;
    reader->at = reader->end;
    return rest;
}

static int read_words(struct reader *reader, char ***words, size_t *count, const char *expected)
{
    struct word word = next_word(reader);
    if (word.length == 0)
        return fail(reader, word.text, expected, word);
    for (; word.length; word = next_word(reader)) {
        if (is(word, ",") || is(word, "=") || *count >= MOST_WORDS)
            return fail(reader, word.text, expected, word);
        FTH_GROW(*words, *count);
        (*words)[(*count)++] = copy(word.text, word.length);
    }
    return 0;
}

/* Layers whose calls say which bytes of a file they access. */
static int read_layers(struct reader *reader, struct fth_consistency *model)
{
    struct word word = peek_word(reader);
    if (word.length == 0)
        return fail(reader, word.text, "'posix' or 'mpiio'", word);
    while (word.length) {
        if (!is(word, "posix") && !is(word, "mpiio"))
            return fail(reader, word.text, "'posix' or 'mpiio'", word);
        next_word(reader);
        FTH_GROW(model->layers, model->layer_count);
        model->layers[model->layer_count++] = copy(word.text, word.length);
        word = peek_word(reader);
    }
    return 0;
}

static int read_set(struct reader *reader, struct fth_consistency *model)
{
    struct word name = next_word(reader);
    if (name.length == 0 || is(name, "=") || is(name, ",") || is(name, "x") || is(name, "y"))
        return fail(reader, name.text, "a name for the set, other than x and y", name);
    for (size_t i = 0; i < model->set_count; i++)
        if (is(name, model->sets[i].name))
            return fail(reader, name.text, "a name that no other set of this model has", name);
    if (model->set_count >= FTH_CONSISTENCY_SETS)
        return fail(reader, name.text, "no more than 32 sets", name);
    struct word equals = next_word(reader);
    if (!is(equals, "="))
        return fail(reader, equals.text, "'=' and names of functions", equals);
    FTH_GROW(model->sets, model->set_count);
    struct fth_consistency_set *set = &model->sets[model->set_count++];
    *set = (struct fth_consistency_set){.name = copy(name.text, name.length), .line = reader->line};
    struct reader again = *reader;
    if (read_words(reader, &set->functions, &set->function_count, "names of functions"))
        return -1;
    set->columns = fth_new(set->function_count, sizeof *set->columns);
    for (size_t i = 0; i < set->function_count; i++)
        set->columns[i] = (unsigned)(next_word(&again).text - reader->line_start) + 1;
    return 0;
}

static int read_condition(struct reader *reader, struct fth_construct *construct)
{
    struct word word = next_word(reader);
    if (is(word, "atomic")) {
        construct->conditions |= FTH_BOTH_ATOMIC;
        return 0;
    }
    if (!is(word, "x") && !is(word, "y"))
        return fail(reader, word.text, "'atomic', 'x reads', 'y writes', 'x truncates' ...", word);
    static const struct {
        const char *does;
        unsigned x, y;
    } conditions[] = {{"reads", FTH_X_READS, FTH_Y_READS},
                      {"writes", FTH_X_WRITES, FTH_Y_WRITES},
                      {"truncates", FTH_X_TRUNCATES, FTH_Y_TRUNCATES}};
    struct word does = next_word(reader);
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
        if (is(does, conditions[i].does)) {
            construct->conditions |= is(word, "x") ? conditions[i].x : conditions[i].y;
            return 0;
        }
    return fail(reader, does.text, "'reads', 'writes' or 'truncates'", does);
}

static int read_appends(struct reader *reader, struct fth_consistency *model)
{
    struct word word = next_word(reader);
    if (!is(word, "atomic"))
        return fail(reader, word.text, "'atomic'", word);
    model->atomic_appends = true;
    return 0;
}

static int read_relation(struct reader *reader, enum fth_relation *relation)
{
    struct word word = next_word(reader);
    if (!is(word, "po") && !is(word, "hb"))
        return fail(reader, word.text, "'po' (by the same process) or 'hb' (happens before)", word);
    *relation = is(word, "po") ? FTH_PROGRAM_ORDER : FTH_HAPPENS_BEFORE;
    return 0;
}

static int read_steps(struct reader *reader, const struct fth_consistency *model,
                      struct fth_construct *construct)
{
    struct word word = next_word(reader);
    if (!is(word, "x"))
        return fail(reader, word.text, "'x', the earlier access", word);
    for (;;) {
        enum fth_relation relation = FTH_PROGRAM_ORDER;
        unsigned set = 0;
        if (read_relation(reader, &relation))
            return -1;
        word = next_word(reader);
        if (is(word, "y")) {
            construct->last = relation;
            return 0;
        }
        while (set < model->set_count && !is(word, model->sets[set].name))
            set++;
        if (set == model->set_count)
            return fail(reader, word.text, "'y', or a set of this model (`set NAME = ...` above)",
                        word);
        if (construct->step_count >= FTH_CONSISTENCY_STEPS)
            return fail(reader, word.text, "no more than 8 steps", word);
        construct->steps[construct->step_count].relation = relation;
        construct->steps[construct->step_count++].set = set;
    }
}

static int read_conditions(struct reader *reader, struct fth_construct *construct)
{
    struct word word = peek_word(reader);
    if (word.length == 0)
        return 0;
    if (!is(word, "when"))
        return fail(reader, word.text, "'when' and a condition, or the end of the line", word);
    do {
        next_word(reader);
        if (read_condition(reader, construct))
            return -1;
        word = peek_word(reader);
    } while (is(word, "and"));
    return word.length ? fail(reader, word.text, "'and', or the end of the line", word) : 0;
}

static int read_order(struct reader *reader, struct fth_consistency *model)
{
    struct reader line = *reader;
    struct word text = rest_of_line(&line);
    if (model->construct_count >= FTH_CONSISTENCY_SETS)
        return fail(reader, reader->at, "no more than 32 orders", text);
    FTH_GROW(model->constructs, model->construct_count);
    struct fth_construct *construct = &model->constructs[model->construct_count++];
    *construct = (struct fth_construct){.text = copy(text.text, text.length)};
    return read_steps(reader, model, construct) ? -1 : read_conditions(reader, construct);
}

/* Names up to the end of the line, or to `end`. */
static int read_names(struct reader *reader, char behind, char ***names, size_t *count)
{
    do {
        while (reader->at < reader->end && strchr(" \t", *reader->at))
            reader->at++;
        const char *start = reader->at;
        while (reader->at < reader->end && *reader->at != ',' && (!behind || *reader->at != behind))
            reader->at++;
        const char *end = reader->at;
        while (end > start && strchr(" \t\r", end[-1]))
            end--;
        if (end == start)
            return fail(reader, start, "the name of a file system", (struct word){start, 0});
        FTH_GROW(*names, *count);
        (*names)[(*count)++] = copy(start, (size_t)(end - start));
    } while (reader->at < reader->end && *reader->at == ',' && reader->at++);
    return 0;
}

static int read_systems(struct reader *reader, struct fth_consistency *model)
{
    return read_names(reader, 0, &model->systems, &model->system_count);
}

/* "alone NAME, NAME: x po SET po y when ...", or "alone NAME: never when ..." */
static int read_alone(struct reader *reader, struct fth_consistency *model)
{
    if (model->alone_count >= FTH_CONSISTENCY_SETS)
        return fail(reader, reader->at, "no more than 32 of these", (struct word){reader->at, 0});
    FTH_GROW(model->alone, model->alone_count);
    struct fth_alone *alone = &model->alone[model->alone_count++];
    *alone = (struct fth_alone){0};
    if (read_names(reader, ':', &alone->systems, &alone->system_count))
        return -1;
    if (reader->at == reader->end)
        return fail(reader, reader->at, "':' after the names of file systems",
                    (struct word){reader->at, 0});
    reader->at++;
    struct reader line = *reader;
    struct word text = rest_of_line(&line), word = peek_word(reader);
    alone->construct.text = copy(text.text, text.length);
    alone->never = is(word, "never");
    if (alone->never)
        next_word(reader);
    else if (read_steps(reader, model, &alone->construct))
        return -1;
    bool po = alone->construct.last == FTH_PROGRAM_ORDER || alone->never;
    for (size_t i = 0; i < alone->construct.step_count; i++)
        po &= i == 0 && alone->construct.steps[i].relation == FTH_PROGRAM_ORDER;
    if (!po)
        return fail(reader, text.text, "'never', or 'x po SET po y' (both within one process)",
                    text);
    return read_conditions(reader, &alone->construct);
}

static int read_weaker(struct reader *reader, struct fth_consistencies *models,
                       struct fth_consistency *model)
{
    struct word than = next_word(reader), name = next_word(reader);
    if (!is(than, "than"))
        return fail(reader, than.text, "'than'", than);
    for (size_t i = 0; i < models->count; i++)
        if (&models->models[i] != model && is(name, models->models[i].name)) {
            free(model->weaker);
            model->weaker = copy(name.text, name.length);
            return 0;
        }
    return fail(reader, name.text, "the name of a model further above", name);
}

static int begin_model(struct reader *reader, struct fth_consistencies *models)
{
    struct word name = next_word(reader);
    if (name.length == 0 || is(name, "=") || is(name, ",") || is(name, "all"))
        return fail(reader, name.text, "a name for the model, other than 'all'", name);
    for (size_t i = 0; i < models->count; i++)
        if (is(name, models->models[i].name))
            return fail(reader, name.text, "a name that no other model has", name);
    if (models->count >= MOST_MODELS)
        return fail(reader, name.text, "no more than 64 models", name);
    FTH_GROW(models->models, models->count);
    models->models[models->count++] =
        (struct fth_consistency){.name = copy(name.text, name.length)};
    return 0;
}

static int read_statement(struct reader *reader, struct fth_consistencies *models, bool *begun)
{
    struct word word = next_word(reader);
    if (word.length == 0)
        return 0;
    if (is(word, "model")) {
        *begun = true;
        return begin_model(reader, models);
    }
    if (!*begun)
        return fail(reader, word.text, "'model' and a name", word);
    struct fth_consistency *model = &models->models[models->count - 1];
    if (is(word, "about")) {
        struct word rest = rest_of_line(reader);
        free(model->about);
        model->about = copy(rest.text, rest.length);
        return 0;
    }
    if (is(word, "accesses"))
        return read_layers(reader, model);
    if (is(word, "set"))
        return read_set(reader, model);
    if (is(word, "order"))
        return read_order(reader, model);
    if (is(word, "appends"))
        return read_appends(reader, model);
    if (is(word, "alone"))
        return read_alone(reader, model);
    if (is(word, "on"))
        return read_systems(reader, model);
    if (is(word, "weaker"))
        return read_weaker(reader, models, model);
    return fail(
        reader, word.text,
        "'model', 'about', 'accesses', 'set', 'order', 'appends', 'alone', 'on' or 'weaker than'",
        word);
}

static int check_end(struct reader *reader)
{
    struct word word = next_word(reader);
    return word.length ? fail(reader, word.text, "the end of the line", word) : 0;
}

/* The first byte that no terminal should be given, NULL: there is none. Names are printed as they
 * are. */
static const char *find_hidden(const char *at, const char *end)
{
    while (at < end) {
        struct fth_glyph glyph = fth_glyph_of(at, (size_t)(end - at));
        if (glyph.escape && *at != '\t' && *at != '\r')
            return at;
        at += glyph.length;
    }
    return NULL;
}

int fth_consistency_parse(struct fth_consistencies *models, const char *where, const char *text,
                          size_t length, struct fth_error **error)
{
    struct reader reader = {.where = where, .error = error};
    const char *at = text, *end = text + length;
    size_t first = models->count;
    bool begun = false;
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *line_end = newline ? newline : end;
        const char *comment = memchr(at, '#', (size_t)(line_end - at));
        reader.line++;
        reader.line_start = reader.at = at;
        reader.end = comment ? comment : line_end;
        const char *hidden = find_hidden(at, line_end);
        if (hidden)
            return fail(&reader, hidden, "text, not control characters", (struct word){hidden, 0});
        if (read_statement(&reader, models, &begun) || check_end(&reader))
            return -1;
        at = newline ? newline + 1 : end;
    }
    if (models->count == first)
        return fth_fail(error, "%s: the file contains no model; a model begins with `model NAME`",
                        where);
    for (size_t i = first; i < models->count; i++)
        if (models->models[i].layer_count == 0)
            return fth_fail(error,
                            "%s: the model '%s' does not say which accesses it covers: add "
                            "`accesses posix` or `accesses mpiio`",
                            where, models->models[i].name);
    return 0;
}

void fth_consistency_built_in(struct fth_consistencies *models)
{
    struct fth_error *error = NULL;
    if (fth_consistency_parse(models, "builtin.models", fth_built_in_models,
                              strlen(fth_built_in_models), &error)) {
        fprintf(stderr, "fathom: %s\n", fth_error_text(error));
        abort(); /* a defect of the build; a test reads them, too */
    }
}

int fth_consistency_read(struct fth_consistencies *models, const char *path,
                         struct fth_error **error)
{
    FILE *file = fth_text_file(path, FTH_TEXT_MOST_BYTES, error);
    if (!file)
        return -1;
    char *text = fth_new(LONGEST_FILE + 1, 1);
    size_t length = fread(text, 1, LONGEST_FILE + 1, file);
    int result = 0;
    if (ferror(file))
        result = fth_fail_errno(error, "cannot read '%s'", path);
    else if (length > LONGEST_FILE)
        result = fth_fail(error, "'%s' is longer than 1 MiB and is not a file of models", path);
    else
        result = fth_consistency_parse(models, path, text, length, error);
    fclose(file);
    free(text);
    return result;
}
