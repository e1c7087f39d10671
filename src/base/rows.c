/* Rows become runs and differences. */
#include "base/rows.h"

#include "base/memory.h"

#include <string.h>

/* Integers that are too large to be added are none that anybody notes; they come back the same. */
static int64_t plus(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int64_t minus(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

static int64_t times(int64_t a, uint32_t count)
{
    return (int64_t)((uint64_t)a * count);
}

/* ---- pieces ---- */

static void add_piece(struct fth_rows *rows, uint32_t first, uint32_t period, uint64_t at)
{
    FTH_GROW(rows->pieces, rows->piece_count);
    rows->pieces[rows->piece_count++] = (struct fth_rows_piece){first, period, at};
}

/* Rows as differences, some at a time, and each column by itself. */
static void put_differences(struct fth_rows *rows, uint32_t first, const int64_t *from,
                            uint32_t count)
{
    for (uint32_t done = 0, some; done < count; done += some) {
        some = count - done < FTH_ROWS_TOGETHER ? count - done : FTH_ROWS_TOGETHER;
        add_piece(rows, first + done, 0, rows->bytes.length);
        for (unsigned column = 0; column < rows->columns; column++) {
            int64_t before = 0;
            for (uint32_t i = 0; i < some; i++) {
                int64_t value = from[(size_t)(done + i) * rows->columns + column];
                fth_bytes_signed(&rows->bytes, minus(value, before));
                before = value;
            }
        }
    }
}

static void shift_tail(struct fth_rows *rows, uint32_t count)
{
    rows->tail_first += count;
    rows->tail_count -= count;
    memmove(rows->tail, rows->tail + (size_t)count * rows->columns,
            (size_t)rows->tail_count * rows->columns * sizeof *rows->tail);
}

/* ---- runs ---- */

static const int64_t *tail_row(const struct fth_rows *rows, uint32_t i)
{
    return rows->tail + (size_t)i * rows->columns;
}

/* Does row `i` of the tail differ from the one a turn before as that one does? */
static bool goes_on(const struct fth_rows *rows, uint32_t i, uint32_t period)
{
    const int64_t *now = tail_row(rows, i), *before = tail_row(rows, i - period),
                  *first = tail_row(rows, i - 2 * period);
    for (unsigned column = 0; column < rows->columns; column++)
        if (minus(now[column], before[column]) != minus(before[column], first[column]))
            return false;
    return true;
}

/* Where a run of this period that goes on to the end of the tail begins; `tail_count`: there is
 * none. */
static uint32_t begin_of_run(const struct fth_rows *rows, uint32_t period)
{
    uint32_t at = rows->tail_count;
    while (at > 2 * period && goes_on(rows, at - 1, period))
        at--;
    return at + period > rows->tail_count ? rows->tail_count : at - 2 * period;
}

static void begin_run(struct fth_rows *rows, uint32_t from, uint32_t period)
{
    size_t turn = (size_t)period * rows->columns;
    put_differences(rows, rows->tail_first, rows->tail, from);
    add_piece(rows, rows->tail_first + from, period, rows->integer_count);
    if (rows->integer_count + 2 * turn > rows->integer_room) {
        rows->integer_room += rows->integer_room / 2 + 2 * turn;
        rows->integers = fth_resize(rows->integers, rows->integer_room, sizeof *rows->integers);
    }
    int64_t *first = rows->integers + rows->integer_count, *steps = first + turn;
    memcpy(first, tail_row(rows, from), turn * sizeof *first);
    for (size_t i = 0; i < turn; i++)
        steps[i] = minus(tail_row(rows, from + period)[i], first[i]);
    rows->integer_count += 2 * turn;
    /* what comes next, of each row of a turn */
    rows->expected = fth_resize(rows->expected, turn, sizeof *rows->expected);
    rows->phase = (rows->tail_count - from) % period;
    uint32_t turns = (rows->tail_count - from) / period;
    for (uint32_t i = 0; i < period; i++)
        for (unsigned column = 0; column < rows->columns; column++) {
            size_t place = (size_t)i * rows->columns + column;
            rows->expected[place] =
                plus(first[place], times(steps[place], turns + (i < rows->phase)));
        }
    rows->runs = true;
    rows->tail_first += rows->tail_count;
    rows->tail_count = 0;
}

/* Is the row the next one of the run? */
static bool go_on(struct fth_rows *rows, const int64_t *row)
{
    const struct fth_rows_piece *piece = &rows->pieces[rows->piece_count - 1];
    size_t place = (size_t)rows->phase * rows->columns,
           turn = (size_t)piece->period * rows->columns;
    int64_t *expected = rows->expected + place;
    const int64_t *steps = rows->integers + piece->at + turn + place;
    for (unsigned column = 0; column < rows->columns; column++)
        if (row[column] != expected[column])
            return false;
    for (unsigned column = 0; column < rows->columns; column++)
        expected[column] = plus(expected[column], steps[column]);
    rows->phase = rows->phase + 1 == piece->period ? 0 : rows->phase + 1;
    rows->tail_first++;
    return true;
}

static void take_from_run(const struct fth_rows *rows, const struct fth_rows_piece *piece,
                          uint32_t i, int64_t *row)
{
    uint32_t turn = (i - piece->first) / piece->period, phase = (i - piece->first) % piece->period;
    const int64_t *first = rows->integers + piece->at + (size_t)phase * rows->columns,
                  *steps = first + (size_t)piece->period * rows->columns;
    for (unsigned column = 0; column < rows->columns; column++)
        row[column] = plus(first[column], times(steps[column], turn));
}

/* One of a few turns would take more memory than its rows. */
static void end_run(struct fth_rows *rows)
{
    enum { FEWEST_TURNS = 8, FEWEST_ROWS = 64 };
    if (!rows->runs)
        return;
    rows->runs = false;
    struct fth_rows_piece run = rows->pieces[rows->piece_count - 1];
    uint32_t count = rows->tail_first - run.first;
    if (count >= FEWEST_TURNS * run.period && count >= FEWEST_ROWS)
        return;
    int64_t *all = fth_resize(NULL, (size_t)count * rows->columns, sizeof *all);
    for (uint32_t i = 0; i < count; i++)
        take_from_run(rows, &run, run.first + i, all + (size_t)i * rows->columns);
    rows->piece_count--;
    rows->integer_count = (size_t)run.at;
    put_differences(rows, run.first, all, count);
    free(all);
}

/* Three turns at least are one. */
static void look_for_run(struct fth_rows *rows)
{
    for (uint32_t period = 1; period <= FTH_ROWS_LONGEST && 3 * period <= rows->tail_count;
         period++) {
        uint32_t from = begin_of_run(rows, period);
        if (from == rows->tail_count)
            continue;
        begin_run(rows, from, period);
        return;
    }
}

/* ---- the end of the list ---- */

void fth_rows_add(struct fth_rows *rows, const int64_t *row)
{
    enum {
        MOST = 3 * FTH_ROWS_LONGEST + FTH_ROWS_TOGETHER,
        LOOK = 16,
        SOME = 8 * FTH_ROWS_TOGETHER
    };
    rows->count++;
    if (rows->runs && go_on(rows, row))
        return;
    end_run(rows);
    if (rows->tail_count == rows->tail_room) {
        rows->tail_room = rows->tail_room ? 2 * rows->tail_room : LOOK;
        rows->tail =
            fth_resize(rows->tail, (size_t)rows->tail_room * rows->columns, sizeof *rows->tail);
    }
    memcpy(rows->tail + (size_t)rows->tail_count * rows->columns, row, rows->columns * sizeof *row);
    rows->tail_count++;
    if (rows->tail_count % LOOK == 0)
        look_for_run(rows);
    if (rows->tail_count == MOST) {
        put_differences(rows, rows->tail_first, rows->tail, SOME);
        shift_tail(rows, SOME);
    }
}

void fth_rows_end(struct fth_rows *rows)
{
    end_run(rows);
    if (rows->tail_count)
        put_differences(rows, rows->tail_first, rows->tail, rows->tail_count);
    rows->tail_first += rows->tail_count;
    rows->tail_count = rows->tail_room = 0;
    free(rows->tail);
    free(rows->expected);
    rows->tail = rows->expected = NULL;
}

void fth_rows_free(struct fth_rows *rows)
{
    free(rows->pieces);
    free(rows->integers);
    free(rows->tail);
    free(rows->expected);
    fth_bytes_free(&rows->bytes);
    *rows = (struct fth_rows){.columns = rows->columns};
}

/* ---- asking ---- */

static bool is_in(const struct fth_rows *rows, size_t piece, uint32_t i)
{
    return piece < rows->piece_count && rows->pieces[piece].first <= i &&
           (piece + 1 == rows->piece_count || i < rows->pieces[piece + 1].first);
}

static size_t piece_of(const struct fth_rows *rows, size_t hint, uint32_t i)
{
    size_t low = 0, high = rows->piece_count;
    if (is_in(rows, hint, i))
        return hint;
    if (is_in(rows, hint + 1, i))
        return hint + 1;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (rows->pieces[middle].first <= i)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Rows that are no run. */
static void take_apart(const struct fth_rows *rows, const struct fth_rows_piece *piece,
                       struct fth_rows_place *place)
{
    struct fth_view view =
        fth_view_of(rows->bytes.data + piece->at, rows->bytes.length - (size_t)piece->at);
    for (unsigned column = 0; column < rows->columns; column++) {
        int64_t value = 0;
        for (uint32_t i = 0; i < place->count; i++) {
            value = plus(value, fth_view_signed(&view));
            place->taken[(size_t)i * rows->columns + column] = value;
        }
    }
}

/* Some rows of a run. */
static void take_some(const struct fth_rows *rows, const struct fth_rows_piece *piece,
                      struct fth_rows_place *place)
{
    unsigned columns = rows->columns;
    uint32_t turn = (place->first - piece->first) / piece->period,
             phase = (place->first - piece->first) % piece->period;
    const int64_t *first = rows->integers + piece->at,
                  *steps = first + (size_t)piece->period * columns;
    int64_t *to = place->taken, *end = to + (size_t)place->count * columns;
    while (to < end) {
        size_t at = (size_t)phase * columns, behind = (size_t)piece->period * columns;
        behind = behind - at < (size_t)(end - to) ? behind : at + (size_t)(end - to);
        for (; at < behind; at++)
            *to++ = plus(first[at], times(steps[at], turn));
        phase = 0;
        turn++;
    }
}

static void set_place(struct fth_rows_place *place, uint32_t first, uint32_t behind)
{
    place->first = first;
    place->count = behind - first < FTH_ROWS_TOGETHER ? behind - first : FTH_ROWS_TOGETHER;
}

static void swap_with_before(struct fth_rows_place *place)
{
    struct fth_rows_place now = *place;
    place->first = now.before_first;
    place->count = now.before_count;
    place->taken = now.before;
    place->before_first = now.first;
    place->before_count = now.count;
    place->before = now.taken;
}

/* As many at once as there are in a piece that is no run. */
void fth_rows_take(const struct fth_rows *rows, struct fth_rows_place *place, uint32_t i)
{
    uint32_t aligned = i - i % FTH_ROWS_TOGETHER;
    swap_with_before(place);
    if (i - place->first < place->count)
        return;
    if (!place->taken)
        place->taken =
            fth_resize(NULL, (size_t)FTH_ROWS_TOGETHER * rows->columns, sizeof *place->taken);
    if (i >= rows->tail_first) {
        set_place(place, aligned > rows->tail_first ? aligned : rows->tail_first, rows->count);
        memcpy(place->taken, tail_row(rows, place->first - rows->tail_first),
               (size_t)place->count * rows->columns * sizeof *place->taken);
        return;
    }
    place->piece = piece_of(rows, place->piece, i);
    const struct fth_rows_piece *piece = &rows->pieces[place->piece];
    uint32_t behind = place->piece + 1 < rows->piece_count ? piece[1].first : rows->tail_first;
    if (piece->period) {
        set_place(place, aligned > piece->first ? aligned : piece->first, behind);
        take_some(rows, piece, place);
    } else {
        set_place(place, piece->first, behind);
        take_apart(rows, piece, place);
    }
}

void fth_rows_leave(struct fth_rows_place *place)
{
    free(place->taken);
    free(place->before);
    *place = (struct fth_rows_place){0};
}
