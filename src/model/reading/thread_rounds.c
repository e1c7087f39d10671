/* Rounds of a thread: calls that come again and again behind one another, and differ in times only.
 * The grammar says how many come, without decoding them. */
#include "model/reading/thread.h"

#include "base/memory.h"

/* Of a cursor's size: of a grammar that is deep or has many lists, looking ahead at a few calls
 * would take longer than decoding them. */
enum { MOST_COPIED = 1 << 12 };

static uint32_t least(uint64_t one, uint32_t other)
{
    return one < other ? (uint32_t)one : other;
}

static uint32_t symbol_of(const struct fth_thread_reader *reader, uint32_t number)
{
    return number - reader->share->first_signature;
}

/* How many come, up to `most`, whole rounds or not. */
static uint32_t look_ahead(const struct fth_thread_reader *reader,
                           const struct fth_read_round *round, uint32_t most)
{
    struct fth_rule_cursor ahead = fth_rule_cursor_copy(&reader->cursor);
    uint32_t count = 0, symbol;
    for (uint32_t at = 0; count < most; count++) {
        if (!fth_rule_cursor_next(&ahead, &symbol) ||
            symbol != symbol_of(reader, round->numbers[at]))
            break;
        at = at + 1 < round->count ? at + 1 : 0;
    }
    fth_rule_cursor_close(&ahead);
    return count;
}

static void list_keys(const struct fth_thread_reader *reader, const struct fth_read_round *round,
                      struct fth_time_keys *keys)
{
    for (uint32_t i = 0; i < round->count; i++) {
        uint32_t symbol = symbol_of(reader, round->numbers[i]);
        keys[i] = (struct fth_time_keys){reader->share->stored.terminals[symbol].common->function,
                                         symbol};
    }
}

static bool is_of_share(const struct fth_thread_reader *reader, const struct fth_read_round *round)
{
    for (uint32_t i = 0; i < round->count; i++)
        if (round->numbers[i] < reader->share->first_signature ||
            symbol_of(reader, round->numbers[i]) >= reader->share->stored.signature_count)
            return false;
    return true;
}

uint32_t fth_thread_reader_foresee_rounds(struct fth_thread_reader *reader,
                                          const struct fth_read_round *round,
                                          struct fth_timed *timed, uint32_t most)
{
    struct fth_time_keys keys[FTH_MOST_IN_TURN];
    uint32_t count = least(reader->left_in_piece, least(reader->left_in_block, most));
    if (!round->count || count < round->count || !is_of_share(reader, round) ||
        fth_rule_cursor_size(&reader->cursor) > MOST_COPIED)
        return 0;
    count = look_ahead(reader, round, count - count % round->count) / round->count * round->count;
    if (!count)
        return 0;
    list_keys(reader, round, keys);
    return fth_timing_foresee_turns(&reader->timing, keys, round->count, &reader->columns.times,
                                    timed, count) /
           round->count;
}

static void pass_by(void *context, uint32_t symbol, uint64_t times)
{
    (void)context;
    (void)symbol;
    (void)times;
}

void fth_thread_reader_take_rounds(struct fth_thread_reader *reader,
                                   const struct fth_read_round *round,
                                   const struct fth_timed *timed, uint32_t rounds)
{
    struct fth_time_keys keys[FTH_MOST_IN_TURN];
    uint32_t count = rounds * round->count;
    list_keys(reader, round, keys);
    fth_timing_take_turns(&reader->timing, keys, round->count, &reader->columns.times, timed,
                          rounds);
    fth_rule_cursor_skip(&reader->cursor, count, pass_by, NULL);
    reader->left_in_piece -= count;
    reader->left_in_block -= count;
}
