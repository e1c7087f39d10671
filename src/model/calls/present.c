/* What a decoded call looks like to people: parameters with names instead of values in a row,
 * descriptors and paths instead of slots.
 *
 * A trace repeats itself, so this does not begin anew for every call. What calls of one signature
 * share is made when the first of them comes; then only values that may differ from call to call
 * are made: predicted positions, literals, and handles where bindings have changed since. They are
 * written in place, field by field: a structure that is put together elsewhere and copied costs
 * more than all the rest. */
#include "model/calls/present.h"

#include "base/memory.h"
#include "catalog/values.h"
#include "trace/record/spill.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_KNOWN = 1 << 15 /* signatures of which is kept what their calls share */ };

/* Parameters by the first of their values. */
struct values {
    int count;
    struct {
        int value, field;
    } each[FTH_MOST_VALUES];
};

/* What all calls of one signature have in common; or, where there are very many signatures, those
 * of all that differ in their values only: then all values change from call to call. */
struct fth_presented {
    struct fth_call call;
    struct values changes; /* from call to call */
    struct values bound;   /* with what their slots are bound to */
    uint64_t version;      /* of the bindings that `bound`, and the file of the call, are made by */
    bool has_path, has_bound_file, result_is_code, moves_bytes, on_stream;
    bool result_changes; /* from call to call */
    bool plain;          /* neither names nor handles do */
    bool differs;        /* a call from its sisters, in more than times and arguments */
    uint64_t kept_turn;  /* of fth_kept_calls, in which `kept_bound` is what `version` has bound */
    uint32_t kept_bound;
    struct fth_value arguments[];
};

void fth_presenter_open(struct fth_presenter *presenter, const struct fth_trace *trace, size_t proc,
                        size_t signature_count, size_t common_count,
                        struct fth_process_names *names)
{
    *presenter = (struct fth_presenter){.trace = trace,
                                        .process = &trace->processes[proc],
                                        .proc = proc,
                                        .signature_count = signature_count,
                                        .common_count = common_count,
                                        .texts = {.names = names}};
    presenter->known = fth_new(signature_count, sizeof(struct fth_presented *));
    presenter->alike = fth_new(common_count, sizeof(struct fth_presented *));
}

void fth_presenter_close(struct fth_presenter *presenter)
{
    for (size_t i = 0; presenter->known && i < presenter->signature_count; i++)
        free(presenter->known[i]);
    for (size_t i = 0; presenter->alike && i < presenter->common_count; i++)
        free(presenter->alike[i]);
    free(presenter->known);
    free(presenter->alike);
    fth_texts_free(&presenter->texts);
    fth_arena_free(&presenter->sources);
    *presenter = (struct fth_presenter){0};
}

/* ---- what calls of a signature have in common ---- */

static bool belongs_to_one_before(enum fth_value_part part)
{
    return part == FTH_PART_NUMBER || part == FTH_PART_NULLS || part == FTH_PART_ELEMENT ||
           part == FTH_PART_TAG;
}

/* A handle that is made: its slot, and the number that it has besides. */
static bool is_made_alike(const struct fth_meaning *meaning, const struct fth_signature *signature,
                          int i)
{
    const struct fth_value_plan *plan = &meaning->plan[i];
    bool numbered = i + 1 < meaning->value_count && plan[1].part == FTH_PART_NUMBER;
    return plan->part == FTH_PART_SLOT && plan->field >= 0 &&
           meaning->row->fields[plan->field].role == FTH_ROLE_NEW &&
           (!numbered || fth_is_constant(signature, i + 1));
}

/* May this parameter be made once? Names are counted through. */
static bool is_common(const struct fth_meaning *meaning, const struct fth_signature *signature,
                      int i)
{
    bool is_integer =
        meaning->plan[i].part == FTH_PART_INTEGER && meaning->plan[i].field != FTH_RESULT;
    return fth_is_constant(signature, i) && (is_integer || is_made_alike(meaning, signature, i));
}

/* May the result be made once? Items are counted by the size of one. */
static bool result_is_common(const struct fth_meaning *meaning,
                             const struct fth_signature *signature)
{
    return meaning->plan[meaning->result].part == FTH_PART_INTEGER &&
           meaning->row->result.role != FTH_ROLE_RESULT_ITEMS &&
           fth_is_constant(signature, meaning->result);
}

/* Is it the handle that a slot of the signature is bound to? */
static bool is_bound(const struct fth_meaning *meaning, const struct fth_signature *signature,
                     int i)
{
    const struct fth_value_plan *plan = &meaning->plan[i];
    if (plan->part != FTH_PART_SLOT || plan->field < 0 || !fth_is_constant(signature, i))
        return false;
    enum fth_role role = meaning->row->fields[plan->field].role;
    return role == FTH_ROLE_USE || role == FTH_ROLE_CLOSE;
}

static void add_value(struct values *values, int value, int field)
{
    values->each[values->count].value = value;
    values->each[values->count++].field = field;
}

/* Where the calls are made: in the source if that was found, else in the module. NULL: nobody
 * knows. */
static const char *show_source(struct fth_presenter *presenter, const struct fth_share *share,
                               const struct fth_signature *signature)
{
    uint64_t offset = signature->source & FTH_SOURCE_OFFSET;
    size_t length;
    if (!signature->source)
        return NULL;
    const char *module = fth_module_text(&share->part->strings, signature, &length);
    const char *line = fth_code_lines_find(&presenter->trace->lines, module, length, offset);
    if (line)
        return line;
    const void *end = memchr(module, 0, length);
    size_t path = end ? (size_t)((const char *)end - module) : length;
    const char *slash = memrchr(module, '/', path), *name = slash ? slash + 1 : module;
    int room = (int)(path - (size_t)(name - module));
    char *text = fth_arena_take(&presenter->sources, (size_t)room + 20);
    snprintf(text, (size_t)room + 20, "%.*s+0x%" PRIx64, room, name, offset);
    return text;
}

static void put_result(const struct fth_showing *showing, const struct fth_presented *common,
                       struct fth_call *call)
{
    const struct fth_raw_call *raw = showing->raw;
    int64_t result = raw->values[raw->meaning->result];
    fth_value_put_result(showing, &call->result);
    if (FTH_IS_FAILURE(result))
        call->error_number = FTH_CODE_OF_FAILURE(result);
    else if (common->result_is_code)
        call->error_number = result;
    if (call->error_number)
        call->error_name =
            fth_error_name(showing->process->constants, raw->meaning->row, call->error_number);
}

static bool changes_integers_only(const struct fth_meaning *meaning,
                                  const struct fth_presented *made)
{
    for (int i = 0; i < made->changes.count; i++)
        if (meaning->plan[made->changes.each[i].value].part == FTH_PART_SLOT)
            return false;
    return !made->has_path && !meaning->name_count && !meaning->note.binds && !meaning->note.cwd;
}

static struct fth_presented *make_common(struct fth_presenter *presenter,
                                         const struct fth_share *share,
                                         const struct fth_showing *showing, bool all_change)
{
    const struct fth_meaning *meaning = showing->raw->meaning;
    const struct fth_signature *signature = showing->raw->signature;
    size_t count = meaning->row->field_count;
    struct fth_presented *made = fth_new(1, sizeof *made + count * sizeof *made->arguments);
    int last_field = FTH_RESULT;
    for (int i = 0; i < meaning->value_count; i++) {
        int field = meaning->plan[i].field;
        bool more_of_same = field == last_field && field >= 0;
        last_field = field;
        if (field < 0 || belongs_to_one_before(meaning->plan[i].part) || more_of_same)
            continue;
        if (all_change)
            add_value(&made->changes, i, field);
        else if (is_bound(meaning, signature, i))
            add_value(&made->bound, i, field);
        else if (is_common(meaning, signature, i))
            fth_value_put(showing, &made->arguments[field], i);
        else
            add_value(&made->changes, i, field);
    }
    made->has_bound_file = !all_change && fth_is_file_bound(meaning, signature);
    made->has_path =
        (meaning->about.handle >= 0 || meaning->about.path.value >= 0) && !made->has_bound_file;
    made->result_is_code = meaning->row->result.role == FTH_ROLE_CODE;
    made->moves_bytes = meaning->reads || meaning->writes;
    made->call = (struct fth_call){.proc = presenter->proc,
                                   .depth = signature->depth,
                                   .function = &presenter->trace->functions[signature->function],
                                   .arguments = made->arguments,
                                   .parent = FTH_NO_CALL,
                                   .source = show_source(presenter, share, signature),
                                   .bytes_asked = FTH_NO_BYTES,
                                   .from_fortran = (signature->flags & FTH_FROM_FORTRAN) != 0,
                                   .reads = meaning->reads,
                                   .writes = meaning->writes,
                                   .copies = meaning->about.other >= 0,
                                   .stream = -1,
                                   .collective = (meaning->row->flags & FTH_CALL_COLLECTIVE) != 0};
    made->on_stream =
        meaning->about.handle >= 0 && meaning->plan[meaning->about.handle].field == FTH_ON_STREAM;
    made->result_changes =
        meaning->result >= 0 && (all_change || !result_is_common(meaning, signature));
    if (meaning->result >= 0 && !made->result_changes)
        put_result(showing, made, &made->call);
    made->plain = changes_integers_only(meaning, made);
    made->differs = made->has_path || made->result_changes || made->on_stream || made->moves_bytes;
    return made;
}

static void put_values(const struct fth_showing *showing, struct fth_presented *common,
                       const struct values *values)
{
    for (int i = 0; i < values->count; i++)
        fth_value_put(showing, &common->arguments[values->each[i].field], values->each[i].value);
}

static void put_bound(const struct fth_showing *showing, struct fth_presented *common)
{
    common->version = showing->state->version;
    put_values(showing, common, &common->bound);
    if (common->has_bound_file)
        fth_value_put_file(showing, &common->call);
}

/* What the call shares with others of its signature, as things are bound now. */
static struct fth_presented *find_common(struct fth_presenter *presenter,
                                         const struct fth_thread_reader *reader,
                                         const struct fth_showing *showing)
{
    const struct fth_share *share = reader->share;
    struct fth_presented **known = &presenter->known[showing->raw->number];
    bool all_change = !*known && presenter->known_count >= MOST_KNOWN;
    if (all_change)
        known = &presenter->alike[share->first_common +
                                  fth_known_number(share->part, showing->raw->signature)];
    else
        presenter->known_count += !*known;
    if (!*known)
        *known = make_common(presenter, share, showing, all_change);
    if ((*known)->version != reader->state.version && !presenter->late)
        put_bound(showing, *known);
    return *known;
}

/* What it does not share. */
static void put_differences(const struct fth_showing *showing, struct fth_presented *common,
                            struct fth_call *call)
{
    const struct fth_raw_call *raw = showing->raw;
    if (common->result_changes)
        put_result(showing, common, call);
    if (common->on_stream)
        call->stream = raw->values[raw->meaning->about.handle];
    if (common->has_path)
        fth_value_put_file(showing, call);
    if (!common->moves_bytes)
        return;
    call->bytes = fth_call_bytes(raw->meaning, raw->values);
    if (fth_bytes_asked_are_known(raw->meaning, raw->values))
        call->bytes_asked = (uint64_t)fth_bytes_asked(raw->meaning, raw->values);
    call->bytes_known = fth_call_bytes_are_known(raw->meaning, raw->values);
}

/* The note was about another call, which filters left out, if that wrote more or less. */
static void put_contents(const struct fth_contents_note *note, struct fth_call *call)
{
    if (call->writes && call->bytes_known && call->bytes == (uint64_t)note->bytes)
        call->contents = note->hash;
}

static void present_as(const struct fth_showing *showing, const struct fth_thread_reader *reader,
                       struct fth_presented *common, struct fth_call *call)
{
    *call = common->call;
    call->thread = call->parent_thread = (uint32_t)reader->thread;
    call->tid = reader->tid;
    call->start = fth_model_time(showing->process, showing->raw->entry);
    call->end = fth_model_time(showing->process, showing->raw->exit);
    put_values(showing, common, &common->changes);
    if (common->differs)
        put_differences(showing, common, call);
    if (reader->state.contents.bytes > 0)
        put_contents(&reader->state.contents, call);
    call->stood_is_reported = reader->state.stood.is_reported;
    call->stood = reader->state.stood.at;
}

static struct fth_showing showing_of(struct fth_presenter *presenter,
                                     const struct fth_thread_reader *reader,
                                     struct fth_arena *arena, const struct fth_raw_call *raw)
{
    return (struct fth_showing){
        presenter->trace, presenter->process, &presenter->texts, &reader->state, arena, raw};
}

void fth_present(struct fth_presenter *presenter, const struct fth_thread_reader *reader,
                 struct fth_arena *arena, const struct fth_raw_call *raw, struct fth_call *call)
{
    const struct fth_showing showing = showing_of(presenter, reader, arena, raw);
    present_as(&showing, reader, find_common(presenter, reader, &showing), call);
}

bool fth_present_is_plain(const struct fth_presenter *presenter,
                          const struct fth_thread_reader *reader, const struct fth_raw_call *raw)
{
    const struct fth_presented *common = presenter->known[raw->number];
    if (!common || !common->plain || common->version != reader->state.version)
        return false;
    return !common->result_changes || fth_is_constant(raw->signature, raw->meaning->result) ||
           (!common->result_is_code && !FTH_IS_FAILURE(raw->values[raw->meaning->result]));
}

void fth_present_again(struct fth_presenter *presenter, const struct fth_thread_reader *reader,
                       struct fth_arena *arena, const struct fth_raw_call *raw,
                       struct fth_call *call)
{
    const struct fth_showing showing = showing_of(presenter, reader, arena, raw);
    struct fth_presented *common = presenter->known[raw->number];
    call->arguments = common->arguments;
    call->start = fth_model_time(presenter->process, raw->entry);
    call->end = fth_model_time(presenter->process, raw->exit);
    call->bytes_asked = FTH_NO_BYTES;
    put_values(&showing, common, &common->changes);
    if (common->differs)
        put_differences(&showing, common, call);
}

/* ---- calls that are kept ---- */

/* Puts these arguments behind the values that are kept; returns where they begin. */
static uint32_t keep_values(struct fth_kept_calls *kept, const struct fth_presented *common,
                            const struct values *values)
{
    uint32_t first = kept->value_count;
    for (int i = 0; i < values->count; i++) {
        kept->values = fth_present_room(kept->values, &kept->value_limit, kept->value_count,
                                        sizeof *kept->values);
        kept->values[kept->value_count++] = common->arguments[values->each[i].field];
    }
    return first;
}

static void put_back(const struct fth_kept_calls *kept, struct fth_presented *common,
                     const struct values *values, uint32_t first)
{
    for (int i = 0; i < values->count; i++)
        common->arguments[values->each[i].field] = kept->values[first + (uint32_t)i];
}

static uint32_t keep_bound(struct fth_kept_calls *kept, struct fth_presented *common)
{
    if (common->kept_turn == kept->turn &&
        kept->bound[common->kept_bound].version == common->version)
        return common->kept_bound;
    kept->bound =
        fth_present_room(kept->bound, &kept->bound_limit, kept->bound_count, sizeof *kept->bound);
    kept->bound[kept->bound_count] =
        (struct fth_kept_bound){.version = common->version,
                                .file = common->call.file,
                                .file_number = common->call.file_number,
                                .object = common->call.object,
                                .values = keep_values(kept, common, &common->bound)};
    common->kept_turn = kept->turn;
    return common->kept_bound = kept->bound_count++;
}

static uint32_t keep_whole(struct fth_kept_calls *kept, const struct fth_showing *showing,
                           const struct fth_thread_reader *reader, struct fth_presented *common)
{
    kept->whole =
        fth_present_room(kept->whole, &kept->whole_limit, kept->whole_count, sizeof *kept->whole);
    present_as(showing, reader, common, &kept->whole[kept->whole_count]);
    return kept->whole_count++;
}

void fth_present_keep_call(struct fth_presenter *presenter, const struct fth_thread_reader *reader,
                           const struct fth_raw_call *raw, struct fth_kept_calls *kept,
                           struct fth_kept_call *call)
{
    const struct fth_showing showing = showing_of(presenter, reader, &kept->arena, raw);
    struct fth_presented *common = find_common(presenter, reader, &showing);
    if (!kept->turn) {
        kept->turn = ++presenter->turns;
        kept->thread = (uint32_t)reader->thread;
        kept->tid = reader->tid;
    }
    *call = (struct fth_kept_call){.common = common,
                                   .start = fth_model_time(presenter->process, raw->entry),
                                   .end = fth_model_time(presenter->process, raw->exit),
                                   .whole = FTH_NOT_WHOLE};
    if (common->differs || reader->tid != kept->tid || reader->state.contents.bytes > 0 ||
        reader->state.stood.is_reported)
        call->whole = keep_whole(kept, &showing, reader, common);
    else
        put_values(&showing, common, &common->changes);
    call->values = keep_values(kept, common, &common->changes);
    if (common->bound.count || common->has_bound_file)
        call->bound = keep_bound(kept, common);
}

const struct fth_function *fth_kept_function(const struct fth_kept_call *call)
{
    return call->common->call.function;
}

static void bind_again(const struct fth_kept_calls *kept, struct fth_presented *common,
                       const struct fth_kept_bound *bound)
{
    common->version = bound->version;
    common->call.file = bound->file;
    common->call.file_number = bound->file_number;
    common->call.object = bound->object;
    put_back(kept, common, &common->bound, bound->values);
}

void fth_present_kept(const struct fth_kept_calls *kept, const struct fth_kept_call *from,
                      struct fth_call *call)
{
    struct fth_presented *common = from->common;
    put_back(kept, common, &common->changes, from->values);
    if ((common->bound.count || common->has_bound_file) &&
        kept->bound[from->bound].version != common->version)
        bind_again(kept, common, &kept->bound[from->bound]);
    if (from->whole != FTH_NOT_WHOLE) {
        *call = kept->whole[from->whole];
        return;
    }
    *call = common->call;
    call->thread = call->parent_thread = kept->thread;
    call->tid = kept->tid;
    call->start = from->start;
    call->end = from->end;
}

void fth_kept_calls_forget(struct fth_kept_calls *kept)
{
    kept->turn = 0;
    kept->whole_count = kept->bound_count = kept->value_count = 0;
    if (kept->arena.used)
        fth_arena_reset(&kept->arena);
}

void fth_kept_calls_free(struct fth_kept_calls *kept)
{
    free(kept->whole);
    free(kept->bound);
    free(kept->values);
    fth_arena_free(&kept->arena);
    *kept = (struct fth_kept_calls){0};
}
