#include "workflow/tell/graph_dot.h"

#include "base/memory.h"
#include "base/phrase.h"

#include <stdio.h>
#include <string.h>

/* ---- DOT ---- */

/* A string of DOT: quotes and backslashes are escaped, control characters are blanks. */
static void put_quoted(struct fth_sink *sink, const char *text)
{
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fth_sink_char(sink, '\\');
        fth_sink_char(sink, (unsigned char)*text < ' ' ? ' ' : *text);
    }
}

static void put_box(struct fth_sink *sink, const struct fth_workflow_box *box, uint32_t number)
{
    char *label = fth_workflow_box_label(box);
    fth_sink_text(sink, "  b");
    fth_sink_unsigned(sink, number);
    fth_sink_text(sink, " [label=\"");
    put_quoted(sink, label);
    fth_sink_text(sink, "\\n");
    fth_sink_text(sink, fth_phrase_duration(box->end - box->start).text);
    fth_sink_text(sink, box->failed ? "\", color=red];\n" : "\"];\n");
    free(label);
}

/* "b.txt", "12 files", and how many bytes. */
static char *link_label(const struct fth_workflow_facts *facts,
                        const struct fth_workflow_link *link)
{
    const char *path = fth_workflow_shown_file(facts, link->file), *slash = strrchr(path, '/');
    char *name = link->files > 1
                     ? fth_text_copy(fth_phrase_several(link->files, "file", "files").text)
                     : fth_text_copy(slash ? slash + 1 : path);
    char *label = link->bytes ? fth_text_format("%s, %s", name, fth_phrase_bytes(link->bytes).text)
                              : fth_text_copy(name);
    free(name);
    return label;
}

void fth_workflow_write_dot(const struct fth_workflow_facts *facts, struct fth_sink *sink)
{
    const struct fth_workflow_boxes *boxes = &facts->boxes;
    fth_sink_text(sink, "digraph workflow {\n  rankdir=LR;\n  node [shape=box];\n");
    for (uint32_t i = 0; i < boxes->box_count; i++)
        put_box(sink, &boxes->boxes[i], i);
    for (uint32_t i = 0; i < boxes->link_count; i++) {
        const struct fth_workflow_link *link = &boxes->links[i];
        fth_sink_text(sink, "  b");
        fth_sink_unsigned(sink, link->from);
        fth_sink_text(sink, " -> b");
        fth_sink_unsigned(sink, link->to);
        if (link->kind != FTH_EDGE_DATA) {
            fth_sink_text(sink,
                          link->kind == FTH_EDGE_ORDER ? " [style=dotted];\n" : " [style=bold];\n");
            continue;
        }
        char *label = link_label(facts, link);
        fth_sink_text(sink, " [label=\"");
        put_quoted(sink, label);
        fth_sink_text(sink, "\"];\n");
        free(label);
    }
    fth_sink_text(sink, "}\n");
}

/* ---- GraphML ---- */

/* Text of XML: what may not stand in it becomes an entity, or a blank. */
static void put_xml(struct fth_sink *sink, const char *text)
{
    size_t left = strlen(text);
    while (left) {
        size_t length = fth_utf8_length(text, left);
        if (*text == '<' || *text == '>' || *text == '&' || *text == '"')
            fth_sink_text(sink, *text == '<'   ? "&lt;"
                                : *text == '>' ? "&gt;"
                                : *text == '&' ? "&amp;"
                                               : "&quot;");
        else if (!length || (unsigned char)*text < ' ')
            fth_sink_char(sink, ' ');
        else
            fth_sink_bytes(sink, text, length);
        text += length ? length : 1;
        left -= length ? length : 1;
    }
}

static void put_data(struct fth_sink *sink, const char *key, const char *text)
{
    fth_sink_text(sink, "<data key=\"");
    fth_sink_text(sink, key);
    fth_sink_text(sink, "\">");
    put_xml(sink, text);
    fth_sink_text(sink, "</data>");
}

static void put_seconds(struct fth_sink *sink, const char *key, int64_t time)
{
    fth_sink_text(sink, "<data key=\"");
    fth_sink_text(sink, key);
    fth_sink_text(sink, "\">");
    fth_sink_decimal(sink, time, 9);
    fth_sink_text(sink, "</data>");
}

static void put_number(struct fth_sink *sink, const char *key, uint64_t number)
{
    fth_sink_text(sink, "<data key=\"");
    fth_sink_text(sink, key);
    fth_sink_text(sink, "\">");
    fth_sink_unsigned(sink, number);
    fth_sink_text(sink, "</data>");
}

static void put_keys(struct fth_sink *sink)
{
    static const char *const keys[][3] = {
        {"node", "program", "string"},  {"node", "steps", "long"},  {"node", "start", "double"},
        {"node", "duration", "double"}, {"edge", "kind", "string"}, {"edge", "files", "long"},
        {"edge", "bytes", "long"},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char line[128];
        snprintf(line, sizeof line,
                 "  <key id=\"%s\" for=\"%s\" attr.name=\"%s\" attr.type=\"%s\"/>\n", keys[i][1],
                 keys[i][0], keys[i][1], keys[i][2]);
        fth_sink_text(sink, line);
    }
}

void fth_workflow_write_graphml(const struct fth_workflow_facts *facts, struct fth_sink *sink)
{
    const struct fth_workflow_boxes *boxes = &facts->boxes;
    fth_sink_text(sink, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                        "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n");
    put_keys(sink);
    fth_sink_text(sink, "  <graph id=\"workflow\" edgedefault=\"directed\">\n");
    for (uint32_t i = 0; i < boxes->box_count; i++) {
        const struct fth_workflow_box *box = &boxes->boxes[i];
        fth_sink_text(sink, "    <node id=\"b");
        fth_sink_unsigned(sink, i);
        fth_sink_text(sink, "\">");
        put_data(sink, "program", box->program);
        put_number(sink, "steps", box->step_count);
        put_seconds(sink, "start", box->start - facts->schedule.start);
        put_seconds(sink, "duration", box->end - box->start);
        fth_sink_text(sink, "</node>\n");
    }
    for (uint32_t i = 0; i < boxes->link_count; i++) {
        const struct fth_workflow_link *link = &boxes->links[i];
        fth_sink_text(sink, "    <edge source=\"b");
        fth_sink_unsigned(sink, link->from);
        fth_sink_text(sink, "\" target=\"b");
        fth_sink_unsigned(sink, link->to);
        fth_sink_text(sink, "\">");
        put_data(sink, "kind", fth_workflow_edge_word(link->kind));
        put_number(sink, "files", link->files);
        put_number(sink, "bytes", link->bytes);
        fth_sink_text(sink, "</edge>\n");
    }
    fth_sink_text(sink, "  </graph>\n</graphml>\n");
}
