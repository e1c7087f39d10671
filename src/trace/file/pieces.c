/* Pieces of a track. */
#include "trace/file/pieces.h"

#include "base/memory.h"
#include "trace/file/part_grammars.h"

enum {
    GRAMMAR_NODES = 1 << 18,
    GRAMMAR_COUNTS = 1 << 16,
    MOST_ROUNDS = 2,     /* of learning what is counted, and going through all calls again */
    FIRST_LOOK = 1 << 16 /* calls: most that is counted shows early, when there is little to repeat;
                            the next looks are LOOKS_APART times as far */
};
enum {
    LOOKS_APART = 4,
    CHECKS_APART =
        FTH_GRAMMAR_BODY / 4 /* calls, each of two runs: they fit into what is not full */
};

void fth_pieces_open(struct fth_pieces *pieces)
{
    *pieces = (struct fth_pieces){0};
    pieces->grammar =
        fth_grammar_place(fth_new(fth_grammar_bytes(GRAMMAR_NODES, GRAMMAR_COUNTS), 1),
                          GRAMMAR_NODES, GRAMMAR_COUNTS);
}

static void forget_counts(struct fth_pieces *pieces)
{
    for (uint32_t i = 0; i < pieces->list_limit; i++)
        free(pieces->lists[i].counts);
    free(pieces->lists);
    pieces->lists = NULL;
    pieces->list_limit = 0;
}

void fth_pieces_close(struct fth_pieces *pieces)
{
    forget_counts(pieces);
    free(pieces->grammar);
    free(pieces->waiting);
    free(pieces->loops);
    fth_bytes_free(&pieces->written);
    fth_bytes_free(&pieces->kept);
}

static void start_anew(struct fth_pieces *pieces)
{
    forget_counts(pieces);
    fth_grammar_reset(pieces->grammar);
    for (uint32_t i = 0; i < pieces->waiting_count; i++)
        fth_grammar_count(pieces->grammar, pieces->waiting[i]);
    for (uint32_t i = 0; i < pieces->loop_count; i++)
        fth_grammar_know(pieces->grammar, pieces->loops[i]);
}

void fth_pieces_begin(struct fth_pieces *pieces)
{
    pieces->waiting_count = pieces->loop_count = 0;
    pieces->next_look = FIRST_LOOK;
    start_anew(pieces);
}

void fth_pieces_wait(struct fth_pieces *pieces, uint32_t terminal)
{
    FTH_GROW(pieces->waiting, pieces->waiting_count);
    pieces->waiting[pieces->waiting_count++] = terminal;
    fth_grammar_count(pieces->grammar, terminal);
}

void fth_pieces_found(struct fth_pieces *pieces, uint32_t waiting)
{
    fth_grammar_append_none(pieces->grammar, waiting);
}

static void keep_count(void *context, uint32_t list, uint32_t count)
{
    struct fth_pieces *pieces = context;
    pieces->lists = fth_reach(pieces->lists, &pieces->list_limit, list, sizeof *pieces->lists);
    struct fth_taken_counts *taken = &pieces->lists[list];
    FTH_GROW(taken->counts, taken->length);
    taken->counts[taken->length++] = count;
}

/* Counts are taken away when they are too many. */
static bool is_full(struct fth_pieces *pieces)
{
    if (!fth_grammar_full(pieces->grammar))
        return false;
    if (fth_grammar_counts_full(pieces->grammar))
        fth_grammar_take_counts(pieces->grammar, keep_count, pieces);
    return fth_grammar_full(pieces->grammar);
}

/* ---- the end of a piece ---- */

static const struct fth_taken_counts *find_counts(const struct fth_pieces *pieces, uint32_t symbol)
{
    uint32_t i = 0;
    while (!pieces->lists[i].length || fth_grammar_list_symbol(pieces->grammar, i) != symbol)
        i++;
    return &pieces->lists[i];
}

static void write_grammar(struct fth_pieces *pieces)
{
    struct fth_bytes *text = &pieces->written;
    text->length = 0;
    uint8_t *to = fth_bytes_room(text, fth_grammar_write_bound(pieces->grammar));
    text->length = (size_t)(fth_grammar_write(pieces->grammar, to) - to);
}

/* Terminals of calls that a process makes together with others. */
static bool *find_collective(const struct fth_part *part, const struct fth_part_process *process)
{
    bool *collective = fth_new(process->signature_count, sizeof *collective);
    for (uint32_t i = 0; i < process->signature_count; i++)
        collective[i] =
            (part->catalog->rows[process->signatures[i].function].flags & FTH_CALL_COLLECTIVE) != 0;
    return collective;
}

/* Counts that all have go behind the grammar, the process's own to it. */
static void share_out_counts(struct fth_pieces *pieces, const struct fth_part *part,
                             struct fth_part_process *process)
{
    struct fth_bytes *text = &pieces->written, *kept = &pieces->kept;
    struct fth_rules *rules =
        fth_rules_read(text->data, text->length, process->signature_count, NULL);
    bool *collective = find_collective(part, process), *reach = fth_rules_reach(rules, collective);
    uint32_t shared = 0;
    kept->length = 0;
    for (uint32_t i = 0; i < fth_rules_open(rules); i++) {
        uint32_t symbol = fth_rules_open_symbol(rules, i);
        const struct fth_taken_counts *taken = find_counts(pieces, symbol);
        bool is_shared = symbol & 1 ? reach[symbol >> 1] : collective[symbol >> 1];
        if (is_shared)
            fth_bytes_varint(kept, symbol);
        fth_count_column_put(is_shared ? kept : &process->counts, taken->counts, taken->length);
        shared += is_shared;
    }
    if (shared)
        fth_bytes_varint(text, shared);
    fth_bytes_put(text, kept->data, kept->length);
    fth_rules_free(rules);
    free(collective);
    free(reach);
}

/* The grammar as it is becomes a piece. */
static void put_piece(struct fth_pieces *pieces, struct fth_part *part,
                      struct fth_part_process *process, struct fth_track *track)
{
    struct fth_bytes *text = &pieces->written;
    uint64_t calls = fth_grammar_length(pieces->grammar);
    write_grammar(pieces);
    if (pieces->list_limit)
        share_out_counts(pieces, part, process);
    FTH_GROW(track->pieces, track->piece_count);
    track->pieces[track->piece_count++] = (struct fth_piece){
        .grammar = fth_part_grammar(part, text->data, text->length), .calls = calls};
    start_anew(pieces);
}

static void finish(struct fth_pieces *pieces)
{
    fth_grammar_finish(pieces->grammar);
    fth_grammar_take_counts(pieces->grammar, keep_count, pieces);
}

/* ---- learning ---- */

static bool is_waiting(const struct fth_pieces *pieces, uint32_t terminal)
{
    for (uint32_t i = 0; i < pieces->waiting_count; i++)
        if (pieces->waiting[i] == terminal)
            return true;
    return false;
}

static bool is_known(const struct fth_pieces *pieces, uint64_t loop)
{
    for (uint32_t i = 0; i < pieces->loop_count; i++)
        if (pieces->loops[i] == loop)
            return true;
    return false;
}

/* What has turned out to be counted while the calls came by. True: something has. */
static bool learn(struct fth_pieces *pieces)
{
    bool learned = false;
    for (uint32_t i = 0; i < fth_grammar_lists(pieces->grammar); i++) {
        uint32_t terminal;
        uint64_t loop;
        bool is_terminal = fth_grammar_list_terminal(pieces->grammar, i, &terminal, &loop);
        if (is_terminal ? is_waiting(pieces, terminal) : is_known(pieces, loop))
            continue;
        learned = true;
        if (is_terminal) {
            FTH_GROW(pieces->waiting, pieces->waiting_count);
            pieces->waiting[pieces->waiting_count++] = terminal;
        } else {
            FTH_GROW(pieces->loops, pieces->loop_count);
            pieces->loops[pieces->loop_count++] = loop;
        }
    }
    return learned;
}

/* The rules of the grammar, with lists of their own, in which counts are. */
struct recalled {
    struct fth_bytes text, counts;
    struct fth_count_column *lists;
    struct fth_rules *rules;
};

static void recall(struct fth_pieces *pieces, uint32_t terminals, struct recalled *recalled)
{
    *recalled = (struct recalled){0};
    write_grammar(pieces);
    fth_bytes_put(&recalled->text, pieces->written.data, pieces->written.length);
    recalled->rules = fth_rules_read(recalled->text.data, recalled->text.length, terminals, NULL);
    uint32_t count = fth_rules_open(recalled->rules);
    for (uint32_t i = 0; i < count; i++) {
        const struct fth_taken_counts *taken =
            find_counts(pieces, fth_rules_open_symbol(recalled->rules, i));
        fth_count_column_put(&recalled->counts, taken->counts, taken->length);
    }
    struct fth_view view = fth_view_of(recalled->counts.data, recalled->counts.length);
    recalled->lists = fth_new(count, sizeof *recalled->lists);
    for (uint32_t i = 0; i < count; i++)
        fth_count_column_read(&recalled->lists[i], &view);
    if (count)
        fth_rules_give(recalled->rules, recalled->lists, NULL);
}

static void forget_recalled(struct recalled *recalled)
{
    uint32_t count = fth_rules_open(recalled->rules);
    for (uint32_t i = 0; i < count; i++)
        fth_count_column_free(&recalled->lists[i]);
    free(recalled->lists);
    fth_rules_free(recalled->rules);
    fth_bytes_free(&recalled->text);
    fth_bytes_free(&recalled->counts);
}

/* What was counted late is counted from its first run on: else the grammars of processes would
 * differ in what came before. Not where that is little of an irregular sequence, which no other
 * process has anyway. */
static void go_through_again(struct fth_pieces *pieces, struct fth_part *part,
                             struct fth_part_process *process, struct fth_track *track)
{
    struct recalled recalled;
    struct fth_rule_cursor cursor;
    uint32_t terminal, times;
    recall(pieces, process->signature_count, &recalled);
    start_anew(pieces);
    fth_rule_cursor_open(&cursor, recalled.rules);
    cursor.with_empty = true;
    while (fth_rule_cursor_run(&cursor, &terminal, &times)) {
        if (times)
            fth_grammar_append_run(pieces->grammar, terminal, times);
        else
            fth_grammar_append_none(pieces->grammar, terminal);
        if (is_full(pieces)) {
            finish(pieces);
            put_piece(pieces, part, process, track);
        }
    }
    fth_rule_cursor_close(&cursor);
    forget_recalled(&recalled);
}

/* While calls come: nothing ends. */
static void look(struct fth_pieces *pieces, struct fth_part *part, struct fth_part_process *process,
                 struct fth_track *track)
{
    pieces->next_look *= LOOKS_APART;
    fth_grammar_take_counts(pieces->grammar, keep_count, pieces);
    if (learn(pieces) && fth_grammar_counts_late(pieces->grammar))
        go_through_again(pieces, part, process, track);
}

void fth_pieces_append(struct fth_pieces *pieces, uint32_t terminal, struct fth_part *part,
                       struct fth_part_process *process, struct fth_track *track)
{
    fth_grammar_append(pieces->grammar, terminal);
    bool is_checked = ++pieces->unchecked >= CHECKS_APART;
    pieces->unchecked = is_checked ? 0 : pieces->unchecked;
    if (is_checked && is_full(pieces))
        fth_pieces_end(pieces, part, process, track);
    else if (fth_grammar_length(pieces->grammar) == pieces->next_look)
        look(pieces, part, process, track);
}

void fth_pieces_end(struct fth_pieces *pieces, struct fth_part *part,
                    struct fth_part_process *process, struct fth_track *track)
{
    if (!fth_grammar_length(pieces->grammar))
        return;
    finish(pieces);
    for (int round = 0;
         round < MOST_ROUNDS && learn(pieces) && fth_grammar_counts_late(pieces->grammar);
         round++) {
        go_through_again(pieces, part, process, track);
        finish(pieces);
    }
    pieces->next_look = FIRST_LOOK;
    if (fth_grammar_length(pieces->grammar))
        put_piece(pieces, part, process, track);
}
