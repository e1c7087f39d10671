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

void fth_views_put_run(struct fth_sink *to, size_t number, const struct fth_trace *trace,
                       const struct fth_results *results, const struct fth_report_view *view)
{
    put_report(to, trace, results, view, number);
    if (view->overview)
        put_overview(to, view->overview, &results->offsets, number);
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
}

static void begin_page(struct fth_sink *to)
{
    fth_sink_bytes(to, fth_page_begin, (size_t)(fth_page_begin_end - fth_page_begin));
}

static void end_page(struct fth_sink *to)
{
    fth_sink_bytes(to, fth_page_end, (size_t)(fth_page_end_end - fth_page_end));
}

void fth_views_put_page(struct fth_sink *to, const struct fth_sink *runs)
{
    begin_page(to);
    fth_sink_bytes(to, runs->bytes, runs->used);
    end_page(to);
    to->failed |= runs->failed;
}

static void put_run(struct fth_writer *writer, const struct fth_trace *trace,
                    const struct fth_results *results, const struct fth_report_view *view)
{
    struct fth_sink *to = &writer->output->sink;
    begin_page(to);
    fth_views_put_run(to, 0, trace, results, view);
    end_page(to);
}

const struct fth_format fth_format_browser = {.for_people = true, .run = put_run};
