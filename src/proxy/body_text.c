/* Functions, loops and what is in them. */
#include "proxy/writing.h"

#include "base/memory.h"

#include <string.h>

static void write_block(struct fth_writing *writing, FILE *to, const struct fth_item *block,
                        int indent);

static void write_gap(struct fth_writing *writing, FILE *to, const struct fth_item *item,
                      int indent)
{
    if (!fth_proxy_has_gap(writing, item))
        return;
    writing->needs |= FTH_NEEDS_COMPUTE;
    fprintf(to, "%*scompute(%.3g);\n", 4 * indent, "", (double)fth_item_mean_gap(item) / 1e9);
}

static void write_function_name(const struct fth_writing *writing, FILE *to, uint32_t function)
{
    size_t body = 0;
    if (writing->body->member_count)
        body = (size_t)writing->body->members[0]->rank;
    if (writing->body->program)
        fprintf(to, "program_%u_%u", (unsigned)writing->body->program, (unsigned)function);
    else if (writing->body->is_start)
        fprintf(to, "first_%u", (unsigned)function);
    else
        fprintf(to, "part_%zu_%u", body, (unsigned)function);
}

static void write_call(struct fth_writing *writing, FILE *to, const struct fth_item *item,
                       int indent)
{
    const struct fth_body_function *called = &writing->body->functions[item->number];
    bool first = true;
    fprintf(to, "%*s", 4 * indent, "");
    write_function_name(writing, to, item->number);
    fputc('(', to);
    for (uint32_t i = 0; i < called->value_count; i++) {
        if (!fth_proxy_write_is_passed(writing->body, &called->values[i]))
            continue;
        int64_t constant;
        bool is_constant;
        char *text = fth_proxy_write_number(writing, item, i, &constant, &is_constant);
        fprintf(to, "%s%s", first ? "" : ", ", text);
        free(text);
        first = false;
    }
    fputs(");\n", to);
}

static void write_item(struct fth_writing *writing, FILE *to, const struct fth_item *item,
                       int indent)
{
    write_gap(writing, to, item, indent);
    if (item->kind == FTH_ITEM_STATEMENT)
        fth_proxy_write_statement(writing, to, item, indent);
    else if (item->kind == FTH_ITEM_CALL)
        write_call(writing, to, item, indent);
    else
        write_block(writing, to, item, indent);
}

static bool has_one_line(const struct fth_writing *writing, const struct fth_item *item)
{
    if (item->kind == FTH_ITEM_BLOCK)
        return item->item_count == 1 && item->items[0].times > 1;
    return !fth_proxy_has_gap(writing, item);
}

static void write_loop(struct fth_writing *writing, FILE *to, const struct fth_item *item,
                       int indent)
{
    const struct fth_body_function *function = &writing->body->functions[writing->function];
    char counter[16], turns[24];
    fth_proxy_write_counter(function, item->loop, counter);
    snprintf(turns, sizeof turns, item->is_step ? "steps" : "%u", (unsigned)item->times);
    if (item->is_step)
        writing->needs |= FTH_NEEDS_STEPS;
    bool braces = !has_one_line(writing, item);
    fprintf(to, "%*sfor (long %s = 0; %s < %s; %s++)%s\n", 4 * indent, "", counter, counter, turns,
            counter, braces ? " {" : "");
    write_item(writing, to, item, indent + 1);
    if (braces)
        fprintf(to, "%*s}\n", 4 * indent, "");
}

static void write_turns(struct fth_writing *writing, FILE *to, const struct fth_item *item,
                        int indent)
{
    if (item->loop >= 0)
        write_loop(writing, to, item, indent);
    else
        write_item(writing, to, item, indent);
}

/* "if (rank == 0)", for what not all do. */
static void write_condition(struct fth_writing *writing, FILE *to, int indent, bool braces)
{
    const struct fth_body *body = writing->body;
    int64_t *ranks = fth_new(body->member_count, sizeof *ranks);
    size_t count = 0;
    for (size_t m = 0; m < body->member_count; m++)
        if (fth_proxy_is_written_for(writing, m))
            ranks[count++] = body->members[m]->rank;
    char *text = fth_proxy_write_condition(writing, ranks, count);
    fprintf(to, "%*sif (%s)%s\n", 4 * indent, "", text, braces ? " {" : "");
    free(text);
    free(ranks);
}

/* Those from `from` on that the same groups do; returns the number of the next. */
static uint32_t write_items_of(struct fth_writing *writing, FILE *to, const struct fth_item *block,
                               uint32_t from, int indent)
{
    uint32_t makers = block->items[from].makers, end = from;
    while (end < block->item_count && block->items[end].makers == makers)
        end++;
    while (from < end) {
        uint32_t folded =
            fth_proxy_write_folded(writing, to, &block->items[from], end - from, indent);
        if (!folded)
            write_turns(writing, to, &block->items[from], indent);
        from += folded ? folded : 1;
    }
    return end;
}

static void write_block(struct fth_writing *writing, FILE *to, const struct fth_item *block,
                        int indent)
{
    uint32_t around = writing->makers;
    for (uint32_t i = 0; i < block->item_count;) {
        const struct fth_item *first = &block->items[i];
        uint32_t makers = writing->makers = first->makers;
        int deeper = makers != around;
        bool is_alone = i + 1 == block->item_count || first[1].makers != makers,
             braces = !(is_alone && first->times == 1 && has_one_line(writing, first));
        if (deeper)
            write_condition(writing, to, indent, braces);
        i = write_items_of(writing, to, block, i, indent + deeper);
        if (deeper && braces)
            fprintf(to, "%*s}\n", 4 * indent, "");
        writing->makers = around;
    }
}

static void write_parameters(struct fth_writing *writing, FILE *to, uint32_t function)
{
    const struct fth_body_function *of = &writing->body->functions[function];
    bool any = false;
    char name[48];
    for (uint32_t i = 0; i < of->value_count; i++) {
        if (!fth_proxy_write_is_passed(writing->body, &of->values[i]))
            continue;
        fth_proxy_write_parameter(writing, function, i, name);
        fprintf(to, "%slong %s", any ? ", " : "", name);
        any = true;
    }
    if (!any)
        fputs("void", to);
}

/* Those that it calls, then the function itself. */
static void write_function(struct fth_writing *writing, uint32_t number);

static void write_called(struct fth_writing *writing, const struct fth_item *block)
{
    for (uint32_t i = 0; i < block->item_count; i++) {
        const struct fth_item *item = &block->items[i];
        if (item->kind == FTH_ITEM_BLOCK)
            write_called(writing, item);
        if (item->kind == FTH_ITEM_CALL)
            write_function(writing, item->number);
    }
}

static void write_function(struct fth_writing *writing, uint32_t number)
{
    struct fth_body_function *function = &writing->body->functions[number];
    if (function->written)
        return;
    function->written = true;
    write_called(writing, &function->root);
    FILE *to = writing->functions.file;
    writing->function = number;
    fputs("\nstatic void ", to);
    write_function_name(writing, to, number);
    fputc('(', to);
    write_parameters(writing, to, number);
    fputs(")\n{\n", to);
    writing->makers = function->root.makers;
    write_block(writing, to, &function->root, 1);
    fputs("}\n", to);
}

void fth_proxy_write_body(struct fth_writing *writing, const struct fth_body *body, FILE *to,
                          int indent)
{
    writing->body = body;
    write_called(writing, &body->functions[0].root);
    writing->function = 0;
    writing->makers = body->functions[0].root.makers;
    write_block(writing, to, &body->functions[0].root, indent);
}
