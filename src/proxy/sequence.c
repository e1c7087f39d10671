/* Reads the calls of a process twice: first to see which numbers have few values, then to make a
 * grammar of statements. */
#include "proxy/sequence.h"

#include "base/keyed.h"
#include "base/memory.h"
#include "proxy/grown_arrays.h"
#include "trace/grammar/grammar.h"
#include "trace/grammar/rules.h"

#include <string.h>

enum {
    MOST_VALUES = 64,       /* of a number that may be part of a statement */
    FEW_VALUES = 8,         /* these are, however often the call comes */
    FEW_PLACES = 4,         /* the same for numbers that usually count or say where */
    GRAMMAR_RUNS = 1 << 22, /* a grammar that needs more has no rule in it */
};

/* ---- numbers that are seen ---- */

static void see_width(struct fth_seen_numbers *seen, const struct fth_form_reading *reading,
                      uint32_t i)
{
    uint8_t width = reading->widths[i];
    if (width && seen->width && width != seen->width)
        seen->odd = true;
    if (width)
        seen->width = width;
}

static void see(struct fth_seen_numbers *seen, const struct fth_form_reading *reading, uint32_t i)
{
    int64_t value = reading->numbers[i];
    see_width(seen, reading, i);
    seen->most = value > seen->most ? value : seen->most;
    if (reading->names[i] && !seen->name) {
        seen->name = fth_text_copy(reading->names[i]);
        seen->named = value;
    }
    for (uint32_t k = seen->count; k-- > 0;)
        if (seen->values[k] == value)
            return;
    if (seen->count == MOST_VALUES) {
        seen->many = true;
        return;
    }
    FTH_GROW(seen->values, seen->count);
    seen->values[seen->count++] = value;
}

static bool counts_or_places(const struct fth_field *field)
{
    return field->role == FTH_ROLE_OFFSET || field->role == FTH_ROLE_OFFSET_VIEW ||
           field->role == FTH_ROLE_DISTANCE || field->role == FTH_ROLE_PEER ||
           field->role == FTH_ROLE_VALUE || field->role == FTH_ROLE_IN ||
           field->role == FTH_ROLE_PATH || field->role == FTH_ROLE_STRING ||
           field->role == FTH_ROLE_DATA;
}

static bool is_amount(const struct fth_field *field)
{
    return field->role == FTH_ROLE_BYTES || field->role == FTH_ROLE_ITEMS ||
           field->role == FTH_ROLE_COUNT || field->role == FTH_ROLE_DATA ||
           field->role == FTH_ROLE_IOV || field->role == FTH_ROLE_NONE;
}

/* Few values make different statements, as in a source: a header and a body. Many make one
 * statement with an expression. */
static bool is_keyed(const struct fth_known_form *known, const struct fth_seen_numbers *seen,
                     const struct fth_field *field, bool is_loose)
{
    if (field->role == FTH_ROLE_FLAGS || seen->odd)
        return true;
    if (is_loose && seen->count > 1 && is_amount(field))
        return false;
    uint64_t values = seen->count;
    if (seen->many)
        return false;
    bool often = values * values <= known->calls;
    if (counts_or_places(field))
        return values <= FEW_PLACES && often;
    return values <= FEW_VALUES ? often || values <= 2 : often;
}

static struct fth_known_form *know(struct fth_proxy_process *process,
                                   struct fth_form_reading *reading)
{
    uint32_t count = process->forms.count,
             number = fth_intern(&process->forms, reading->key.data, reading->key.length);
    if (number == count) {
        FTH_GROW(process->known, count);
        process->known[number] = (struct fth_known_form){
            .numbers = fth_new(reading->number_count + 1, sizeof *process->known->numbers)};
        process->known[number].form = fth_form_take(reading);
    }
    return &process->known[number];
}

static void decide(struct fth_proxy_process *process)
{
    for (uint32_t i = 0; i < process->forms.count; i++) {
        struct fth_known_form *known = &process->known[i];
        const struct fth_form *form = &known->form;
        for (uint32_t field = 0; field < form->row->field_count; field++) {
            const struct fth_argument *argument = &form->arguments[field];
            if (argument->written == FTH_WRITTEN_TABLE)
                continue;
            for (uint32_t k = argument->first; k < argument->first + argument->count; k++)
                known->numbers[k].keyed = is_keyed(known, &known->numbers[k],
                                                   &form->row->fields[field], process->is_loose);
        }
    }
}

/* ---- statements ---- */

static void put_statement_key(const struct fth_proxy_process *process, uint32_t form,
                              const struct fth_form_reading *reading, struct fth_bytes *key)
{
    const struct fth_known_form *known = &process->known[form];
    fth_bytes_varint(key, form);
    if (known->form.step)
        fth_bytes_varint(key, (uint64_t)reading->numbers[FTH_STEP_PROGRAM]);
    for (uint32_t i = 0; i < reading->number_count; i++) {
        const struct fth_seen_numbers *seen = &known->numbers[i];
        uint32_t k = 0;
        while (seen->keyed && k < seen->count && seen->values[k] != reading->numbers[i])
            k++;
        fth_bytes_varint(key, k);
        if (seen->odd)
            fth_bytes_varint(key, reading->widths[i]);
    }
}

static uint32_t find_statement(struct fth_proxy_process *process, struct fth_sequence *sequence,
                               const struct fth_form_reading *reading, uint32_t *form)
{
    struct fth_bytes key = {0};
    uint32_t number = UINT32_MAX;
    if (fth_intern_find(&process->forms, reading->key.data, reading->key.length, form)) {
        put_statement_key(process, *form, reading, &key);
        number = fth_intern(&sequence->symbols, key.data, key.length);
    }
    fth_bytes_free(&key);
    return number;
}

static uint32_t add_statement(struct fth_proxy_process *process, struct fth_sequence *sequence,
                              const struct fth_form_reading *reading)
{
    uint32_t form = 0, count = sequence->symbols.count,
             number = find_statement(process, sequence, reading, &form);
    if (number < count) {
        struct fth_statement *statement = &sequence->statements[number];
        for (uint32_t i = 0; i < reading->number_count; i++)
            statement->varies[i] |= statement->first[i] != reading->numbers[i];
        return number;
    }
    FTH_GROW(sequence->statements, count);
    struct fth_statement *statement = &sequence->statements[number];
    *statement = (struct fth_statement){
        .form = form,
        .first = fth_new(reading->number_count + 1, sizeof(int64_t)),
        .varies = fth_new(reading->number_count + 1, sizeof(bool)),
    };
    memcpy(statement->first, reading->numbers, reading->number_count * sizeof(int64_t));
    return number;
}

/* ---- reading ---- */

static void see_start(struct fth_proxy_process *process, const struct fth_form *form)
{
    if (!process->rank_known && process->calls <= FTH_LAST_START && fth_form_asks_rank(form))
        process->rank_known = process->calls;
    if (!process->started && !strcmp(form->row->kind, "init"))
        process->started = process->calls;
}

static int look(struct fth_proxy_process *process, struct fth_trace *trace,
                struct fth_proxy_summary *summary, struct fth_error **error)
{
    struct fth_proxy_calls kept;
    uint64_t bytes;
    int more = fth_kept_calls_open(&kept, trace, process->proc, process->thread, process->scope,
                                   summary, error);
    while (more >= 0 &&
           (more = fth_program_calls_next(&kept, process->skips, &bytes, error)) == 1) {
        struct fth_known_form *known = know(process, &kept.reading);
        process->calls++;
        process->fills += known->form.fills;
        process->steps += known->form.step != FTH_RELATIVES_NOTHING;
        process->data_calls += !known->form.fills && !known->form.step &&
                               (kept.access.call.reads || kept.access.call.writes);
        known->calls++;
        for (uint32_t i = 0; i < kept.reading.number_count; i++)
            see(&known->numbers[i], &kept.reading, i);
        see_start(process, &known->form);
        process->bytes = bytes > process->bytes ? bytes : process->bytes;
    }
    process->slots = kept.most_slots;
    process->shared = fth_variables_take(&kept.variables, 0);
    process->variables = fth_variables_take(&kept.variables, process->thread + 1);
    if (kept.calls)
        fth_kept_calls_close(&kept);
    decide(process);
    return more;
}

static void finish(struct fth_sequence *sequence, struct fth_grammar *grammar)
{
    fth_grammar_finish(grammar);
    sequence->grammar = fth_new(fth_grammar_write_bound(grammar), 1);
    sequence->grammar_length =
        (size_t)(fth_grammar_write(grammar, sequence->grammar) - sequence->grammar);
    fth_grammar_reset(grammar);
}

static int fill_grammars(struct fth_proxy_process *process, struct fth_trace *trace,
                         struct fth_grammar *grammar, struct fth_error **error)
{
    struct fth_proxy_calls kept;
    uint64_t number = 0, bytes;
    struct fth_sequence *sequence = &process->start;
    const struct fth_process *own = fth_trace_process(trace, process->proc);
    struct fth_grown_arrays *grown = own->mpi && !process->program && !process->thread
                                         ? fth_grown_arrays_open(process->rank, own->size)
                                         : NULL;
    int more = fth_kept_calls_open(&kept, trace, process->proc, process->thread, process->scope,
                                   NULL, error);
    if (more < 0) {
        fth_grown_arrays_close(grown, process);
        return -1;
    }
    for (; (more = fth_program_calls_next(&kept, process->skips, &bytes, error)) == 1; number++) {
        if (number == process->start.to) {
            finish(sequence, grammar);
            sequence = &process->rest;
        }
        if (fth_grammar_full(grammar)) {
            more = fth_fail(error,
                            "process %zu: its calls follow no rule: a program of them would "
                            "have millions of lines",
                            process->proc);
            break;
        }
        uint32_t statement = add_statement(process, sequence, &kept.reading);
        fth_grammar_append(grammar, statement);
        if (grown && sequence == &process->rest)
            fth_grown_arrays_take(grown, &kept, statement);
    }
    finish(sequence, grammar);
    fth_grown_arrays_close(grown, process);
    fth_kept_calls_close(&kept);
    return more < 0 ? -1 : 0;
}

/* A number is part of the statement in all processes, or in none: else they had no statement in
 * common. */
static void decide_together(struct fth_proxy_process *processes, size_t count)
{
    struct fth_keyed forms = {.size = sizeof(struct fth_seen_numbers *)};
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < count; i++)
            for (uint32_t k = 0; k < processes[i].forms.count; k++) {
                size_t length;
                const uint8_t *key = fth_interned(&processes[i].forms, k, &length);
                struct fth_known_form *known = &processes[i].known[k];
                struct fth_seen_numbers **first = fth_keyed_get(&forms, key, length);
                if (!*first)
                    *first = known->numbers;
                for (uint32_t n = 0; n < known->form.number_count; n++) {
                    (*first)[n].odd |= known->numbers[n].odd;
                    (*first)[n].keyed &= known->numbers[n].keyed;
                    known->numbers[n].odd = (*first)[n].odd;
                    known->numbers[n].keyed = (*first)[n].keyed || (*first)[n].odd;
                }
            }
    fth_keyed_free(&forms);
}

int fth_proxy_make_grammar(struct fth_proxy_process *process, struct fth_trace *trace,
                           enum fth_proxy_split split, struct fth_error **error)
{
    fth_sequence_free(&process->start);
    fth_sequence_free(&process->rest);
    process->start = process->rest = (struct fth_sequence){0};
    process->start.to = split == FTH_SPLIT_RANK    ? process->rank_known
                        : split == FTH_SPLIT_START ? process->started
                                                   : 0;
    process->rest.from = process->start.to;
    process->rest.to = process->calls;
    void *memory = fth_new(fth_grammar_bytes(GRAMMAR_RUNS, 0), 1);
    struct fth_grammar *grammar = fth_grammar_place(memory, GRAMMAR_RUNS, 0);
    int result = fill_grammars(process, trace, grammar, error);
    free(memory);
    return result;
}

int fth_proxy_look(struct fth_proxy_process *processes, size_t count, struct fth_trace *trace,
                   struct fth_proxy_summary *summary, struct fth_error **error)
{
    int result = 0;
    for (size_t i = 0; i < count && !result; i++)
        result = look(&processes[i], trace, summary, error) < 0 ? -1 : 0;
    if (!result)
        decide_together(processes, count);
    return result;
}

/* ---- without a rule ---- */

static uint64_t runs_of(const struct fth_sequence *sequence)
{
    struct fth_rules *rules =
        fth_rules_read(sequence->grammar, sequence->grammar_length, sequence->symbols.count, NULL);
    uint64_t runs = 0;
    for (uint32_t i = 0; rules && i < fth_rules_size(rules); i++) {
        uint32_t count;
        fth_rule_runs(rules, i, &count);
        runs += count;
    }
    fth_rules_free(rules);
    return runs;
}

bool fth_proxy_loosen(struct fth_proxy_process *processes, size_t count)
{
    enum { MOST = 100, MOST_OF_EACH = 6 /* of runs: about as many lines */ };
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        struct fth_proxy_process *process = &processes[i];
        const struct fth_sequence *rest = &process->rest;
        uint64_t most = MOST + MOST_OF_EACH * (uint64_t)rest->symbols.count;
        if (process->is_loose || !rest->grammar || runs_of(rest) <= most)
            continue;
        process->is_loose = any = true;
    }
    for (size_t i = 0; i < count && any; i++)
        decide(&processes[i]);
    if (any)
        decide_together(processes, count);
    return any;
}

/* ---- likeness ---- */

/* Steps with the same program? */
static bool is_same_step(const struct fth_proxy_process *process,
                         const struct fth_statement *statement, const struct fth_statement *other)
{
    return !process->known[statement->form].form.step ||
           statement->first[FTH_STEP_PROGRAM] == other->first[FTH_STEP_PROGRAM];
}

bool fth_sequence_is_like(const struct fth_proxy_process *one, const struct fth_sequence *a,
                          const struct fth_proxy_process *other, const struct fth_sequence *b)
{
    if (a->symbols.count != b->symbols.count || a->grammar_length != b->grammar_length ||
        memcmp(a->grammar, b->grammar, a->grammar_length))
        return false;
    for (uint32_t i = 0; i < a->symbols.count; i++) {
        size_t left_length, right_length;
        const uint8_t *left = fth_interned(&one->forms, a->statements[i].form, &left_length),
                      *right = fth_interned(&other->forms, b->statements[i].form, &right_length);
        if (left_length != right_length || memcmp(left, right, left_length) ||
            !is_same_step(one, &a->statements[i], &b->statements[i]))
            return false;
    }
    return true;
}

void fth_sequence_free(struct fth_sequence *sequence)
{
    for (uint32_t i = 0; i < sequence->symbols.count; i++) {
        free(sequence->statements[i].first);
        free(sequence->statements[i].varies);
        free(sequence->statements[i].parts);
    }
    free(sequence->statements);
    free(sequence->grammar);
    fth_intern_free(&sequence->symbols);
}

void fth_proxy_process_free(struct fth_proxy_process *process)
{
    for (uint32_t i = 0; i < process->forms.count; i++) {
        struct fth_known_form *known = &process->known[i];
        for (uint32_t k = 0; k < known->form.number_count; k++) {
            free(known->numbers[k].values);
            free(known->numbers[k].name);
        }
        free(known->numbers);
        fth_form_free(&known->form);
    }
    free(process->known);
    fth_intern_free(&process->forms);
    fth_variable_space_free(&process->variables);
    fth_variable_space_free(&process->shared);
    fth_sequence_free(&process->start);
    fth_sequence_free(&process->rest);
}
