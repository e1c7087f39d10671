/* Two sequences of statements are gone through in step. Where they differ, the longest common
 * subsequence of what comes next says where they go on alike; one side does what is before. The
 * grammar of what comes out is the common program. */
#include "proxy/merge_groups.h"

#include "base/memory.h"
#include "trace/grammar/grammar.h"
#include "trace/grammar/rules.h"

#include <string.h>

enum {
    MOST_GROUPS = 16,
    WINDOW = 512,            /* statements of each side that are looked at */
    MOST_DIFFERENCES = 4000, /* more are no common program */
    GRAMMAR_RUNS = 1 << 20,  /* a grammar that needs more is no program that people read */
};

/* A statement whatever process makes it, and by which groups. */
struct shared_statement {
    uint32_t id, makers;
};

/* A program of one or more groups. */
struct shared_program {
    uint8_t *grammar;
    size_t length;
    struct fth_intern symbols; /* struct shared_statement */
};

struct merging {
    struct fth_body *bodies;
    size_t count;
    struct fth_intern ids;
    uint32_t *statements[MOST_GROUPS]; /* of each group: the statement of an id, plus 1 */
    struct fth_error **error;
};

/* ---- statements ---- */

/* The key of a statement begins with the number of its form, which each process has its own of. */
static void portable_key(const struct fth_proxy_process *process,
                         const struct fth_sequence *sequence, uint32_t number,
                         struct fth_bytes *key)
{
    size_t length, own_length;
    const uint8_t *own = fth_interned(&sequence->symbols, number, &own_length);
    const uint8_t *form = fth_interned(&process->forms, sequence->statements[number].form, &length);
    size_t skipped = 0;
    while (own[skipped++] & 0x80)
        ;
    key->length = 0;
    fth_bytes_varint(key, length);
    fth_bytes_put(key, form, length);
    fth_bytes_put(key, own + skipped, own_length - skipped);
}

static void find_ids(struct merging *merging)
{
    struct fth_bytes key = {0};
    uint32_t *ids[MOST_GROUPS] = {NULL};
    for (size_t g = 0; g < merging->count; g++) {
        const struct fth_sequence *sequence = &merging->bodies[g].members[0]->rest;
        ids[g] = fth_new(sequence->symbols.count + 1, sizeof **ids);
        for (uint32_t i = 0; i < sequence->symbols.count; i++) {
            portable_key(merging->bodies[g].members[0], sequence, i, &key);
            ids[g][i] = fth_intern(&merging->ids, key.data, key.length);
        }
    }
    for (size_t g = 0; g < merging->count; g++) {
        merging->statements[g] = fth_new(merging->ids.count + 1, sizeof(uint32_t));
        for (uint32_t i = 0; i < merging->bodies[g].members[0]->rest.symbols.count; i++)
            merging->statements[g][ids[g][i]] = i + 1;
        free(ids[g]);
    }
    fth_bytes_free(&key);
}

static struct shared_statement shared(const struct shared_program *program, uint32_t symbol)
{
    size_t length;
    struct shared_statement statement;
    memcpy(&statement, fth_interned(&program->symbols, symbol, &length), sizeof statement);
    return statement;
}

/* The program of one group. */
static struct shared_program program_of(const struct merging *merging, size_t group)
{
    const struct fth_sequence *sequence = &merging->bodies[group].members[0]->rest;
    struct shared_program program = {.length = sequence->grammar_length};
    uint32_t *ids = fth_new(sequence->symbols.count + 1, sizeof *ids);
    for (uint32_t id = 0; id < merging->ids.count; id++)
        if (merging->statements[group][id])
            ids[merging->statements[group][id] - 1] = id;
    for (uint32_t i = 0; i < sequence->symbols.count; i++) {
        const struct shared_statement statement = {ids[i], 1u << group};
        fth_intern(&program.symbols, &statement, sizeof statement);
    }
    free(ids);
    program.grammar = fth_new(program.length + 1, 1);
    memcpy(program.grammar, sequence->grammar, program.length);
    return program;
}

static void free_program(struct shared_program *program)
{
    free(program->grammar);
    fth_intern_free(&program->symbols);
}

/* ---- in step ---- */

struct side {
    const struct shared_program *program;
    struct fth_rule_cursor cursor;
    struct shared_statement window[WINDOW];
    size_t count;
    bool ended;
};

static void fill(struct side *side)
{
    uint32_t symbol;
    while (!side->ended && side->count < WINDOW) {
        side->ended = !fth_rule_cursor_next(&side->cursor, &symbol);
        if (!side->ended)
            side->window[side->count++] = shared(side->program, symbol);
    }
}

struct step {
    struct side sides[2];
    struct shared_program made;
    struct fth_grammar *to;
    size_t differences;
    uint16_t common[WINDOW + 1][WINDOW + 1];
};

static void put(struct step *step, struct shared_statement statement)
{
    if (!fth_grammar_full(step->to))
        fth_grammar_append(step->to, fth_intern(&step->made.symbols, &statement, sizeof statement));
}

static void drop(struct side *side, size_t count)
{
    side->count -= count;
    memmove(side->window, side->window + count, side->count * sizeof *side->window);
}

static void put_alone(struct step *step, size_t of, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put(step, step->sides[of].window[i]);
    drop(&step->sides[of], count);
}

static void put_together(struct step *step)
{
    struct shared_statement statement = step->sides[0].window[0];
    statement.makers |= step->sides[1].window[0].makers;
    put(step, statement);
    drop(&step->sides[0], 1);
    drop(&step->sides[1], 1);
}

static bool is_alike(const struct step *step, size_t i, size_t j)
{
    return step->sides[0].window[i].id == step->sides[1].window[j].id;
}

/* The longest common subsequences of what is left of the windows (Wagner and Fischer, 1974). */
static void measure_common(struct step *step)
{
    size_t of_one = step->sides[0].count, of_other = step->sides[1].count;
    for (size_t i = 0; i <= of_one; i++)
        step->common[i][of_other] = 0;
    for (size_t j = 0; j <= of_other; j++)
        step->common[of_one][j] = 0;
    for (size_t i = of_one; i-- > 0;)
        for (size_t j = of_other; j-- > 0;) {
            uint16_t down = step->common[i + 1][j], right = step->common[i][j + 1];
            step->common[i][j] = is_alike(step, i, j) ? (uint16_t)(step->common[i + 1][j + 1] + 1)
                                 : down > right       ? down
                                                      : right;
        }
}

/* What is done by one side only, up to where most of the windows goes on alike. */
static void put_difference(struct step *step)
{
    size_t of_one = step->sides[0].count, of_other = step->sides[1].count, i = 0, j = 0;
    measure_common(step);
    while ((i < of_one || j < of_other) && !(i < of_one && j < of_other && is_alike(step, i, j)))
        if (j == of_other || (i < of_one && step->common[i + 1][j] >= step->common[i][j + 1]))
            i++;
        else
            j++;
    put_alone(step, 0, i);
    put_alone(step, 1, j);
    step->differences++;
}

static void merge_sides(struct step *step)
{
    for (;;) {
        fill(&step->sides[0]);
        fill(&step->sides[1]);
        if ((!step->sides[0].count && !step->sides[1].count) ||
            step->differences > MOST_DIFFERENCES)
            return;
        if (step->sides[0].count && step->sides[1].count && is_alike(step, 0, 0))
            put_together(step);
        else
            put_difference(step);
    }
}

/* ---- which is shorter ---- */

/* The lines of a program: a run is one, and so is each condition. */
static uint64_t lines_of(const struct shared_program *program, const struct fth_rules *rules)
{
    uint32_t *makers = fth_new(fth_rules_size(rules) + 1, sizeof *makers);
    const uint32_t *order = fth_rules_order(rules);
    uint64_t lines = 0;
    for (uint32_t i = 0; i < fth_rules_size(rules); i++) {
        uint32_t count, before = 0;
        const struct fth_rule_run *runs = fth_rule_runs(rules, order[i], &count);
        for (int pass = 0; pass < 2; pass++)
            for (uint32_t k = 0; k < count; k++) {
                uint32_t symbol = runs[k].symbol / 2,
                         own = runs[k].symbol & 1 ? makers[symbol] : shared(program, symbol).makers;
                if (!pass)
                    makers[order[i]] |= own;
                else
                    lines += own != before && own != makers[order[i]] ? 2 : 1;
                before = own;
            }
    }
    free(makers);
    return lines;
}

static struct fth_rules *rules_of(const struct shared_program *program, struct fth_error **error)
{
    return fth_rules_read(program->grammar, program->length, program->symbols.count, error);
}

/* 1: the two together are shorter, and replace the first one. */
static int merge_two(struct merging *merging, struct shared_program *one,
                     const struct shared_program *other)
{
    struct step *step = fth_new(1, sizeof *step);
    const struct shared_program *programs[] = {one, other};
    struct fth_rules *rules[3] = {NULL};
    void *memory = fth_new(fth_grammar_bytes(GRAMMAR_RUNS, 0), 1);
    int result = -1;
    step->to = fth_grammar_place(memory, GRAMMAR_RUNS, 0);
    for (int i = 0; i < 2; i++)
        rules[i] = rules_of(programs[i], merging->error);
    if (rules[0] && rules[1]) {
        for (int i = 0; i < 2; i++) {
            step->sides[i].program = programs[i];
            fth_rule_cursor_open(&step->sides[i].cursor, rules[i]);
        }
        merge_sides(step);
        bool full = fth_grammar_full(step->to) || step->differences > MOST_DIFFERENCES;
        fth_grammar_finish(step->to);
        step->made.grammar = fth_new(fth_grammar_write_bound(step->to), 1);
        step->made.length =
            (size_t)(fth_grammar_write(step->to, step->made.grammar) - step->made.grammar);
        for (int i = 0; i < 2; i++)
            fth_rule_cursor_close(&step->sides[i].cursor);
        rules[2] = rules_of(&step->made, merging->error);
        if (rules[2])
            result = !full && lines_of(&step->made, rules[2]) <
                                  lines_of(one, rules[0]) + lines_of(other, rules[1]);
    }
    for (int i = 0; i < 3; i++)
        if (rules[i])
            fth_rules_free(rules[i]);
    free(memory);
    if (result == 1) {
        struct shared_program before = *one;
        *one = step->made;
        step->made = before;
    }
    free_program(&step->made);
    free(step);
    return result;
}

/* ---- the common body ---- */

static struct fth_statement copy_statement(const struct fth_proxy_process *process,
                                           const struct fth_statement *from)
{
    uint32_t count = process->known[from->form].form.number_count;
    struct fth_statement copy = {
        .form = from->form,
        .first = fth_new(count + 1, sizeof(int64_t)),
        .varies = fth_new(count + 1, sizeof(bool)),
        .parts = from->parts ? fth_new(FTH_FORM_NUMBERS, sizeof(int64_t)) : NULL,
        .grown_places = from->grown_places,
    };
    if (copy.parts)
        memcpy(copy.parts, from->parts, FTH_FORM_NUMBERS * sizeof *copy.parts);
    memcpy(copy.first, from->first, count * sizeof *copy.first);
    memcpy(copy.varies, from->varies, count * sizeof *copy.varies);
    return copy;
}

/* The process gets the statements of the program, some of which it does not make. */
static void give_program(const struct merging *merging, const struct shared_program *program,
                         size_t group, struct fth_proxy_process *process)
{
    struct fth_sequence before = process->rest;
    struct fth_sequence *own = &process->rest;
    *own = (struct fth_sequence){.from = before.from,
                                 .to = before.to,
                                 .grammar = fth_new(program->length + 1, 1),
                                 .grammar_length = program->length};
    memcpy(own->grammar, program->grammar, program->length);
    own->statements = fth_new(program->symbols.count + 1, sizeof *own->statements);
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        struct shared_statement statement = shared(program, i);
        fth_intern(&own->symbols, &statement, sizeof statement);
        if (statement.makers & 1u << group)
            own->statements[i] = copy_statement(
                process, &before.statements[merging->statements[group][statement.id] - 1]);
    }
    fth_sequence_free(&before);
}

static int by_rank(const void *left, const void *right)
{
    struct fth_proxy_process *const *one = left, *const *other = right;
    return ((*one)->rank > (*other)->rank) - ((*one)->rank < (*other)->rank);
}

static void join(struct merging *merging, const struct shared_program *program, uint32_t taken,
                 size_t *count)
{
    struct fth_body together = {0};
    size_t kept = 1;
    together.makers = fth_new(program->symbols.count + 1, sizeof *together.makers);
    for (uint32_t i = 0; i < program->symbols.count; i++)
        together.makers[i] = shared(program, i).makers;
    for (size_t g = 0; g < merging->count; g++) {
        struct fth_body *body = &merging->bodies[g];
        if (!(taken & 1u << g)) {
            merging->bodies[kept++] = *body;
            continue;
        }
        for (size_t m = 0; m < body->member_count; m++) {
            give_program(merging, program, g, body->members[m]);
            body->members[m]->group = (uint32_t)g;
            FTH_GROW(together.members, together.member_count);
            together.members[together.member_count++] = body->members[m];
        }
        free(body->members);
    }
    qsort(together.members, together.member_count, sizeof(void *), by_rank);
    merging->bodies[0] = together;
    *count = kept;
}

int fth_proxy_merge_groups(struct fth_body *bodies, size_t *count, struct fth_error **error)
{
    struct merging merging = {.bodies = bodies, .count = *count, .error = error};
    uint32_t taken = 1;
    int result = 0;
    if (*count < 2 || *count > MOST_GROUPS)
        return 0;
    find_ids(&merging);
    struct shared_program program = program_of(&merging, 0);
    for (size_t g = 1; g < merging.count && result >= 0; g++) {
        struct shared_program other = program_of(&merging, g);
        result = merge_two(&merging, &program, &other);
        taken |= result == 1 ? 1u << g : 0;
        free_program(&other);
    }
    if (result >= 0 && taken != 1)
        join(&merging, &program, taken, count);
    free_program(&program);
    for (size_t g = 0; g < merging.count; g++)
        free(merging.statements[g]);
    fth_intern_free(&merging.ids);
    return result < 0 ? -1 : 0;
}
