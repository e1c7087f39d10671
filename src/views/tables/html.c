/* The style of all pages, and the tags; texts are escaped here and nowhere else. */
#include "views/tables/html.h"

#include "views/tables/tables.h"
#include "views/output/display_text.h"

#include <stdlib.h>
#include <string.h>

/* Colours are of good contrast on both grounds, and never the only sign of what is meant. */
static const char style[] =
    ":root{color-scheme:light dark;--ground:#fff;--text:#1a1c1e;--quiet:#5a6169;--line:#d5d9dd;"
    "--soft:#f3f5f7;--good:#0b6b3a;--bad:#b3261e;--mark:#0b57a4}\n"
    "@media(prefers-color-scheme:dark){:root{--ground:#14171a;--text:#e6e8ea;--quiet:#a3abb3;"
    "--line:#3a4148;--soft:#1e2327;--good:#6fd39b;--bad:#ff9a90;--mark:#8ec2ff}}\n"
    "body{background:var(--ground);color:var(--text);font:16px/1.5 system-ui,sans-serif;margin:0}\n"
    "main{max-width:72rem;margin:0 auto;padding:1.5rem}\n"
    "h1{font-size:1.6rem;line-height:1.25;margin:.2rem 0}\n"
    "h2{font-size:1.2rem;margin:2rem 0 .6rem;border-bottom:1px solid var(--line)}\n"
    "h3{font-size:1rem;margin:1.2rem 0 .4rem}\n"
    ".quiet{color:var(--quiet)}.good{color:var(--good)}.bad{color:var(--bad)}\n"
    ".scroll{overflow-x:auto}\n"
    "table{border-collapse:collapse;font-size:.92rem;margin:.6rem 0}\n"
    "caption{text-align:left;color:var(--quiet);padding:.2rem 0}\n"
    "th,td{text-align:left;vertical-align:top;padding:.25rem .7rem;border-bottom:1px solid "
    "var(--line)}\n"
    "th{border-bottom-width:2px}\n"
    ".number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\n"
    "bdi,code{font-family:ui-monospace,monospace;font-size:.92em;overflow-wrap:anywhere}\n"
    "details{border:1px solid var(--line);border-radius:.4rem;margin:.5rem "
    "0;background:var(--soft)}\n"
    "summary{cursor:pointer;padding:.5rem .8rem}\n"
    "details>div{padding:0 .8rem .6rem 1.9rem}\n"
    "a{color:var(--mark)}\n"
    ":focus-visible{outline:3px solid var(--mark);outline-offset:2px}\n"
    ".ladder{list-style:none;padding:0;margin:1rem 0;max-width:62rem;border-left:4px solid "
    "var(--line)}\n"
    ".ladder li{position:relative;margin:0 0 .5rem;padding:.5rem .9rem .5rem 1.6rem;"
    "background:var(--soft);border-radius:0 .4rem .4rem 0}\n"
    ".ladder li::before{content:'';position:absolute;left:-4px;top:0;bottom:0;width:8px;"
    "background:var(--bad)}\n"
    ".ladder li.is-safe::before{background:var(--good)}\n"
    ".ladder li.is-enough{outline:2px solid var(--good)}\n"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem .9rem;margin:.3rem 0}\n"
    "dt{color:var(--quiet)}dd{margin:0;overflow-wrap:anywhere}\n";

void fth_views_html_begin(struct fth_output *output, const char *title)
{
    fth_sink_text(
        &output->sink,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" "
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
    fth_views_html_text(output, title);
    fth_views_print(output, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n", style);
}

void fth_views_html_end(struct fth_output *output)
{
    fth_sink_text(&output->sink, "</main>\n</body>\n</html>\n");
}

static void put_escaped(struct fth_sink *sink, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '&':
            fth_sink_text(sink, "&amp;");
            break;
        case '<':
            fth_sink_text(sink, "&lt;");
            break;
        case '>':
            fth_sink_text(sink, "&gt;");
            break;
        case '"':
            fth_sink_text(sink, "&quot;");
            break;
        case '\'':
            fth_sink_text(sink, "&#39;");
            break;
        default:
            fth_sink_char(sink, *text);
        }
}

void fth_views_html_text(struct fth_output *output, const char *text)
{
    struct fth_sink visible;
    if (!text)
        return;
    fth_sink_open_memory(&visible);
    fth_views_put_text(&visible, text, 0, FTH_CUT_END, true);
    fth_sink_char(&visible, 0);
    put_escaped(&output->sink, visible.bytes);
    fth_sink_close_memory(&visible);
}

void fth_views_html_put(struct fth_output *output, const char *tag, const char *text)
{
    int name = (int)strcspn(tag, " ");
    fth_views_print(output, "<%s>", tag);
    fth_views_html_text(output, text);
    fth_views_print(output, "</%.*s>\n", name, tag);
}

void fth_views_html_name(struct fth_output *output, const char *name)
{
    fth_sink_text(&output->sink, "<bdi>");
    fth_views_html_text(output, name);
    fth_sink_text(&output->sink, "</bdi>");
}

/* ---- tables ---- */

static bool is_number(const struct fth_column *column)
{
    return column->unit != FTH_UNIT_TEXT && column->unit != FTH_UNIT_PATH;
}

static void put_cell(struct fth_output *output, const struct fth_column *column,
                     const struct fth_cell *cell)
{
    if (cell->type != FTH_CELL_TEXT)
        fth_sink_text(&output->sink, fth_views_cell(cell, column->unit).text);
    else if (column->unit == FTH_UNIT_PATH)
        fth_views_html_name(output, cell->text);
    else
        fth_views_html_text(output, cell->text);
}

static void put_row(struct fth_output *output, const struct fth_table *table, size_t row,
                    const bool *columns, const struct fth_html_links *links)
{
    const struct fth_shape *shape = fth_table_shape(table);
    const struct fth_cell *cells = fth_table_row(table, row);
    fth_sink_text(&output->sink, "<tr>");
    for (size_t i = 0; i < shape->column_count; i++) {
        if (!columns[i])
            continue;
        fth_sink_text(&output->sink, is_number(&shape->columns[i]) ? "<td class=number>" : "<td>");
        const char *address = links && links->column == i ? links->of(links->context, cells) : NULL;
        if (address)
            fth_views_print(output, "<a href=\"%s\">", address);
        put_cell(output, &shape->columns[i], &cells[i]);
        fth_sink_text(&output->sink, address ? "</a></td>" : "</td>");
    }
    fth_sink_text(&output->sink, "</tr>\n");
}

void fth_views_html_table(struct fth_output *output, const struct fth_table *table, size_t top)
{
    fth_views_html_linked_table(output, table, top, NULL);
}

void fth_views_html_linked_table(struct fth_output *output, const struct fth_table *table,
                                 size_t top, const struct fth_html_links *links)
{
    const struct fth_shape *shape = fth_table_shape(table);
    size_t rows = fth_table_rows(table), shown = top && top < rows ? top : rows;
    bool *columns = fth_table_shown_columns(table);
    fth_sink_text(&output->sink, "<div class=scroll tabindex=0>\n<table>\n");
    fth_views_html_put(output, "caption", shape->title);
    fth_sink_text(&output->sink, "<thead><tr>");
    for (size_t i = 0; i < shape->column_count; i++)
        if (columns[i]) {
            fth_views_print(output, "<th scope=col%s>",
                            is_number(&shape->columns[i]) ? " class=number" : "");
            fth_views_html_text(output, shape->columns[i].title);
            fth_sink_text(&output->sink, "</th>");
        }
    fth_sink_text(&output->sink, "</tr></thead>\n<tbody>\n");
    for (size_t row = 0; row < shown; row++)
        put_row(output, table, row, columns, links);
    fth_sink_text(&output->sink, "</tbody>\n</table>\n</div>\n");
    free(columns);
    if (shown < rows)
        fth_views_print(output, "<p class=quiet>%s more</p>\n",
                        fth_phrase_several(rows - shown, "row", "rows").text);
}
