/* Numbers as expressions of the rank, of loop counters and of parameters. */
#include "proxy/writing.h"

#include "base/memory.h"

#include <inttypes.h>
#include <string.h>

static const struct fth_body_function *function_of(const struct fth_writing *writing)
{
    return &writing->body->functions[writing->function];
}

/* ---- sums ---- */

/* A sum of products, whose constant part is kept apart. Eats `term`. */
struct sum {
    char *text; /* NULL: nothing yet */
    int64_t constant;
};

static void add_text(struct sum *sum, char *term)
{
    char *before = sum->text;
    bool negative = *term == '-';
    sum->text = !before    ? fth_text_copy(term)
                : negative ? fth_text_format("%s - %s", before, term + 1)
                           : fth_text_format("%s + %s", before, term);
    free(before);
    free(term);
}

static char *product(char *factor, bool constant, int64_t number, const char *name)
{
    char *text;
    if (constant && number == 1)
        text = fth_text_copy(name);
    else if (constant && number == -1)
        text = fth_text_format("-%s", name);
    else if (constant)
        text = fth_text_format("%s * %s", factor, name);
    else
        text = strchr(factor, ' ') ? fth_text_format("(%s) * %s", factor, name)
                                   : fth_text_format("%s * %s", factor, name);
    free(factor);
    return text;
}

/* numbers, of each process, times a variable. */
static void add_product(struct fth_writing *writing, struct sum *sum, const int64_t *numbers,
                        const char *name)
{
    bool constant;
    char *factor = fth_proxy_write_ranked(writing, numbers, &constant);
    int64_t first = numbers[fth_proxy_first_written(writing)];
    if (constant && !first)
        free(factor);
    else
        add_text(sum, product(factor, constant, first, name));
}

static void add_ranked(struct fth_writing *writing, struct sum *sum, const int64_t *numbers)
{
    bool constant;
    char *text = fth_proxy_write_ranked(writing, numbers, &constant);
    if (!constant) {
        add_text(sum, text);
        return;
    }
    sum->constant =
        (int64_t)((uint64_t)sum->constant + (uint64_t)numbers[fth_proxy_first_written(writing)]);
    free(text);
}

static char *sum_text(struct sum *sum)
{
    if (!sum->text)
        return fth_proxy_write_literal(sum->constant);
    if (sum->constant) {
        char *term = fth_proxy_write_literal(sum->constant);
        add_text(sum, term);
    }
    return sum->text;
}

/* ---- values ---- */

static int depth_of(const struct fth_body_function *function, int loop)
{
    int depth = 0;
    while ((loop = function->loops[loop].outer) >= 0)
        depth++;
    return depth;
}

void fth_proxy_write_counter(const struct fth_body_function *function, int loop,
                             char name[static 16])
{
    int depth = depth_of(function, loop);
    if (depth < 6)
        snprintf(name, 16, "%c", "ijklmn"[depth]);
    else
        snprintf(name, 16, "i%d", depth);
}

bool fth_proxy_write_is_passed(const struct fth_body *body, const struct fth_body_value *value)
{
    return value->is_parameter && value->leader < 0 && !fth_value_is_series(body, value);
}

static const char *field_name(const struct fth_body *body, const struct fth_body_value *value)
{
    const struct fth_form *form;
    int field = fth_value_field(body, value, &form);
    return form->step                                           ? "number"
           : field < 0                                          ? "length"
           : form->arguments[field].written == FTH_WRITTEN_NAME ? "number"
                                                                : form->row->fields[field].name;
}

void fth_proxy_write_parameter(const struct fth_writing *writing, uint32_t function, uint32_t value,
                               char name[static 48])
{
    const struct fth_body *body = writing->body;
    const struct fth_body_function *of = &body->functions[function];
    const char *own = field_name(body, &of->values[value]);
    unsigned before = 0;
    for (uint32_t i = 0; i < value; i++)
        before += fth_proxy_write_is_passed(body, &of->values[i]) &&
                  !strcmp(field_name(body, &of->values[i]), own);
    /* With an ending, so that it is no name of the program's or of C. */
    if (before)
        snprintf(name, 48, "%.30s_%u", own, before);
    else
        snprintf(name, 48, "%.30s%s", own, strcmp(own, "number") ? "_0" : "");
}

/* Where a turn goes over the parts of all ranks, its stride grows with their number:
 * "8 * rank + 8 * ranks * i". Where the parts do not fill it, it has room for so many ranks. */
static bool add_stride_of_ranks(struct fth_writing *writing, struct sum *sum,
                                const struct fth_body_value *value, const int64_t *strides,
                                const char *name)
{
    int64_t slope, all, slopes, stride = strides[fth_proxy_first_written(writing)];
    if (fth_proxy_in_program(writing) || !fth_proxy_slope(writing, value->bases, &slope) ||
        slope <= 0 || !fth_proxy_slope(writing, strides, &slopes) || slopes || stride < 0 ||
        stride < slope || __builtin_mul_overflow(slope, writing->rank_count, &all))
        return false;
    if (stride % all) {
        int64_t room = stride / slope;
        fth_proxy_limit_ranks(writing, 1, room > writing->rank_count ? room : writing->rank_count,
                              "more would not fit in the stride of a loop");
        return false;
    }
    writing->needs |= FTH_NEEDS_SIZE;
    int64_t factor = stride / writing->rank_count;
    add_text(sum, factor == 1 ? fth_text_format("ranks * %s", name)
                              : fth_text_format("%" PRId64 " * ranks * %s", factor, name));
    return true;
}

/* For the loops around it, the outermost first. */
static void add_strides(struct fth_writing *writing, struct sum *sum,
                        const struct fth_body_value *value, int loop)
{
    const struct fth_body_function *function = function_of(writing);
    size_t members = writing->body->member_count;
    char name[16];
    if (loop < 0)
        return;
    add_strides(writing, sum, value, function->loops[loop].outer);
    int64_t *strides = fth_new(members, sizeof *strides);
    for (size_t m = 0; m < members; m++)
        strides[m] = value->strides[m * function->loop_count + (size_t)loop];
    fth_proxy_write_counter(function, loop, name);
    if (!add_stride_of_ranks(writing, sum, value, strides, name))
        add_product(writing, sum, strides, name);
    free(strides);
}

static char *value_text(struct fth_writing *writing, const struct fth_body_value *value)
{
    const struct fth_body_function *function = function_of(writing);
    struct sum sum = {0};
    char name[48];
    if (value->is_parameter && value->leader < 0) {
        fth_proxy_write_parameter(writing, writing->function, (uint32_t)(value - function->values),
                                  name);
        sum.text = fth_text_copy(name);
    } else if (value->is_parameter) {
        fth_proxy_write_parameter(writing, writing->function, (uint32_t)value->leader, name);
        add_product(writing, &sum, value->ratios, name);
        add_ranked(writing, &sum, value->shifts);
    } else {
        add_ranked(writing, &sum, value->bases);
    }
    add_strides(writing, &sum, value, value->item->inside);
    return sum_text(&sum);
}

int64_t fth_proxy_part(const struct fth_writing *writing, const struct fth_item *item,
                       uint32_t number)
{
    const struct fth_body *body = writing->body;
    int64_t part = 0;
    for (size_t m = 0; m < body->member_count && item->kind == FTH_ITEM_STATEMENT; m++)
        if (fth_body_makes(body, m, item->number)) {
            const struct fth_statement *of = &fth_body_sequence(body, m)->statements[item->number];
            part = of->parts ? of->parts[number] : 0;
        }
    return part;
}

bool fth_proxy_has_grown_place(const struct fth_writing *writing, const struct fth_item *item,
                               uint32_t dimension)
{
    const struct fth_body *body = writing->body;
    bool has = item->kind == FTH_ITEM_STATEMENT && dimension < 32;
    for (size_t m = 0; m < body->member_count && has; m++)
        if (fth_body_makes(body, m, item->number))
            has =
                fth_body_sequence(body, m)->statements[item->number].grown_places >> dimension & 1;
    return has;
}

/* "4 * ranks" */
static char *part_text(struct fth_writing *writing, int64_t part)
{
    writing->needs |= FTH_NEEDS_SIZE;
    return part == 1 ? fth_text_copy("ranks") : fth_text_format("%" PRId64 " * ranks", part);
}

static char *number_text(struct fth_writing *writing, const struct fth_item *item, uint32_t number,
                         int64_t *constant, bool *is_constant)
{
    const struct fth_body *body = writing->body;
    const struct fth_body_function *function = function_of(writing);
    *is_constant = false;
    for (uint32_t i = 0; i < item->value_count; i++) {
        const struct fth_body_value *value = &function->values[item->first_value + i];
        if (value->number != number)
            continue;
        const struct fth_form *form;
        fth_value_field(body, value, &form);
        writing->numbered = form->row;
        if (body->makers)
            writing->makers = body->makers[fth_value_statement(body, value)];
        if (fth_value_is_series(body, value))
            return fth_proxy_write_series(writing, value);
        char *text = value_text(writing, value);
        char *end;
        *constant = strtoll(text, &end, 10);
        *is_constant = end != text && (!*end || !strcmp(end, "L"));
        return text;
    }
    if (fth_proxy_part(writing, item, number))
        return part_text(writing, fth_proxy_part(writing, item, number));
    int64_t *numbers = fth_new(body->member_count, sizeof *numbers);
    const struct fth_seen_numbers **seen = fth_new(body->member_count, sizeof *seen);
    if (body->makers)
        writing->makers = body->makers[item->number];
    writing->numbered = fth_body_form(body, item->number)->form.row;
    for (size_t m = 0; m < body->member_count; m++) {
        if (!fth_proxy_is_written_for(writing, m))
            continue;
        const struct fth_sequence *sequence = fth_body_sequence(body, m);
        numbers[m] = sequence->statements[item->number].first[number];
        seen[m] = &fth_statement_form(body->members[m], sequence, item->number)->numbers[number];
    }
    char *text = fth_proxy_write_named(writing, numbers, seen, is_constant);
    *constant = numbers[fth_proxy_first_written(writing)];
    free(numbers);
    free(seen);
    return text;
}

char *fth_proxy_write_number(struct fth_writing *writing, const struct fth_item *item,
                             uint32_t number, int64_t *constant, bool *is_constant)
{
    if (writing->tables_of_numbers && writing->tables_of_numbers[number]) {
        *is_constant = false;
        return fth_text_copy(writing->tables_of_numbers[number]);
    }
    uint32_t before = writing->makers;
    char *text = number_text(writing, item, number, constant, is_constant);
    writing->makers = before;
    writing->numbered = NULL;
    return text;
}
