/* From an anchor to places in a source. */
#include "instrument/anchors.h"

#include "base/memory.h"
#include "base/nearest.h"

#include <stdio.h>
#include <string.h>

struct search {
    const struct fth_syntax *syntax;
    const struct fth_probe_list *probes;
    const struct fth_probe_entry *entry;
    uint32_t first, last;
    struct fth_anchor_places *places;
    struct fth_error **error;
};
#define FAIL(search, ...)                                                                          \
    fth_probe_entry_fail((search)->probes, (search)->entry, (search)->error, __VA_ARGS__)

static const char *file_of(const struct search *search)
{
    return search->entry->source ? search->entry->source : search->syntax->path;
}

/* ---- what is around ---- */

static const struct fth_syntax_function *function_at(const struct fth_syntax *syntax, uint32_t at)
{
    for (size_t i = syntax->function_count; i-- > 0;)
        if (syntax->functions[i].begin <= at && at < syntax->functions[i].end)
            return &syntax->functions[i];
    return NULL;
}

static bool is_called(const struct fth_syntax_function *function, const char *name)
{
    return !strcmp(function->name, name) || !strcmp(function->qualified, name);
}

static bool is_inside(const struct search *search, uint32_t at)
{
    const struct fth_syntax_function *function = function_at(search->syntax, at);
    return !search->entry->in || (function && is_called(function, search->entry->in));
}

/* The smallest statement that these offsets are in; in a block, if that is wanted. */
static const struct fth_syntax_node *statement_around(const struct fth_syntax *syntax,
                                                      uint32_t begin, uint32_t end, bool in_block)
{
    const struct fth_syntax_node *best = NULL;
    for (size_t i = 0; i < syntax->node_count && syntax->nodes[i].begin <= begin; i++) {
        const struct fth_syntax_node *node = &syntax->nodes[i];
        if (node->end >= end && (in_block ? node->is_in_block : node->is_statement) &&
            (!best || node->end - node->begin <= best->end - best->begin))
            best = node;
    }
    return best;
}

/* The statement that the node is, as a whole. */
static const struct fth_syntax_node *statement_of(const struct fth_syntax *syntax,
                                                  const struct fth_syntax_node *node)
{
    size_t behind = fth_source_token_at(&syntax->tokens, node->end);
    uint32_t end = fth_source_token_is(&syntax->tokens, behind, ";")
                       ? syntax->tokens.list[behind].end
                       : node->end;
    for (size_t i = 0; i < syntax->node_count; i++) {
        const struct fth_syntax_node *other = &syntax->nodes[i];
        if (other->begin == node->begin && other->is_statement &&
            (other->end == node->end || other->end == end))
            return other;
    }
    return NULL;
}

/* ---- places ---- */

static void add(struct search *search, struct fth_anchor_place place)
{
    const struct fth_syntax_function *function = function_at(search->syntax, place.begin);
    uint32_t line = fth_syntax_line(search->syntax, place.begin);
    if (line < search->first || line > search->last)
        return;
    place.function = function ? function->name : NULL;
    FTH_GROW(search->places->list, search->places->count);
    search->places->list[search->places->count++] = place;
}

/* At a statement: before it or after it, or around it. */
static int add_at_statement(struct search *search, const struct fth_syntax_node *statement,
                            const char *call)
{
    bool around = search->entry->placement == FTH_PLACE_AROUND;
    if (around && statement->declares)
        return FAIL(search,
                    "line %u of %s declares a variable, which is needed behind it, so a probe "
                    "cannot be around it; name the call in it (-c), or 'before'",
                    fth_syntax_line(search->syntax, statement->begin), file_of(search));
    add(search, (struct fth_anchor_place){.begin = statement->begin,
                                          .end = statement->end,
                                          .around = around,
                                          .after = search->entry->placement == FTH_PLACE_AFTER,
                                          .needs_braces = around || !statement->is_in_block,
                                          .at_level = statement->is_in_block,
                                          .call = call});
    return 0;
}

static int add_at_node(struct search *search, const struct fth_syntax_node *node)
{
    const struct fth_syntax_node *statement = statement_of(search->syntax, node);
    if (search->entry->placement == FTH_PLACE_INSIDE) {
        if (!node->body)
            return FAIL(search, "what begins in line %u of %s is no loop with a body in braces",
                        fth_syntax_line(search->syntax, node->begin), file_of(search));
        add(search,
            (struct fth_anchor_place){.begin = node->body, .end = node->body, .at_level = true});
        return 0;
    }
    if (statement)
        return add_at_statement(search, statement, node->call);
    if (search->entry->placement == FTH_PLACE_AROUND) {
        add(search, (struct fth_anchor_place){.begin = node->begin,
                                              .end = node->end,
                                              .around = true,
                                              .is_expression = true,
                                              .call = node->call});
        return 0;
    }
    statement = statement_around(search->syntax, node->begin, node->end, false);
    return statement ? add_at_statement(search, statement, node->call) : 0;
}

/* ---- functions ---- */

static const char *nearest_function(const struct fth_syntax *syntax, const char *name)
{
    const char *nearest = NULL;
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < syntax->function_count; i++)
        if (fth_is_nearer(name, syntax->functions[i].name, &least))
            nearest = syntax->functions[i].name;
    return nearest;
}

static int fail_function(const struct search *search, const char *name)
{
    const char *nearest = nearest_function(search->syntax, name);
    return nearest ? FAIL(search, "there is no function '%s' in %s; did you mean '%s'?", name,
                          file_of(search), nearest)
                   : FAIL(search, "there is no function '%s' in %s", name, file_of(search));
}

static int find_function(struct search *search)
{
    const struct fth_syntax *syntax = search->syntax;
    for (size_t i = 0; i < syntax->function_count; i++) {
        const struct fth_syntax_function *function = &syntax->functions[i];
        if (!is_called(function, search->entry->text))
            continue;
        if (!function->body)
            return FAIL(search, "the body of '%s' in %s is made by a macro", search->entry->text,
                        file_of(search));
        add(search, (struct fth_anchor_place){.begin = function->body,
                                              .end = function->body,
                                              .at_level = true,
                                              .call = function->name});
    }
    return search->places->count ? 0 : fail_function(search, search->entry->text);
}

static int check_function(const struct search *search)
{
    if (!search->entry->in)
        return 0;
    for (size_t i = 0; i < search->syntax->function_count; i++)
        if (is_called(&search->syntax->functions[i], search->entry->in))
            return 0;
    return fail_function(search, search->entry->in);
}

/* ---- calls and patterns ---- */

static int find_calls(struct search *search)
{
    const struct fth_syntax *syntax = search->syntax;
    const char *nearest = NULL, *name = search->entry->text;
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < syntax->node_count; i++) {
        const struct fth_syntax_node *node = &syntax->nodes[i];
        if (!node->call || !is_inside(search, node->begin))
            continue;
        if (strcmp(node->call, name) == 0) {
            if (add_at_node(search, node))
                return -1;
        } else if (fth_is_nearer(name, node->call, &least)) {
            nearest = node->call;
        }
    }
    if (search->places->count)
        return 0;
    return FAIL(search, "nothing calls '%s' in %s%s%s%s%s%s", name, file_of(search),
                search->entry->in ? ", function " : "", search->entry->in ? search->entry->in : "",
                nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

/* A pattern need not have the semicolon of a statement. */
static bool is_pattern(const struct search *search, const struct fth_syntax_node *node,
                       const struct fth_source_tokens *pattern)
{
    const struct fth_source_tokens *tokens = &search->syntax->tokens;
    size_t begin = fth_source_token_at(tokens, node->begin),
           end = fth_source_token_at(tokens, node->end);
    if (end > begin && fth_source_token_is(tokens, end - 1, ";") &&
        !fth_source_token_is(pattern, pattern->count - 1, ";"))
        end--;
    return fth_source_tokens_match(tokens, begin, end, pattern);
}

/* An expression that is a statement stands behind it in the list, without the semicolon. */
static bool is_same_statement(const struct search *search, size_t number,
                              const struct fth_source_tokens *pattern)
{
    const struct fth_syntax_node *node = &search->syntax->nodes[number], *before = node - 1;
    return before->begin == node->begin && before->is_statement &&
           is_pattern(search, before, pattern);
}

static int find_pattern(struct search *search)
{
    const struct fth_syntax *syntax = search->syntax;
    struct fth_source_tokens pattern;
    int result = 0;
    fth_source_tokens_read(&pattern, search->entry->text, strlen(search->entry->text));
    for (size_t i = 0; i < syntax->node_count && !result && pattern.count; i++)
        if (is_inside(search, syntax->nodes[i].begin) &&
            is_pattern(search, &syntax->nodes[i], &pattern) &&
            !(i && is_same_statement(search, i, &pattern)))
            result = add_at_node(search, &syntax->nodes[i]);
    fth_source_tokens_free(&pattern);
    if (result || search->places->count)
        return result;
    return FAIL(search, "no statement or expression in %s%s%s is '%s'", file_of(search),
                search->entry->in ? ", function " : "", search->entry->in ? search->entry->in : "",
                search->entry->text);
}

/* ---- lines and texts ---- */

static const char *start_of_line(const struct fth_syntax *syntax, uint32_t number)
{
    const char *at = syntax->text;
    for (uint32_t line = 1; line < number && at; line++) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    return at && *at ? at : NULL;
}

static bool is_fingerprint(const char *line, const char *wanted)
{
    size_t length = strcspn(line, "\r\n");
    while (length && strchr(" \t", *line)) {
        line++;
        length--;
    }
    while (length && strchr(" \t", line[length - 1]))
        length--;
    return length == strlen(wanted) && !memcmp(line, wanted, length);
}

/* Between two statements of a block: what is around is nothing but the block. */
static bool is_between(const struct fth_syntax *syntax, uint32_t at)
{
    const struct fth_syntax_node *best = NULL;
    for (size_t i = 0; i < syntax->node_count && syntax->nodes[i].begin < at; i++) {
        const struct fth_syntax_node *node = &syntax->nodes[i];
        if (node->end > at && (!best || node->end - node->begin <= best->end - best->begin))
            best = node;
    }
    return best && best->is_block;
}

static int find_line(struct search *search)
{
    const struct fth_syntax *syntax = search->syntax;
    const struct fth_probe_entry *entry = search->entry;
    if (!entry->number) {
        add(search, (struct fth_anchor_place){0});
        return 0;
    }
    const char *line = start_of_line(syntax, entry->number);
    if (!line)
        return FAIL(search, "%s has no line %u", file_of(search), entry->number);
    if (entry->fingerprint && !is_fingerprint(line, entry->fingerprint))
        return FAIL(search,
                    "line %u of %s is not '%s': the sources are of another version; an anchor on a "
                    "function or call (-f, -c) would have moved with it",
                    entry->number, file_of(search), entry->fingerprint);
    if (entry->placement == FTH_PLACE_AFTER) {
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    uint32_t at = (uint32_t)(line - syntax->text);
    if (!is_between(syntax, at))
        return FAIL(search,
                    "line %u of %s is not where a statement of a block begins: choose another "
                    "line, or a function or call (-f, -c)",
                    entry->number, file_of(search));
    add(search, (struct fth_anchor_place){.begin = at, .end = at, .at_level = true});
    return 0;
}

static int find_text(struct search *search)
{
    const struct fth_syntax *syntax = search->syntax;
    const char *text = search->entry->text;
    for (const char *at = syntax->text; (at = strstr(at, text)); at++) {
        uint32_t begin = (uint32_t)(at - syntax->text), end = begin + (uint32_t)strlen(text);
        size_t token = fth_source_token_at(&syntax->tokens, begin);
        if (token == syntax->tokens.count || syntax->tokens.list[token].begin != begin ||
            !is_inside(search, begin))
            continue;
        const struct fth_syntax_node *statement = statement_around(syntax, begin, end - 1, false);
        if (statement && add_at_statement(search, statement, NULL))
            return -1;
    }
    return 0; /* other sources of the layer may have it */
}

/* ---- how many there are ---- */

static int fail_several(const struct search *search)
{
    char lines[200] = "";
    for (size_t i = 0; i < search->places->count && i < 8; i++) {
        size_t used = strlen(lines);
        snprintf(lines + used, sizeof lines - used, "%s%u", i ? ", " : "",
                 fth_syntax_line(search->syntax, search->places->list[i].begin));
    }
    bool function = search->entry->anchor == FTH_ANCHOR_FUNCTION;
    return FAIL(search, "'%s' is found %zu times in %s, in lines %s%s; %s", search->entry->text,
                search->places->count, file_of(search), lines,
                search->places->count > 8 ? " ..." : "",
                function ? "write it with its class, as CLASS::NAME, or add 'all' for every one"
                : search->entry->in
                    ? "use a pattern (-p) that only one of them has, or add 'all' for every one"
                    : "say in which function (... in FUNCTION), or add 'all' for every one");
}

int fth_anchors_find(const struct fth_syntax *syntax, const struct fth_probe_list *probes,
                     const struct fth_probe_entry *entry, uint32_t first, uint32_t last,
                     struct fth_anchor_places *places, struct fth_error **error)
{
    typedef int find_function_type(struct search *);
    static find_function_type *const finders[] = {[FTH_ANCHOR_LINE] = find_line,
                                                  [FTH_ANCHOR_TEXT] = find_text,
                                                  [FTH_ANCHOR_FUNCTION] = find_function,
                                                  [FTH_ANCHOR_CALL] = find_calls,
                                                  [FTH_ANCHOR_PATTERN] = find_pattern};
    struct search search = {syntax, probes, entry, first, last, places, error};
    *places = (struct fth_anchor_places){0};
    if (check_function(&search) || finders[entry->anchor](&search))
        return -1;
    return places->count > 1 && !entry->all ? fail_several(&search) : 0;
}
