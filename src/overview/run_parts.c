/* Parts of a run: made of its bins, where those wanted are not narrower than they are; or read from
 * the trace, which is sought in, so that it takes as long as the part has calls. */
#include "base/memory.h"
#include "base/saturating.h"
#include "overview/gathering.h"

#include <string.h>

/* Without lanes and calls. */
static struct fth_overview *part_of(const struct fth_overview *whole,
                                    const struct fth_overview_window *window)
{
    struct fth_overview *part = fth_new(1, sizeof *part);
    *part = *whole;
    part->gathering = fth_new(1, sizeof *part->gathering);
    *part->gathering = (struct fth_overview_gathering){
        .axis = {window->begin, window->width, window->bin_count, true},
        .is_part = true,
        .expression = whole->gathering->expression,
        .first_rows = whole->gathering->first_rows};
    part->begin = window->begin;
    part->end = window->begin + (int64_t)window->bin_count * window->width;
    part->bin_width = window->width;
    part->bin_count = window->bin_count;
    part->lanes = NULL;
    part->calls = NULL;
    part->files = NULL;
    part->nodes = NULL;
    part->histograms = NULL;
    part->latencies = NULL;
    part->node_count = part->histogram_count = 0;
    part->lane_count = part->call_count = part->file_count = 0;
    part->all_calls = true;
    part->window_count = 0;
    return part;
}

static bool wants_row(const struct fth_overview_window *window, size_t row)
{
    return !window->rows || window->rows[row];
}

static void add_bin(struct fth_overview_lane *lane, uint32_t number,
                    const struct fth_overview_bin *bin)
{
    struct fth_overview_place *last = lane->count ? &lane->places[lane->count - 1] : NULL;
    if (!last || last->number != number) {
        FTH_GROW(lane->places, lane->count);
        lane->places[lane->count++] = (struct fth_overview_place){number, *bin};
        return;
    }
    FTH_ADD_SATURATING(last->bin.busy, bin->busy);
    last->bin.calls += bin->calls;
    last->bin.longest = bin->longest > last->bin.longest ? bin->longest : last->bin.longest;
    last->bin.read += bin->read;
    last->bin.written += bin->written;
}

/* The first place of the lane that is not before this bin. */
static size_t place_of(const struct fth_overview_lane *lane, int64_t bin)
{
    size_t low = 0, high = lane->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((int64_t)lane->places[middle].number < bin)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool fth_overview_covers(const struct fth_overview *whole, const struct fth_overview_window *window)
{
    return window->width % whole->bin_width == 0 &&
           (window->begin - whole->begin) % whole->bin_width == 0;
}

struct fth_overview *fth_overview_cut(const struct fth_overview *whole,
                                      const struct fth_overview_window *window)
{
    struct fth_overview *part = part_of(whole, window);
    int64_t each = window->width / whole->bin_width,
            first = (window->begin - whole->begin) / whole->bin_width,
            behind = first + each * window->bin_count;
    for (size_t i = 0; i < whole->lane_count; i++) {
        const struct fth_overview_lane *from = &whole->lanes[i];
        struct fth_overview_lane lane = {from->row, from->layer, 0, NULL};
        for (size_t at = wants_row(window, from->row) ? place_of(from, first) : from->count;
             at < from->count && from->places[at].number < behind; at++)
            add_bin(&lane, (uint32_t)((from->places[at].number - first) / each),
                    &from->places[at].bin);
        if (!lane.count)
            continue;
        FTH_GROW(part->lanes, part->lane_count);
        part->lanes[part->lane_count++] = lane;
    }
    return part;
}

struct fth_overview *fth_overview_coarse(const struct fth_overview *whole, uint32_t most_bins)
{
    uint32_t count = fth_overview_bins_for(whole->row_count, most_bins);
    struct fth_overview_window window = {whole->begin, whole->bin_width, whole->bin_count, NULL};
    for (; window.bin_count > count; window.bin_count /= 2)
        window.width *= 2;
    struct fth_overview *coarse = fth_overview_cut(whole, &window);
    coarse->end = whole->end;
    coarse->all_calls = whole->all_calls;
    coarse->window_count = whole->window_count;
    coarse->node_count = whole->node_count;
    coarse->nodes = whole->nodes;
    coarse->histogram_count = whole->histogram_count;
    coarse->histograms = whole->histograms;
    coarse->latencies = whole->latencies;
    coarse->file_count = whole->file_count;
    coarse->files = fth_new(whole->file_count + 1, sizeof *coarse->files);
    memcpy(coarse->files, whole->files, whole->file_count * sizeof *coarse->files);
    coarse->call_count = whole->call_count;
    coarse->calls = fth_new(whole->call_count + 1, sizeof *coarse->calls);
    if (whole->call_count)
        memcpy(coarse->calls, whole->calls, whole->call_count * sizeof *coarse->calls);
    return coarse;
}

/* Takes the calls of a process that run in the window. 1; 0: it is enough; -1: *error. */
static int read_process(struct fth_overview *part, size_t proc,
                        const struct fth_overview_limit *limit, uint64_t *left,
                        struct fth_error **error)
{
    enum { OFTEN = 1 << 12 };
    struct fth_calls *calls = fth_calls_from(part->trace, proc, part->begin, error);
    if (!calls)
        return -1;
    void *visit = fth_overview_begin_process(part, proc);
    struct fth_call call;
    int result = 1;
    while ((result = fth_calls_next(calls, &call, error)) > 0 && call.start < part->end) {
        if (!(*left)-- || (*left % OFTEN == 0 && limit->is_over(limit->context)))
            break;
        fth_overview_take(visit, &call, error);
    }
    bool whole = result == 0 || (result > 0 && call.start >= part->end);
    fth_overview_end_process(part, visit);
    fth_calls_close(calls);
    return result < 0 ? -1 : whole;
}

static bool wants_process(const struct fth_overview_window *window, const size_t *first_rows,
                          size_t proc)
{
    for (size_t row = first_rows[proc]; row < first_rows[proc + 1]; row++)
        if (wants_row(window, row))
            return true;
    return false;
}

struct fth_overview *fth_overview_read(const struct fth_overview *whole,
                                       const struct fth_overview_window *window,
                                       const struct fth_overview_limit *limit,
                                       struct fth_error **error)
{
    struct fth_overview *part = part_of(whole, window);
    const size_t *first_rows = part->gathering->first_rows;
    size_t count = fth_trace_process_count(part->trace);
    uint64_t left = limit->calls;
    int result = 1;
    part->gathering->longest.room = limit->kept;
    for (size_t proc = 0; proc < count && result > 0; proc++)
        if (wants_process(window, first_rows, proc))
            result = read_process(part, proc, limit, &left, error);
    if (result > 0) {
        fth_overview_finish_part(part);
        return part;
    }
    fth_overview_free(part);
    return NULL;
}
