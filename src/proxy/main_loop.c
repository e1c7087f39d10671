/* The steps of a program: the outermost loop in which most calls are made, the same loop in other
 * groups of ranks, and loops that go over the files or objects that these make, by the same names.
 * Other loops with as many turns have nothing to do with them. */
#include "proxy/main_loop.h"

#include "base/memory.h"

#include <string.h>

/* ---- how many calls ---- */

static uint64_t weigh(const struct fth_body *body, const struct fth_item *item)
{
    struct fth_body_function *called =
        item->kind == FTH_ITEM_CALL ? &body->functions[item->number] : NULL;
    const struct fth_item *block = called ? &called->root : item;
    uint64_t weight = item->kind == FTH_ITEM_STATEMENT;
    if (called && called->weight)
        weight = called->weight;
    for (uint32_t i = 0; i < block->item_count && !(called && called->weight); i++)
        weight += weigh(body, &block->items[i]);
    if (called)
        called->weight = weight;
    return weight > UINT64_MAX / item->times ? UINT64_MAX : weight * item->times;
}

/* ---- the heaviest loops ---- */

struct heavy_loop {
    const struct fth_body *body;
    struct fth_item *item; /* NULL: none */
};

/* Of a body, the heaviest outermost loop that only groups make that are not among `others`, with
 * so many turns; 0: any. */
static struct heavy_loop heaviest(const struct fth_body *body, uint32_t others, uint32_t times,
                                  uint64_t *most)
{
    const struct fth_item *root = &body->functions[0].root;
    struct heavy_loop found = {body, NULL};
    for (uint32_t k = 0; k < root->item_count; k++) {
        struct fth_item *item = &root->items[k];
        uint64_t weight = weigh(body, item);
        if (item->times < 2 || (times && item->times != times) || item->makers & others ||
            weight <= *most)
            continue;
        *most = weight;
        found.item = item;
    }
    return found;
}

static struct heavy_loop main_loop(const struct fth_proxy_parts *parts)
{
    uint64_t most = 0;
    struct heavy_loop best = {NULL, NULL};
    for (size_t i = 0; i < parts->body_count; i++) {
        struct heavy_loop found = heaviest(&parts->bodies[i], 0, 0, &most);
        if (found.item)
            best = found;
    }
    return best;
}

/* The same loop of groups that share no code with those that have it already. */
static void mark_other_groups(const struct fth_body *body, uint32_t groups, uint32_t times)
{
    for (;;) {
        uint64_t most = 0;
        struct heavy_loop found = heaviest(body, groups, times, &most);
        if (!found.item)
            return;
        found.item->is_step = true;
        groups |= found.item->makers;
    }
}

/* ---- the same names ---- */

/* A walk over the names with numbers that statements take; ends where `see` says true. */
struct name_walk {
    const struct fth_body *body;
    bool (*see)(struct fth_intern *names, const char *text);
    struct fth_intern *names;
    bool *entered; /* functions of the body */
};

static bool see_names(const struct name_walk *walk, uint32_t statement)
{
    const struct fth_form *form = &fth_body_form(walk->body, statement)->form;
    for (size_t i = 0; i < form->row->field_count; i++) {
        const struct fth_argument *argument = &form->arguments[i];
        if (argument->written == FTH_WRITTEN_NAME && argument->count && argument->text &&
            walk->see(walk->names, argument->text))
            return true;
    }
    return false;
}

static bool walk_names(const struct name_walk *walk, const struct fth_item *item)
{
    if (item->kind == FTH_ITEM_STATEMENT)
        return see_names(walk, item->number);
    if (item->kind == FTH_ITEM_CALL) {
        if (walk->entered[item->number])
            return false;
        walk->entered[item->number] = true;
        item = &walk->body->functions[item->number].root;
    }
    for (uint32_t i = 0; i < item->item_count; i++)
        if (walk_names(walk, &item->items[i]))
            return true;
    return false;
}

static bool any_name(const struct fth_body *body, const struct fth_item *item,
                     bool (*see)(struct fth_intern *names, const char *text),
                     struct fth_intern *names)
{
    const struct name_walk walk = {body, see, names,
                                   fth_new(body->function_count + 1, sizeof(bool))};
    bool found = walk_names(&walk, item);
    free(walk.entered);
    return found;
}

static bool add_name(struct fth_intern *names, const char *text)
{
    fth_intern(names, text, strlen(text));
    return false;
}

static bool is_among(struct fth_intern *names, const char *text)
{
    return fth_interned_before(names, text, strlen(text));
}

static void mark_same_names(const struct fth_proxy_parts *parts, struct heavy_loop of)
{
    struct fth_intern names = {0};
    any_name(of.body, of.item, add_name, &names);
    for (size_t i = 0; i < parts->body_count && names.count; i++) {
        const struct fth_body *body = &parts->bodies[i];
        const struct fth_item *root = &body->functions[0].root;
        for (uint32_t k = 0; k < root->item_count; k++)
            if (root->items[k].times == of.item->times &&
                any_name(body, &root->items[k], is_among, &names))
                root->items[k].is_step = true;
    }
    fth_intern_free(&names);
}

void fth_proxy_find_steps(const struct fth_proxy_parts *parts)
{
    struct heavy_loop best = main_loop(parts);
    /* threads begin as often as they did, and wait for what others did */
    if (parts->writing->threads)
        best.item = NULL;
    parts->writing->steps = best.item ? best.item->times : 0;
    if (!best.item)
        return;
    best.item->is_step = true;
    for (size_t i = 0; i < parts->body_count; i++)
        mark_other_groups(&parts->bodies[i], &parts->bodies[i] == best.body ? best.item->makers : 0,
                          best.item->times);
    mark_same_names(parts, best);
}
