/* Reading what the processes of a part have in common: grammars and shapes are read, and all is
 * checked once with the strings and signatures (part.c). What is read may be damaged or malicious:
 * every number is checked against what it counts, before memory is taken for it. */
#include "trace/file/part.h"

#include "base/memory.h"
#include "trace/grammar/packed_rules.h"
#include "trace/grammar/rules.h"
#include "trace/record/format.h"
#include "trace/record/spill.h"

#include <inttypes.h>

static int check_strings(const struct fth_stored_part *part, struct fth_error **error)
{
    for (uint32_t i = 0; i < part->strings.count; i++) {
        struct fth_template template;
        size_t length;
        const uint8_t *bytes = fth_interned(&part->strings, i, &length);
        if (!fth_template_read(&template, bytes, length, NULL) ||
            (i == 0) != (bytes[0] == FTH_TEMPLATE_NULL))
            return fth_fail(error, "string %" PRIu32 " is damaged", i);
    }
    return part->strings.count ? 0 : fth_fail(error, "it has no strings");
}

/* Where the calls are made: in a text that can be a module's. */
static bool has_source(const struct fth_stored_part *part, const struct fth_signature *signature)
{
    uint64_t module = signature->source >> FTH_SOURCE_BITS;
    size_t length;
    return !module ||
           (module < part->strings.count &&
            *fth_interned(&part->strings, (uint32_t)module, &length) == FTH_TEMPLATE_BYTES);
}

static uint32_t names_of(const struct fth_stored_part *part, const struct fth_signature *signature)
{
    struct fth_value_plan plan[FTH_MOST_VALUES];
    uint32_t names = 0;
    fth_plan_values(part->catalog, &part->catalog->rows[signature->function], plan);
    for (unsigned i = 0; i < signature->count; i++)
        names |= (uint32_t)fth_is_name(plan[i].part) << i;
    return names;
}

/* The bits of so many values. */
static uint64_t of_first(unsigned count)
{
    return (UINT64_C(1) << count) - 1;
}

static int read_signatures(struct fth_stored_part *part, struct fth_error **error)
{
    part->known = fth_new(part->signatures.count, sizeof *part->known);
    for (uint32_t i = 0; i < part->signatures.count; i++) {
        size_t length;
        struct fth_signature *signature = &part->known[i].signature;
        const uint8_t *bytes = fth_interned(&part->signatures, i, &length);
        if (!fth_signature_read(part->catalog, bytes, length, signature) ||
            !has_source(part, signature))
            return fth_fail(error, "signature %" PRIu32 " is damaged", i);
        part->known[i].names = names_of(part, signature);
        part->known[i].name_count = (unsigned)__builtin_popcount(part->known[i].names);
        uint32_t elsewhere = part->known[i].names | signature->mask | signature->apart;
        part->known[i].own_count = signature->count - (unsigned)__builtin_popcountll(
                                                          elsewhere & of_first(signature->count));
    }
    return 0;
}

struct fth_rules *fth_grammar_rules(const struct fth_stored_part *part, uint32_t number,
                                    uint32_t terminals, struct fth_error **error)
{
    size_t length;
    const uint8_t *bytes = fth_interned(&part->grammars, number, &length);
    struct fth_rules *rules = part->is_old ? fth_rules_read(bytes, length, terminals, error)
                                           : fth_rules_read_packed(bytes, length, terminals, error);
    if (!rules)
        fth_fail_in(error, "grammar %" PRIu32, number);
    return rules;
}

/* A grammar without lists is only passed: there may be as many runs in it as calls. */
static int measure_grammar(struct fth_stored_part *part, uint32_t number, struct fth_error **error)
{
    struct fth_rules_extent extent;
    size_t length;
    const uint8_t *bytes = fth_interned(&part->grammars, number, &length);
    if (part->is_old || !fth_rules_pass(bytes, length, &extent)) {
        struct fth_rules *rules = fth_grammar_rules(part, number, UINT32_MAX / 2, error);
        if (!rules)
            return -1;
        extent.length = fth_rules_length(rules);
        extent.terminals = fth_rules_terminals(rules);
        part->grammar_lists[number] = fth_rules_open(rules);
        fth_rules_free(rules);
    }
    part->grammar_calls[number] = extent.length;
    part->grammar_terminals[number] = extent.terminals;
    return 0;
}

static int measure_grammars(struct fth_stored_part *part, struct fth_error **error)
{
    part->grammar_calls = fth_new(part->grammars.count, sizeof *part->grammar_calls);
    part->grammar_terminals = fth_new(part->grammars.count, sizeof *part->grammar_terminals);
    part->grammar_lists = fth_new(part->grammars.count, sizeof *part->grammar_lists);
    for (uint32_t i = 0; i < part->grammars.count; i++)
        if (measure_grammar(part, i, error))
            return -1;
    return 0;
}

int fth_stored_part_read(struct fth_stored_part *part, const void *bytes, size_t length,
                         struct fth_error **error)
{
    if (check_strings(part, error) || read_signatures(part, error) || measure_grammars(part, error))
        return -1;
    const struct fth_shape_terms terms = {part->catalog, &part->strings, &part->signatures};
    if (fth_shapes_read(&part->shapes, part->is_old ? NULL : &terms, bytes, length,
                        part->process_count, error))
        return fth_fail_in(error, "shapes");
    if (part->shapes.count != part->process_count)
        return fth_fail(error, "it has shapes of %" PRIu32 " processes, not of %" PRIu32,
                        part->shapes.count, part->process_count);
    return 0;
}

void fth_stored_part_free(struct fth_stored_part *part)
{
    fth_intern_free(&part->strings);
    fth_intern_free(&part->signatures);
    fth_intern_free(&part->grammars);
    fth_shape_reader_free(&part->shapes);
    free(part->known);
    free(part->grammar_calls);
    free(part->grammar_terminals);
    free(part->grammar_lists);
    free(part->processes);
    *part = (struct fth_stored_part){0};
}
