/* The page of a run: what page/ has become, with the data of the run in between. What the page says
 * in words and tables is the report as --json has it, so both say the same; what it draws is the
 * overview. Each part of the data is text in base64 of bytes that gzip has deflated: nothing in it
 * can be taken for markup. */
#include "views/browser/browser_page.h"

#include "views/browser/pack.h"

#include <string.h>

extern const char fth_page_begin[], fth_page_begin_end[], fth_page_end[], fth_page_end_end[];

/* An element for one part of a run; those of the first run have no number. */
static void put_part(struct fth_sink *to, const char *name, size_t run, const struct fth_sink *part)
{
    struct fth_sink deflated;
    fth_sink_open_memory(&deflated);
    fth_views_deflate(&deflated, part->bytes, part->used);
    fth_sink_text(to, "<script type=\"text/plain\" id=\"data-");
    fth_sink_text(to, name);
    if (run) {
        fth_sink_char(to, '-');
        fth_sink_unsigned(to, run);
    }
    fth_sink_text(to, "\">");
    fth_views_base64(to, deflated.bytes, deflated.used);
    fth_sink_text(to, "</script>\n");
    to->failed |= deflated.failed || part->failed;
    fth_sink_close_memory(&deflated);
}

void fth_views_put_empty_page(struct fth_sink *to)
{
    static const char policy[] = "default-src 'none'";
    size_t count = (size_t)(fth_page_begin_end - fth_page_begin);
    const char *at = memmem(fth_page_begin, count, policy, sizeof policy - 1);
    size_t before = at ? (size_t)(at - fth_page_begin) + sizeof policy - 1 : count;
    fth_sink_bytes(to, fth_page_begin, before);
    fth_sink_text(to, "; connect-src 'self'");
    fth_sink_bytes(to, fth_page_begin + before, count - before);
    fth_sink_bytes(to, fth_page_end, (size_t)(fth_page_end_end - fth_page_end));
}

static void put_report(struct fth_sink *to, const struct fth_trace *trace,
                       const struct fth_results *results, const struct fth_report_view *view,
                       size_t run)
{
    struct fth_sink report;
    fth_sink_open_memory(&report);
    fth_views_pack_report(&report, trace, results, view);
    put_part(to, "report", run, &report);
    fth_sink_close_memory(&report);
}

static void put_overview(struct fth_sink *to, const struct fth_overview *overview,
                         const struct fth_offset_classes *offsets, size_t run)
{
    struct fth_sink names, numbers;
    fth_sink_open_memory(&names);
    fth_sink_open_memory(&numbers);
    fth_views_pack_names(&names, overview);
    fth_views_pack_numbers(&numbers, overview, offsets);
    put_part(to, "names", run, &names);
    put_part(to, "numbers", run, &numbers);
    fth_sink_close_memory(&names);
    fth_sink_close_memory(&numbers);
}

/* ---- as much of the overview as there is room for ---- */

/* With so many calls of each function and windows halved so often. */
static size_t size_of(const struct fth_overview *overview, uint32_t each, unsigned halvings,
                      const struct fth_offset_classes *offsets)
{
    struct fth_overview chosen;
    struct fth_sink packed;
    fth_sink_open_memory(&packed);
    fth_overview_choose(overview, each, halvings, &chosen);
    put_overview(&packed, &chosen, offsets, 0);
    fth_overview_chosen_free(&chosen);
    size_t size = packed.used;
    fth_sink_close_memory(&packed);
    return size;
}

/* The most calls of each function that fit; windows have been given their half. */
static uint32_t find_each(const struct fth_overview *overview, unsigned halvings, size_t room,
                          const struct fth_offset_classes *offsets)
{
    enum { TRIES = 6 };
    uint32_t low = 0, high = 1;
    for (size_t i = 0; i < overview->call_count; i++)
        if (overview->calls[i].rank != UINT32_MAX && overview->calls[i].rank >= high)
            high = overview->calls[i].rank + 1;
    if (size_of(overview, high, halvings, offsets) <= room)
        return high;
    /* what takes too much is halved until it fits; then the last half is halved a few times */
    while (high > 1 && size_of(overview, high / 2, halvings, offsets) > room)
        high /= 2;
    low = high / 2;
    for (int i = 0; i < TRIES && high - low > 1; i++) {
        uint32_t middle = low + (high - low) / 2;
        if (size_of(overview, middle, halvings, offsets) <= room)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Bins are made wider until they take half of the room, windows shorter until both take three
 * quarters of it, and the longest calls get the rest. */
static void fit_overview(struct fth_sink *to, const struct fth_overview *overview,
                         const struct fth_offset_classes *offsets, size_t room, size_t run)
{
    enum { MOST_HALVINGS = 40 };
    struct fth_overview chosen, *coarse = NULL;
    unsigned halvings = 0;
    uint32_t bins = overview->bin_count, each = UINT32_MAX;
    if (size_of(overview, each, 0, offsets) > room) {
        while (bins > FTH_OVERVIEW_LEAST_BINS &&
               size_of(coarse ? coarse : overview, 0, MOST_HALVINGS, offsets) > room / 2) {
            fth_overview_free(coarse);
            coarse = fth_overview_coarse(overview, bins /= 2);
        }
        overview = coarse ? coarse : overview;
        while (halvings < MOST_HALVINGS && size_of(overview, 0, halvings, offsets) > room / 4 * 3)
            halvings++;
        each = find_each(overview, halvings, room, offsets);
    }
    fth_overview_choose(overview, each, halvings, &chosen);
    put_overview(to, &chosen, offsets, run);
    fth_overview_chosen_free(&chosen);
    fth_overview_free(coarse);
}

static uint64_t calls_of(const struct fth_overview *overview)
{
    uint64_t calls = 0;
    for (size_t i = 0; i < overview->lane_count; i++)
        for (size_t k = 0; k < overview->lanes[i].count; k++)
            calls += overview->lanes[i].places[k].bin.calls;
    return calls;
}

/* Of a run for which nobody says how large its page may be: 3 MiB up to a million calls, 20 MiB
 * from ten million on, and in between in proportion. */
static size_t usual_size(const struct fth_report_view *view)
{
    enum { MIB = 1 << 20, LEAST = 3 * MIB, MOST = 20 * MIB };
    const uint64_t few = 1000000, many = 10000000, calls = calls_of(view->overview);
    if (calls <= few)
        return LEAST;
    return calls >= many ? (size_t)MOST
                         : LEAST + (size_t)((MOST - LEAST) * (calls - few) / (many - few));
}

/* So many take a few bytes each in the file. */
enum { MOST_MESSAGES = 50000, MOST_LINKS = 20000 /* of a kind */, MOST_HANDLES = 20000 };

static void put_links(struct fth_sink *to, const struct fth_report_view *view, size_t run)
{
    struct fth_sink links;
    fth_sink_open_memory(&links);
    fth_views_pack_links(&links, &view->messages->links, view->overview, MOST_LINKS);
    put_part(to, "links", run, &links);
    fth_sink_close_memory(&links);
}

static void put_messages(struct fth_sink *to, const struct fth_report_view *view, size_t run)
{
    struct fth_sink messages;
    fth_sink_open_memory(&messages);
    fth_views_pack_messages(&messages, view->messages, view->overview, MOST_MESSAGES);
    put_part(to, "messages", run, &messages);
    fth_sink_close_memory(&messages);
}

static void put_handles(struct fth_sink *to, const struct fth_report_view *view,
                        const struct fth_file_maps *maps, size_t run)
{
    struct fth_sink handles;
    fth_sink_open_memory(&handles);
    fth_views_pack_handles(&handles, view->handles, maps, view->overview->begin, MOST_HANDLES);
    put_part(to, "handles", run, &handles);
    fth_sink_close_memory(&handles);
}

static void put_maps(struct fth_sink *to, const struct fth_file_maps *maps, size_t run)
{
    struct fth_sink names, cells;
    fth_sink_open_memory(&names);
    fth_sink_open_memory(&cells);
    fth_views_pack_maps(&names, maps);
    fth_views_pack_cells(&cells, maps);
    put_part(to, "maps", run, &names);
    put_part(to, "cells", run, &cells);
    fth_sink_close_memory(&names);
    fth_sink_close_memory(&cells);
}

/* Without data. */
static size_t page_size(void)
{
    return (size_t)(fth_page_begin_end - fth_page_begin) +
           (size_t)(fth_page_end_end - fth_page_end);
}

void fth_views_put_run(struct fth_sink *to, size_t number, const struct fth_trace *trace,
                       const struct fth_results *results, const struct fth_report_view *view)
{
    size_t before = to->used;
    put_report(to, trace, results, view, number);
    if (results->file_maps)
        put_maps(to, results->file_maps, number);
    if (view->overview && view->messages && view->messages->count)
        put_messages(to, view, number);
    if (view->overview && view->messages && view->messages->links.known)
        put_links(to, view, number);
    if (view->overview && view->handles && results->file_maps)
        put_handles(to, view, results->file_maps, number);
    if (view->samples && view->samples->used)
        put_part(to, "samples", number, view->samples);
    if (view->verdict)
        put_part(to, "verify", number, view->verdict);
    if (view->workflow)
        put_part(to, "workflow", number, view->workflow);
    if (!view->overview)
        return;
    size_t whole = view->size ? view->size : usual_size(view);
    size_t used = to->used - before + (number ? 0 : page_size());
    size_t room = used < whole ? whole - used : 0;
    fit_overview(to, view->overview, &results->offsets, room > whole / 4 ? room : whole / 4,
                 number);
}

void fth_views_put_page(struct fth_sink *to, const struct fth_sink *runs)
{
    fth_sink_bytes(to, fth_page_begin, (size_t)(fth_page_begin_end - fth_page_begin));
    fth_sink_bytes(to, runs->bytes, runs->used);
    fth_sink_bytes(to, fth_page_end, (size_t)(fth_page_end_end - fth_page_end));
    to->failed |= runs->failed;
}

static void put_run(struct fth_writer *writer, const struct fth_trace *trace,
                    const struct fth_results *results, const struct fth_report_view *view)
{
    struct fth_sink run;
    fth_sink_open_memory(&run);
    fth_views_put_run(&run, 0, trace, results, view);
    fth_views_put_page(&writer->output->sink, &run);
    fth_sink_close_memory(&run);
}

const struct fth_format fth_format_browser = {.for_people = true, .run = put_run};
