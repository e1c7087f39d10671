/* Seeking in a thread. */
#include "model/calls/seek.h"

#include "base/memory.h"

/* A block of a thread, and where it is. */
struct place {
    const struct fth_stretch *stretch;
    size_t block; /* of the stretch */
    const uint8_t *frames;
    uint64_t before; /* calls and notes of the thread before it */
};

/* What is known of a thread before some call, on its way to become the state of a reader. */
struct arrival {
    struct fth_seeker *seeker;
    struct place *places;
    uint64_t place_count;
    struct fth_composition composition;
    /* marks of blocks that have been read */
    bool *is_read;
    struct fth_intern known; /* struct mark_key -> index */
    struct fth_mark *marks;
};
struct mark_key {
    uint64_t place;
    uint64_t cell;
};

void fth_seeker_open(struct fth_seeker *seeker, const struct fth_trace *trace,
                     const struct fth_model_process *process, struct fth_process_names *names,
                     const struct fth_share *shares, size_t share_count)
{
    *seeker = (struct fth_seeker){.trace = trace, .process = process, .names = names};
    for (const struct fth_share *share = shares; share < shares + share_count; share++) {
        seeker->signature_count += share->stored.signature_count;
        for (uint32_t i = 0; i < share->stored.signature_count; i++) {
            struct fth_signature signature;
            if (!share->stored.terminals[i].common->steps)
                continue;
            fth_signature_of(&share->stored, i, &signature);
            fth_cells_of_trails(&seeker->cells, &trace->meanings[signature.function], &signature);
        }
    }
    seeker->calls = fth_new(seeker->signature_count, sizeof(struct fth_effect *));
}

static void drop_piece(struct fth_seeker *seeker)
{
    if (seeker->rules)
        fth_rule_effects_close(&seeker->effects);
    fth_rules_free(seeker->rules);
    seeker->rules = NULL;
}

void fth_seeker_close(struct fth_seeker *seeker)
{
    drop_piece(seeker);
    for (uint32_t i = 0; seeker->calls && i < seeker->signature_count; i++)
        if (seeker->calls[i]) {
            fth_effect_free(seeker->calls[i]);
            free(seeker->calls[i]);
        }
    free(seeker->calls);
    fth_cells_free(&seeker->cells);
}

/* ---- the blocks of a thread ---- */

uint64_t fth_thread_blocks(const struct fth_stretch *stretches, size_t count)
{
    uint64_t blocks = 0;
    for (size_t i = 0; i < count; i++)
        blocks += stretches[i].track->block_count;
    return blocks;
}

static void list_places(struct arrival *arrival, const struct fth_thread_reader *reader)
{
    uint64_t before = 0;
    arrival->place_count = fth_thread_blocks(reader->stretches, reader->stretch_count);
    arrival->places = fth_new(arrival->place_count, sizeof *arrival->places);
    arrival->is_read = fth_new(arrival->place_count, 1);
    struct place *place = arrival->places;
    for (size_t i = 0; i < reader->stretch_count; i++) {
        const struct fth_stretch *stretch = &reader->stretches[i];
        const uint8_t *frames = stretch->frames;
        for (size_t k = 0; k < stretch->track->block_count; k++, place++) {
            const struct fth_block *block = &stretch->track->blocks[k];
            *place = (struct place){stretch, k, frames, before};
            frames += block->time_stored + block->literal_stored;
            before += block->calls;
        }
    }
}

static const struct fth_block *block_at(const struct place *place)
{
    return &place->stretch->track->blocks[place->block];
}

/* The block with the call that has so many before it. */
static uint64_t place_of_call(const struct arrival *arrival, uint64_t before)
{
    uint64_t low = 0, high = arrival->place_count;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        *(arrival->places[middle].before <= before ? &low : &high) = middle;
    }
    return low;
}

/* All calls before a block end before its base. The last block whose base is before `time`, or the
 * first one. */
static uint64_t place_of_time(const struct arrival *arrival, int64_t time)
{
    const struct fth_model_process *process = arrival->seeker->process;
    uint64_t low = 0, high = arrival->place_count;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        const struct place *place = &arrival->places[middle];
        uint64_t ticks = block_at(place)->base * place->stretch->share->stored.facts.quantum;
        *(fth_model_time(process, ticks) < time ? &low : &high) = middle;
    }
    return low;
}

/* ---- composing ---- */

/* Of a terminal of the seeker's share. */
static const struct fth_effect *effect_of(void *context, uint32_t terminal)
{
    struct fth_seeker *seeker = context;
    struct fth_share *share = seeker->share;
    struct fth_effect **effect = &seeker->calls[share->first_signature + terminal];
    if (*effect)
        return *effect;
    struct fth_signature signature;
    fth_signature_of(&share->stored, terminal, &signature);
    const struct fth_meaning *meaning = &seeker->trace->meanings[signature.function];
    const struct fth_template *templates[FTH_MOST_VALUES];
    for (int i = 0; i < meaning->name_count; i++)
        templates[i] = fth_share_template(share, seeker->names,
                                          (uint32_t)signature.values[meaning->names[i]]);
    const struct fth_stored_call call = {&signature, meaning, templates,
                                         fth_name_numbers(&share->stored, signature.numbers),
                                         share->first_signature + terminal};
    *effect = fth_new(1, sizeof **effect);
    fth_effect_of_call(*effect, &seeker->cells, &seeker->trace->catalog, &call);
    return *effect;
}

/* 1; 0: it takes too much memory; -1: *error. */
static int take_piece(struct fth_seeker *seeker, struct fth_share *share,
                      const struct fth_piece *piece, struct fth_error **error)
{
    if (seeker->rules && seeker->piece == piece)
        return 1;
    drop_piece(seeker);
    seeker->rules = fth_piece_rules(share->part, piece, share->stored.signature_count, error);
    if (!seeker->rules)
        return -1;
    seeker->share = share;
    seeker->piece = piece;
    if (fth_rule_effects_open(&seeker->effects, seeker->rules, effect_of, seeker))
        return 1;
    drop_piece(seeker);
    return 0;
}

/* All calls of the thread before this block. 1; 0: they do not compose; -1: *error. */
static int compose_until(struct arrival *arrival, uint64_t place, struct fth_error **error)
{
    const struct fth_stretch *stretch = arrival->places->stretch,
                             *last = arrival->places[place].stretch;
    uint64_t left = arrival->places[place].before;
    fth_composition_empty(&arrival->composition);
    for (; stretch <= last && left; stretch++)
        for (size_t i = 0; i < stretch->track->piece_count && left; i++) {
            const struct fth_piece *piece = &stretch->track->pieces[i];
            uint64_t length = piece->calls < left ? piece->calls : left;
            int status = take_piece(arrival->seeker, stretch->share, piece, error);
            if (status <= 0)
                return status;
            fth_compose_rules(&arrival->seeker->effects, length, &arrival->composition);
            left -= length;
        }
    return !arrival->composition.summary.opaque;
}

/* ---- marks ---- */

static bool is_place_of(const struct arrival *arrival, struct fth_share *share,
                        const struct fth_mark *mark, uint32_t *which)
{
    if (mark->terminal >= share->stored.signature_count)
        return false;
    const struct fth_stored_signature *stored = &share->stored.terminals[mark->terminal];
    const struct fth_meaning *meaning =
        &arrival->seeker->trace->meanings[stored->common->function];
    if (mark->name >= (uint32_t)meaning->name_count)
        return false;
    const struct fth_template *template = fth_share_template(
        share, arrival->seeker->names, (uint32_t)fth_share_values(share, stored)[meaning->names[mark->name]]);
    if (template->bytes[0] != FTH_TEMPLATE_NUMBERS || mark->number >= template->count)
        return false;
    *which = template->places[mark->number];
    return true;
}

static int read_marks(struct arrival *arrival, uint64_t number, struct fth_error **error)
{
    const struct place *place = &arrival->places[number];
    struct fth_view view;
    uint8_t *raw = fth_columns_marks(place->frames, block_at(place), &view, error);
    bool good = raw != NULL;
    arrival->is_read[number] = true;
    while (good && view.at < view.end) {
        struct fth_mark mark;
        good = fth_mark_read(&view, &mark) &&
               (mark.cell.kind != FTH_CELL_PLACE ||
                is_place_of(arrival, place->stretch->share, &mark, &mark.cell.which));
        if (!good) {
            fth_fail(error, "marks are damaged");
            break;
        }
        struct mark_key key = {number, fth_cell_number(&arrival->seeker->cells, mark.cell)};
        uint32_t known = arrival->known.count, at = fth_intern(&arrival->known, &key, sizeof key);
        if (at == known)
            FTH_GROW(arrival->marks, known);
        arrival->marks[at] = mark;
    }
    free(raw);
    return good ? 0
                : fth_fail_in(error, "block %zu of thread %u", place->block,
                              (unsigned)place->stretch->track->thread);
}

/* 1; 0: the block has no such mark; -1: *error. */
static int find_mark(struct arrival *arrival, uint64_t number, uint32_t cell,
                     const struct fth_mark **mark, struct fth_error **error)
{
    if (!arrival->is_read[number] && read_marks(arrival, number, error))
        return -1;
    struct mark_key key = {number, cell};
    uint32_t known = arrival->known.count, at = fth_intern(&arrival->known, &key, sizeof key);
    if (at == known) {
        FTH_GROW(arrival->marks, known);
        arrival->marks[at] = (struct fth_mark){.cell = {.kind = UINT32_MAX}};
    }
    *mark = &arrival->marks[at];
    return arrival->marks[at].cell.kind != UINT32_MAX;
}

/* ---- the state ---- */

/* What the cell holds. 1; 0: that is not known; -1: *error. */
static int value_of(struct arrival *arrival, uint32_t cell, int64_t *value,
                    struct fth_error **error)
{
    const struct fth_cell_expression *is = &arrival->composition.cells[cell];
    const struct fth_mark *mark;
    int64_t from = 0; /* so everything starts */
    if (is->kind == FTH_IS_MARK) {
        int status = find_mark(arrival, place_of_call(arrival, is->place), is->cell, &mark, error);
        if (status <= 0)
            return status;
        from = mark->value;
    }
    return fth_expression_value(is, from, value);
}

/* Is a number of the binding a literal of the block that the binding is of? Then the binding has a
 * mark of its own. */
static bool is_marked(const struct arrival *arrival, struct fth_state_cell binding,
                      const struct fth_template *path, uint64_t place)
{
    binding.kind = FTH_CELL_NUMBER;
    for (unsigned k = 0; path->bytes[0] == FTH_TEMPLATE_NUMBERS && k < path->count; k++) {
        binding.number = k;
        const struct fth_cell_expression *is =
            &arrival->composition.cells[fth_cell_number(&arrival->seeker->cells, binding)];
        if (is->kind == FTH_IS_MARK && place_of_call(arrival, is->place) == place)
            return true;
    }
    return false;
}

/* The number of the descriptor, and those of the name. */
static int numbers_of(struct arrival *arrival, uint32_t cell, const struct fth_signature *signature,
                      const struct fth_template *path, int64_t *number, int64_t *numbers,
                      struct fth_error **error)
{
    struct fth_state_cell binding = fth_cell_of(&arrival->seeker->cells, cell);
    uint64_t place = place_of_call(arrival, arrival->composition.cells[cell].place);
    unsigned count = path->bytes[0] == FTH_TEMPLATE_NUMBERS ? path->count : 0;
    int status = 1;
    if (signature->mask || is_marked(arrival, binding, path, place)) {
        const struct fth_mark *mark;
        status = find_mark(arrival, place, cell, &mark, error);
        if (status <= 0)
            return status;
        *number = mark->value;
        memcpy(numbers, mark->numbers, sizeof mark->numbers);
        return mark->count == count;
    }
    *number = binding.class_index == FTH_CLASS_OF_CWD ? 0 : signature->values[2];
    binding.kind = FTH_CELL_NUMBER;
    for (unsigned k = 0; k < count && status > 0; k++) {
        binding.number = k;
        status = value_of(arrival, fth_cell_number(&arrival->seeker->cells, binding), &numbers[k],
                          error);
    }
    return status;
}

/* The share that has the signature with this number among those of all. */
static struct fth_share *share_of(const struct fth_thread_reader *reader, uint32_t number)
{
    const struct fth_stretch *stretch = reader->stretches;
    while (number - stretch->share->first_signature >= stretch->share->stored.signature_count)
        stretch++;
    return stretch->share;
}

/* Joining a name moves the last numbers of its places, which get their values after all
 * bindings. */
static int set_binding(struct arrival *arrival, uint32_t cell, struct fth_thread_reader *reader,
                       struct fth_error **error)
{
    struct fth_seeker *seeker = arrival->seeker;
    uint32_t from = (uint32_t)arrival->composition.cells[cell].add;
    struct fth_state_cell binding = fth_cell_of(&seeker->cells, cell);
    struct fth_share *share = share_of(reader, from);
    struct fth_signature signature;
    fth_signature_of(&share->stored, from - share->first_signature, &signature);
    const struct fth_meaning *meaning = &seeker->trace->meanings[signature.function];
    const struct fth_template *path = fth_share_template(
        share, seeker->names, (uint32_t)signature.values[meaning->names[meaning->name_count - 1]]);
    int64_t number, numbers[FTH_LIST_NUMBERS] = {0};
    int status = numbers_of(arrival, cell, &signature, path, &number, numbers, error);
    if (status <= 0)
        return status;
    uint32_t text = fth_state_name(&reader->state, path, numbers, true);
    if (binding.class_index == FTH_CLASS_OF_CWD)
        reader->state.cwd = text;
    else
        fth_state_bind(&reader->state, (int)binding.class_index, binding.which, number, text);
    return 1;
}

/* Binding a slot sets its cursor to 0, so bindings come first. */
static int set_cell(struct arrival *arrival, uint32_t number, bool bindings,
                    struct fth_thread_reader *reader, struct fth_error **error)
{
    struct fth_state_cell cell = fth_cell_of(&arrival->seeker->cells, number);
    int64_t value;
    if (cell.kind == FTH_CELL_NUMBER || (cell.kind == FTH_CELL_BINDING) != bindings)
        return 1;
    if (bindings)
        return set_binding(arrival, number, reader, error);
    int status = value_of(arrival, number, &value, error);
    if (status <= 0)
        return status;
    if (cell.kind == FTH_CELL_PLACE) {
        fth_last_number_set(&reader->state.last, cell.which, value);
        return 1;
    }
    if (cell.kind == FTH_CELL_TRAIL) {
        /* A trail at 0 may be one that has lost its place. */
        if (value)
            fth_state_trails(&reader->state, cell.which, cell.class_index)[cell.number] = value;
        return 1;
    }
    struct fth_cursor_state *cursor =
        fth_state_cursor(&reader->state, (int)cell.class_index, cell.which);
    *(cell.kind == FTH_CELL_END ? &cursor->end : &cursor->view) = value;
    return 1;
}

static int set_state(struct arrival *arrival, struct fth_thread_reader *reader,
                     struct fth_error **error)
{
    const struct fth_composition *composition = &arrival->composition;
    for (int bindings = 1; bindings >= 0; bindings--)
        for (uint32_t i = 0; i < composition->touched_count; i++) {
            int status = set_cell(arrival, composition->touched[i], bindings, reader, error);
            if (status <= 0)
                return status;
        }
    reader->depth = composition->summary.last_depth;
    return 1;
}

/* ---- doors ---- */

static void arrive(struct arrival *arrival)
{
    fth_composition_free(&arrival->composition);
    fth_intern_free(&arrival->known);
    free(arrival->marks);
    free(arrival->is_read);
    free(arrival->places);
}

/* To the block whose calls before it have been composed. */
static int go(struct arrival *arrival, struct fth_thread_reader *reader, uint64_t place,
              struct fth_error **error)
{
    const struct place *to = &arrival->places[place];
    int status = set_state(arrival, reader, error);
    if (status > 0 && fth_thread_reader_go(reader, to->stretch, to->block, to->frames, error))
        return -1;
    if (status == 0)
        fth_thread_reader_restart(reader);
    return status;
}

int fth_seek_block(struct fth_seeker *seeker, struct fth_thread_reader *reader, uint64_t block,
                   uint64_t *calls, struct fth_error **error)
{
    struct arrival arrival = {.seeker = seeker};
    list_places(&arrival, reader);
    int status = compose_until(&arrival, block, error);
    if (status > 0)
        status = go(&arrival, reader, block, error);
    *calls = status > 0 ? arrival.composition.summary.calls : 0;
    arrive(&arrival);
    return status;
}

/* Goes to the block of the first call behind the last one that is in no other, and over what is
 * before it in that block. */
static int go_to_alone(struct arrival *arrival, struct fth_thread_reader *reader, uint64_t place,
                       uint64_t *calls, struct fth_error **error)
{
    const struct fth_run_summary *summary = &arrival->composition.summary;
    uint64_t length = summary->alone_length, until = summary->alone_calls;
    uint64_t begin = place_of_call(arrival, length);
    int status = 1;
    if (!length)
        return 0;
    if (begin != place)
        status = compose_until(arrival, begin, error);
    if (status > 0)
        status = go(arrival, reader, begin, error);
    if (status <= 0)
        return status;
    for (uint64_t at = summary->calls; at < until; at++) {
        struct fth_raw_call over;
        status = fth_thread_reader_next(reader, &over, error);
        if (status <= 0)
            return status < 0 ? -1 : fth_fail(error, "a thread has fewer calls than its grammars");
    }
    *calls = until;
    return 1;
}

int fth_seek_time(struct fth_seeker *seeker, struct fth_thread_reader *reader, int64_t time,
                  uint64_t *calls, struct fth_error **error)
{
    struct arrival arrival = {.seeker = seeker};
    *calls = 0;
    list_places(&arrival, reader);
    uint64_t place = place_of_time(&arrival, time);
    int status = place ? compose_until(&arrival, place, error) : 0;
    if (status > 0)
        status = go_to_alone(&arrival, reader, place, calls, error);
    arrive(&arrival);
    return status < 0 ? -1 : 0;
}
