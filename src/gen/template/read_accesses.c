/* The hints of accesses: which part of a variable which process writes or reads. Three forms:
 *     array: rank, temp, rank * 25, 25, 0, 100, buffer;        one or all, start and count
 *     array: 0-3, temp, ...                                    processes by number
 *     array: <2, 2>, temp, <1, 1>, <2, 2>, <3, 3>, buffer;     a grid: offsets, lengths, strides
 * Lines of one set for single processes, with the same variable and buffer, are one access. */
#include "base/memory.h"
#include "gen/template/data_model.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static int read_numbers(struct fth_gen_model *model, uint32_t file,
                        const struct fth_hint_word *words, uint32_t count, uint32_t step,
                        struct fth_gen_number **numbers)
{
    *numbers = fth_arena_take(&model->hints->arena, (count + 1) * sizeof **numbers);
    model->scope_file = file;
    for (uint32_t i = 0; i < count; i++)
        (*numbers)[i] = fth_gen_number_read(model, &words[(size_t)i * step]);
    return 0;
}

static int read_tuple(struct fth_gen_model *model, uint32_t file, const struct fth_hint_word *word,
                      uint32_t count, const char *what, struct fth_gen_number **numbers,
                      struct fth_error **error)
{
    if (word->item_count != count)
        return fth_hints_fail(model->hints, word->place, error,
                              "%s is a tuple of %u numbers, one for each dimension, not '%s'", what,
                              count, word->text);
    return read_numbers(model, file, word->items, count, 1, numbers);
}

/* "<8, 8>" of a buffer's text, behind the word `at` or `in`. */
static int read_inline_tuple(struct fth_gen_model *model, uint32_t file,
                             const struct fth_hint_word *word, const char **text,
                             struct fth_gen_number **numbers, uint32_t *count,
                             struct fth_error **error)
{
    const char *end = strchr(*text, '>');
    struct fth_hint_word items[FTH_GEN_MOST_DIMENSIONS];
    *count = 0;
    for (const char *at = *text + 1; end && at <= end; at++) {
        unsigned depth = 0;
        const char *begin = at;
        for (; at < end && (depth || *at != ','); at++)
            depth += (*at == '(' || *at == '[') - (unsigned)(*at == ')' || *at == ']');
        if (*count == FTH_GEN_MOST_DIMENSIONS)
            return fth_hints_fail(model->hints, word->place, error,
                                  "an array in memory has at most %d dimensions",
                                  FTH_GEN_MOST_DIMENSIONS);
        while (begin < at && isspace((unsigned char)*begin))
            begin++;
        size_t length = (size_t)(at - begin);
        while (length && isspace((unsigned char)begin[length - 1]))
            length--;
        char *copy = fth_arena_take(&model->hints->arena, length + 1);
        memcpy(copy, begin, length);
        copy[length] = '\0';
        items[(*count)++] = (struct fth_hint_word){.place = word->place, .text = copy};
    }
    if (!end || !*count)
        return fth_hints_fail(model->hints, word->place, error,
                              "a buffer in a larger array is `buffer in <lengths> at <start>`, not "
                              "'%s'",
                              word->text);
    *text = end + 1;
    return read_numbers(model, file, items, *count, 1, numbers);
}

/* `buffer in <lengths> at <start>` */
static int read_buffer(struct fth_gen_model *model, struct fth_gen_access *access,
                       const struct fth_hint_word *word, struct fth_error **error)
{
    const char *in = strstr(word->text, " in <");
    access->buffer = word->text;
    if (!in)
        return 0;
    if (model->language == FTH_GEN_FORTRAN)
        return fth_hints_fail(model->hints, word->place, error,
                              "a buffer in a larger array is a section of it in Fortran: "
                              "`array(5:12, :)`");
    size_t length = (size_t)(in - word->text);
    char *copy = fth_arena_take(&model->hints->arena, length + 1);
    memcpy(copy, word->text, length);
    copy[length] = '\0';
    access->buffer = copy;
    const char *text = in + 4;
    uint32_t starts = 0;
    if (read_inline_tuple(model, access->file, word, &text, &access->memory, &access->memory_count,
                          error))
        return -1;
    while (isspace((unsigned char)*text))
        text++;
    if (strncmp(text, "at", 2) != 0 || !strchr(text, '<'))
        return fth_hints_fail(model->hints, word->place, error,
                              "it is not said where in the array the buffer begins: add ` at "
                              "<start>`");
    text = strchr(text, '<');
    if (read_inline_tuple(model, access->file, word, &text, &access->memory_start, &starts, error))
        return -1;
    uint32_t dimensions = model->variables[access->variable].dimension_count;
    if (starts != access->memory_count || starts < dimensions)
        return fth_hints_fail(model->hints, word->place, error,
                              "the array in memory has %u dimensions, its start has %u, and the "
                              "variable '%s' has %u: the first two are equal, and not less",
                              access->memory_count, starts, model->variables[access->variable].name,
                              dimensions);
    return 0;
}

static bool is_variable(const char *text)
{
    for (const char *at = text; *at; at++)
        if (!isalnum((unsigned char)*at) && !strchr("_.>-", *at))
            return false;
    return (isalpha((unsigned char)*text) || *text == '_') &&
           (!strchr(text, '-') || strstr(text, "->"));
}

/* Which processes: `*` and the name of a rank are all. */
static int read_process(struct fth_gen_model *model, uint32_t file,
                        const struct fth_hint_word *word, struct fth_gen_piece *piece)
{
    const char *dash = strchr(word->text, '-');
    struct fth_hint_word part = *word;
    piece->all = !strcmp(word->text, "*") || is_variable(word->text);
    if (piece->all)
        return 0;
    model->scope_file = file;
    if (dash && dash > word->text) {
        size_t length = (size_t)(dash - word->text);
        char *first = fth_arena_take(&model->hints->arena, length + 1);
        memcpy(first, word->text, length);
        first[length] = '\0';
        part.text = first;
    }
    piece->first = fth_gen_number_read(model, &part);
    part.text = dash && dash > word->text ? dash + 1 : word->text;
    piece->last = fth_gen_number_read(model, &part);
    return 0;
}

static int check_processes(struct fth_gen_model *model, const struct fth_gen_piece *piece,
                           const struct fth_hint_word *word, int64_t *last,
                           struct fth_error **error)
{
    const char *unknown;
    int64_t first;
    if (piece->all)
        return 0;
    if (!fth_gen_number_value(model, UINT32_MAX, &piece->first, -1, &first, &unknown) ||
        !fth_gen_number_value(model, UINT32_MAX, &piece->last, -1, last, &unknown) || first < 0 ||
        *last < first || *last > INT32_MAX - 1)
        return fth_hints_fail(model->hints, word->place, error,
                              "processes are `*`, the name of the rank, a number, a range `0-3`, "
                              "or a grid `<2, 2>`, not '%s'",
                              word->text);
    return 0;
}

static int read_pairs(struct fth_gen_model *model, struct fth_gen_access *access,
                      const struct fth_hint_line *hint, struct fth_gen_piece *piece,
                      struct fth_error **error)
{
    const struct fth_gen_variable *variable = &model->variables[access->variable];
    uint32_t count = variable->dimension_count, words = hint->word_count;
    if (words != 3 + 2 * count)
        return fth_hints_fail(model->hints, hint->place, error,
                              "the variable '%s' has %u dimensions, so an access has %u starts and "
                              "counts and a buffer behind its name, but %u parameters follow",
                              variable->name, count, 2 * count, words - 2);
    for (uint32_t i = 0; i < words; i++)
        if (hint->words[i].item_count)
            return fth_hints_fail(model->hints, hint->words[i].place, error,
                                  "a tuple stands only in an access of a grid of processes, which "
                                  "begins with one");
    if (read_process(model, access->file, &hint->words[0], piece))
        return -1;
    read_numbers(model, access->file, hint->words + 2, count, 2, &piece->start);
    return read_numbers(model, access->file, hint->words + 3, count, 2, &piece->count);
}

static int read_grid(struct fth_gen_model *model, struct fth_gen_access *access,
                     const struct fth_hint_line *hint, struct fth_gen_piece *piece,
                     struct fth_error **error)
{
    uint32_t count = model->variables[access->variable].dimension_count;
    if (hint->word_count != 6 || !count)
        return fth_hints_fail(model->hints, hint->place, error,
                              "an access of a grid is `array: <processes>, variable, <offsets>, "
                              "<lengths>, <strides>, buffer;`");
    piece->all = true;
    return read_tuple(model, access->file, &hint->words[0], count, "the grid", &access->grid,
                      error) ||
                   read_tuple(model, access->file, &hint->words[2], count, "the offsets",
                              &piece->start, error) ||
                   read_tuple(model, access->file, &hint->words[3], count, "the lengths",
                              &piece->count, error) ||
                   read_tuple(model, access->file, &hint->words[4], count, "the strides",
                              &access->stride, error)
               ? -1
               : 0;
}

/* Continues the access before it, if both are for single processes. */
static bool joins(const struct fth_gen_access *before, const struct fth_gen_access *access,
                  const struct fth_gen_piece *piece)
{
    return before->variable == access->variable && !before->grid && !access->grid && !piece->all &&
           !before->pieces[0].all && !strcmp(before->buffer, access->buffer) && !before->memory &&
           !access->memory;
}

static int need_processes(struct fth_gen_model *model, struct fth_gen_access *access,
                          const struct fth_hint_line *hint, int64_t last, struct fth_error **error)
{
    struct fth_gen_file *file = &model->files[access->file];
    int64_t needed = last + 1;
    if (access->grid) {
        const char *unknown;
        needed = 1;
        for (uint32_t i = 0; i < hint->words[0].item_count; i++) {
            int64_t value;
            if (!fth_gen_number_value(model, access->file, &access->grid[i], -1, &value, &unknown))
                return 0;
            if (value < 1 || __builtin_mul_overflow(needed, value, &needed) || needed > INT32_MAX)
                return fth_hints_fail(model->hints, hint->words[0].place, error,
                                      "'%s' is no grid of processes", hint->words[0].text);
        }
    }
    if (needed > file->least_processes)
        file->least_processes = needed;
    return 0;
}

int fth_gen_access_read(struct fth_gen_model *model, uint32_t session,
                        const struct fth_hint_set *set, const struct fth_hint_line *hint,
                        struct fth_error **error)
{
    struct fth_gen_access made = {.writes = set->kind == FTH_HINTS_WRITE,
                                  .place = hint->place,
                                  .file = model->sessions[session].file};
    struct fth_gen_piece piece = {0};
    int64_t last = -1;
    if (hint->word_count < 3)
        return fth_hints_fail(model->hints, hint->place, error,
                              "an access is `array: process, variable, start, count, ..., "
                              "buffer;`");
    int64_t variable = fth_gen_variable_find(model, made.file, &hint->words[1], error);
    if (variable < 0)
        return -1;
    made.variable = (uint32_t)variable;
    bool grid = hint->words[0].item_count > 0;
    if ((grid ? read_grid : read_pairs)(model, &made, hint, &piece, error) ||
        read_buffer(model, &made, &hint->words[hint->word_count - 1], error) ||
        check_processes(model, &piece, &hint->words[0], &last, error) ||
        need_processes(model, &made, hint, last, error))
        return -1;
    struct fth_gen_variable *of = &model->variables[made.variable];
    of->is_written |= made.writes;
    of->is_read |= !made.writes;
    const struct fth_gen_set *own = &model->sets[set - model->hints->sets];
    if (model->access_count > own->first &&
        joins(&model->accesses[model->access_count - 1], &made, &piece)) {
        struct fth_gen_access *before = &model->accesses[model->access_count - 1];
        FTH_GROW(before->pieces, before->piece_count);
        before->pieces[before->piece_count++] = piece;
        return 0;
    }
    FTH_GROW(made.pieces, made.piece_count);
    made.pieces[made.piece_count++] = piece;
    FTH_GROW(model->accesses, model->access_count);
    model->accesses[model->access_count++] = made;
    return 0;
}
