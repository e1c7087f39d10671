/* Walking through the calls of a process. */
#include "trace/merge/walk.h"

#include "base/memory.h"
#include "trace/record/format.h"
#include "trace/record/spill.h"
#include "trace/merge/walk_call.h"
#include "trace/merge/walk_marks.h"
#include "trace/merge/walk_names.h"
#include "trace/merge/walk_sums.h"

/* Of a process whose sums have no times: adding these up takes a reader some 0.2 us per call. */
enum {
    MOST_CALLS_OF_SUM = 16, /* per function */
    /* Per function of a rank: there are not many of these, as this is a limit for all of them. */
    MOST_CALLS_OF_RANK = FTH_MOST_CALLS_DERIVED,
    MOST_CALLS_OF_WORLD = 1 << 20,
};

void fth_walk_open(struct fth_walk *walk, struct fth_part *part, fth_block_sink *sink,
                   void *context)
{
    *walk = (struct fth_walk){
        .part = part, .meanings = fth_builtin_meanings(), .sink = sink, .context = context};
    fth_pieces_open(&walk->pieces);
    walk->sum_places = fth_new(part->catalog->row_count * FTH_INSIDE_ALL, sizeof *walk->sum_places);
}

static void forget_process(struct fth_walk *walk)
{
    for (size_t i = 0; i < walk->process.sum_count; i++)
        walk->sum_places[walk->process.sums[i].function * FTH_INSIDE_ALL +
                         walk->process.sums[i].flags] = 0;
    fth_part_process_free(&walk->process);
    fth_process_names_free(&walk->names);
    fth_intern_free(&walk->kinds);
    fth_intern_free(&walk->sites);
    free(walk->site_news);
    free(walk->path_places);
    free(walk->files);
    free(walk->templates);
    free(walk->known_texts);
    free(walk->text_numbers);
    free(walk->text_digits);
    free(walk->mapped.files);
    fth_aio_free(&walk->aio);
    walk->mapped = (struct fth_mapped){0};
    walk->site_news = walk->path_places = walk->files = NULL;
    walk->templates = NULL;
    walk->known_texts = NULL;
    walk->text_numbers = NULL;
    walk->text_digits = NULL;
    walk->text_number_count = walk->known_text_limit = 0;
    walk->path_limit = walk->file_limit = walk->template_limit = 0;
}

void fth_walk_close(struct fth_walk *walk)
{
    forget_process(walk);
    fth_pieces_close(&walk->pieces);
    free(walk->sum_places);
    fth_columns_free(&walk->columns);
    fth_marks_free(&walk->marks);
    fth_timing_close(&walk->timing);
    fth_bytes_free(&walk->path);
    fth_bytes_free(&walk->written);
    fth_bytes_free(&walk->kind);
}

void fth_walk_begin(struct fth_walk *walk)
{
    forget_process(walk);
    fth_process_names_init(&walk->names);
    fth_times_forget(&walk->columns.times);
    fth_pieces_begin(&walk->pieces);
    walk->failed = walk->keeps_path_times = false;
}

/* ---- tracks ---- */

/* What was packed goes out. */
static void sink_written(struct fth_walk *walk)
{
    walk->process.frame_bytes += walk->written.length;
    if (!walk->failed &&
        !walk->sink(walk->context, walk->written.data, walk->written.length, walk->error))
        walk->failed = true;
}

static void end_block(struct fth_walk *walk)
{
    if (!walk->block_calls)
        return;
    struct fth_track *track = walk->track;
    struct fth_block block = {.calls = walk->block_calls, .base = walk->block_base};
    walk->block_calls = 0;
    walk->written.length = 0;
    fth_marks_put(&walk->marks, &walk->columns.marks);
    fth_columns_pack(&walk->columns, &walk->written, &block);
    FTH_GROW(track->blocks, track->block_count);
    track->blocks[track->block_count++] = block;
    if (walk->process.facts.times == FTH_TIMES_OF_MEANS)
        fth_means_end_block(&walk->timing.means);
    sink_written(walk);
}

static void end_means(struct fth_walk *walk)
{
    if (walk->process.facts.times != FTH_TIMES_OF_MEANS || !walk->track->block_count)
        return;
    walk->written.length = 0;
    fth_means_end_track(&walk->timing.means, walk->now / walk->process.facts.quantum, walk->track,
                        &walk->written);
    sink_written(walk);
}

void fth_walk_end_thread(struct fth_walk *walk)
{
    if (!walk->open)
        return;
    fth_pieces_end(&walk->pieces, walk->part, &walk->process, walk->track);
    end_block(walk);
    end_means(walk);
    if (walk->now > walk->process.facts.last_ticks)
        walk->process.facts.last_ticks = walk->now;
    fth_thread_state_free(&walk->state);
    fth_marks_free(&walk->marks);
    if (!walk->track->piece_count)
        walk->process.track_count--;
    walk->open = false;
}

void fth_walk_thread(struct fth_walk *walk, uint64_t thread, int64_t tid, uint64_t base,
                     uint64_t skip)
{
    if (walk->open && walk->thread == thread)
        return;
    fth_walk_end_thread(walk);
    struct fth_part_process *process = &walk->process;
    FTH_GROW(process->tracks, process->track_count);
    walk->track = &process->tracks[process->track_count++];
    *walk->track = (struct fth_track){.thread = thread, .tid = tid};
    fth_timing_begin_track(&walk->timing, process->facts.times);
    fth_thread_state_init(&walk->state, walk->part->catalog, &walk->names, walk->meanings);
    walk->open = true;
    walk->thread = thread;
    walk->depth = 0;
    walk->now = base;
    walk->quantum = fth_divisor_of(process->facts.quantum);
    walk->units = fth_divided(base, &walk->quantum);
    walk->seen = 0;
    walk->skip = skip;
    walk->keeps_path_times |= skip > 0;
    walk->is_rest = walk->is_summed = false;
}

void fth_walk_rest_of_thread(struct fth_walk *walk, uint64_t thread, int64_t tid, uint64_t base,
                             uint32_t depth)
{
    fth_walk_thread(walk, thread, tid, base, 0);
    walk->depth = depth;
    walk->is_rest = walk->keeps_path_times = true;
}

/* ---- terminals ---- */

static bool differs(const struct fth_name *name)
{
    for (unsigned i = 0; i < name->count; i++)
        if (name->numbers[i])
            return true;
    return false;
}

/* The signature with these names, as a terminal. */
static uint32_t find_terminal(struct fth_walk *walk, const struct fth_signature *signature,
                              const struct fth_kept_name *names)
{
    const struct fth_meaning *meaning = &walk->meanings[signature->function];
    struct fth_part_process *process = &walk->process;
    struct fth_bytes *key = &walk->kind;
    struct fth_signature made = *signature;
    for (int i = 0; i < meaning->name_count; i++) {
        made.values[meaning->names[i]] = names[i].template;
        made.mask |= (uint32_t)names[i].literal << meaning->names[i];
    }
    made.numbers = 0;
    key->length = 0;
    fth_bytes_put(key, &made,
                  offsetof(struct fth_signature, values) + made.count * sizeof *made.values);
    for (int i = 0; i < meaning->name_count; i++)
        if (!names[i].literal)
            fth_bytes_put(key, names[i].name.numbers,
                          names[i].name.count * sizeof *names[i].name.numbers);
    uint32_t known = walk->kinds.count, terminal = fth_intern(&walk->kinds, key->data, key->length);
    if (terminal < known)
        return terminal;
    made.numbers = (uint32_t)process->name_number_count;
    for (int i = 0; i < meaning->name_count; i++) {
        if (names[i].literal)
            continue;
        for (unsigned k = 0; k < names[i].name.count; k++) {
            FTH_GROW(process->name_numbers, process->name_number_count);
            process->name_numbers[process->name_number_count++] = names[i].name.numbers[k];
        }
        if (names[i].name.count && names[i].name.count <= FTH_NAME_NUMBERS &&
            differs(&names[i].name))
            walk->site_news[names[i].site]++;
    }
    FTH_GROW(process->signatures, process->signature_count);
    process->signatures[process->signature_count++] = made;
    if (fth_call_waits(meaning, &made))
        fth_pieces_wait(&walk->pieces, terminal);
    return terminal;
}

/* The terminal of calls that wait for what this one found. */
static uint32_t find_waiting(struct fth_walk *walk, const struct fth_signature *signature)
{
    struct fth_signature waiting;
    if (!fth_call_would_wait(&walk->meanings[signature->function], signature, &waiting))
        return FTH_NO_TERMINAL;
    return find_terminal(walk, &waiting, NULL);
}

/* Appends the call to the grammar, and what it leaves there to the literal columns. Returns its
 * terminal. */
static uint32_t append(struct fth_walk *walk, struct fth_call_kind *kind,
                       const struct fth_kept_name *names, const int64_t *literals)
{
    const struct fth_signature *signature = &kind->signature;
    const struct fth_meaning *meaning = &walk->meanings[signature->function];
    bool as_before = !meaning->name_count || fth_walk_names_are_as_before(kind, names);
    if (kind->terminal == FTH_NO_TERMINAL || !as_before) {
        kind->waiting = find_waiting(walk, signature);
        kind->terminal = find_terminal(walk, signature, names);
    }
    uint32_t terminal = kind->terminal;
    if (kind->waiting != FTH_NO_TERMINAL)
        fth_pieces_found(&walk->pieces, kind->waiting);
    for (uint32_t mask = signature->mask; mask; mask &= mask - 1)
        fth_columns_literal(&walk->columns, signature->function, (uint32_t)__builtin_ctz(mask),
                            *literals++);
    for (int i = 0; i < meaning->name_count; i++)
        for (unsigned k = 0; names[i].literal && k < names[i].name.count; k++)
            fth_columns_literal(&walk->columns, signature->function, meaning->names[i] + 32 * k,
                                names[i].name.numbers[k]);
    fth_pieces_append(&walk->pieces, terminal, walk->part, &walk->process, walk->track);
    return terminal;
}

/* ---- calls ---- */

static void begin_block(struct fth_walk *walk, uint64_t before)
{
    walk->block_base = before;
    fth_timing_begin_block(&walk->timing, before);
}

/* A call of a plain kind, of which there was one before: most are. The meaning of their function,
 * which is rarely in a cache, is not asked for. */
static void walk_plain(struct fth_walk *walk, const struct fth_call_kind *kind, uint64_t gap,
                       uint64_t duration)
{
    const struct fth_signature *signature = &kind->signature;
    struct fth_walked call;
    fth_walk_pass(walk, walk->depth > signature->depth, gap, duration, &call);
    walk->depth = signature->depth;
    walk->seen++;
    walk->process.calls++;
    if (kind->sum.moves_cursor)
        fth_state_move(&walk->state, kind->sum.handle_class, kind->sum.slot, &kind->sum.motion);
    fth_walk_add_plain(walk, &kind->sum, call.exit - call.entry);
    if (!walk->block_calls++)
        begin_block(walk, call.before);
    fth_pieces_append(&walk->pieces, kind->terminal, walk->part, &walk->process, walk->track);
    const struct fth_timed_call timed = {.keys = {signature->function, kind->terminal},
                                         .depth = signature->depth,
                                         .holds = call.holds};
    fth_timing_put(&walk->timing, &timed, call.before, call.entry, call.exit, &walk->columns.times);
    if (walk->block_calls == FTH_BLOCK_CALLS)
        end_block(walk);
}

/* Is the kind plain, and is the call only to be kept as those before? */
static bool is_plain(const struct fth_walk *walk, const struct fth_call_kind *kind)
{
    return kind->sum.is_plain && kind->terminal != FTH_NO_TERMINAL &&
           kind->waiting == FTH_NO_TERMINAL && !walk->is_summed && walk->seen >= walk->skip;
}

void fth_walk_call(struct fth_walk *walk, struct fth_call_kind *kind, uint64_t gap,
                   uint64_t duration, const int64_t *literals)
{
    if (is_plain(walk, kind)) {
        walk_plain(walk, kind, gap, duration);
        return;
    }
    const struct fth_signature *signature = &kind->signature;
    struct fth_kept_name names[FTH_MOST_VALUES];
    struct fth_walked call;
    bool emitted = walk->seen++ >= walk->skip, is_kept = emitted && !walk->is_summed;
    if (walk->meanings[signature->function].name_count && !walk->is_summed)
        fth_walk_keep_names(walk, kind, names);
    fth_walk_step(walk, signature, gap, duration, literals, &call);
    if (emitted)
        fth_walk_sum(walk, kind, &call);
    if (emitted && walk->is_summed)
        walk->process.facts.summed.calls += !call.note;
    if (!is_kept)
        return;
    if (!walk->block_calls)
        begin_block(walk, call.before);
    walk->block_calls++;
    uint32_t terminal = append(walk, kind, names, literals);
    if (signature->mask || signature->steps || call.meaning->name_count)
        fth_walk_mark(walk, signature, terminal, names, call.values);
    const struct fth_timed_call timed = {.keys = {signature->function, terminal},
                                         .depth = signature->depth,
                                         .note = call.note,
                                         .holds = call.holds};
    fth_timing_put(&walk->timing, &timed, call.before, call.entry, call.exit, &walk->columns.times);
    if (walk->block_calls == FTH_BLOCK_CALLS)
        end_block(walk);
}

/* Are times of functions those of the calls that are kept, and soon added up? Few calls of many
 * functions make a small process, in which they take most of its facts. */
static bool derives_times(const struct fth_part_process *process)
{
    const struct fth_facts *facts = &process->facts;
    uint64_t ranks = facts->size > 1 ? (uint64_t)facts->size : 1;
    uint64_t of_sum = ranks > 1 ? MOST_CALLS_OF_RANK : MOST_CALLS_OF_SUM;
    return facts->times == FTH_TIMES_EXACT && !facts->summed.calls &&
           process->calls <= process->sum_count * of_sum &&
           process->calls <= MOST_CALLS_OF_WORLD / ranks;
}

int fth_walk_end(struct fth_walk *walk, struct fth_bytes *facts)
{
    fth_walk_end_thread(walk);
    walk->process.derives_times = derives_times(&walk->process);
    walk->process.derives_path_times = walk->process.derives_times && !walk->keeps_path_times;
    walk->process.texts = walk->names.texts;
    fth_part_add(walk->part, &walk->process, facts);
    walk->process.texts = (struct fth_intern){0};
    return walk->failed ? -1 : 0;
}
