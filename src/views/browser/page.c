/* The page of a run: what page/ has become, with the data of the run in between. What the page says
 * in words and tables is the report as --json has it, so both say the same; what it draws is the
 * overview. Each part of the data is text in base64 of bytes that gzip has deflated: nothing in it
 * can be taken for markup. */
#include "views/browser/page.h"

#include "views/browser/pack.h"

#include <string.h>

extern const char fth_page_begin[], fth_page_begin_end[], fth_page_end[], fth_page_end_end[];

static void put_part(struct fth_output *output, const char *name, const struct fth_sink *part)
{
    struct fth_sink deflated;
    fth_sink_open_memory(&deflated);
    fth_views_deflate(&deflated, part->bytes, part->used);
    fth_views_print(output, "<script type=\"text/plain\" id=\"data-%s\">", name);
    fth_views_base64(&output->sink, deflated.bytes, deflated.used);
    fth_sink_text(&output->sink, "</script>\n");
    output->sink.failed |= deflated.failed || part->failed;
    fth_sink_close_memory(&deflated);
}

static void put_report(struct fth_output *output, const struct fth_trace *trace,
                       const struct fth_results *results, const struct fth_report_view *view)
{
    struct fth_sink report;
    fth_sink_open_memory(&report);
    fth_views_pack_report(&report, trace, results, view);
    put_part(output, "report", &report);
    fth_sink_close_memory(&report);
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

static void put_overview(struct fth_output *output, const struct fth_overview *overview)
{
    struct fth_sink names, numbers;
    fth_sink_open_memory(&names);
    fth_sink_open_memory(&numbers);
    fth_views_pack_names(&names, overview);
    fth_views_pack_numbers(&numbers, overview);
    put_part(output, "names", &names);
    put_part(output, "numbers", &numbers);
    fth_sink_close_memory(&names);
    fth_sink_close_memory(&numbers);
}

static void put_maps(struct fth_output *output, const struct fth_file_maps *maps)
{
    struct fth_sink names, cells;
    fth_sink_open_memory(&names);
    fth_sink_open_memory(&cells);
    fth_views_pack_maps(&names, maps);
    fth_views_pack_cells(&cells, maps);
    put_part(output, "maps", &names);
    put_part(output, "cells", &cells);
    fth_sink_close_memory(&names);
    fth_sink_close_memory(&cells);
}

static void put_run(struct fth_writer *writer, const struct fth_trace *trace,
                    const struct fth_results *results, const struct fth_report_view *view)
{
    struct fth_output *output = writer->output;
    fth_sink_bytes(&output->sink, fth_page_begin, (size_t)(fth_page_begin_end - fth_page_begin));
    put_report(output, trace, results, view);
    if (view->overview)
        put_overview(output, view->overview);
    if (results->file_maps)
        put_maps(output, results->file_maps);
    fth_sink_bytes(&output->sink, fth_page_end, (size_t)(fth_page_end_end - fth_page_end));
}

const struct fth_format fth_format_browser = {.for_people = true, .run = put_run};
