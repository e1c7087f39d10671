/* The interface between pages and formats. Pages (src/views/pages) hand their contents to a
 * writer, and the format of the writer decides how they look. A page may ask whether it is for
 * people or for programs, but never which format it is. So another format is a file with its
 * table of functions, and a line in `fth_formats`. Pages for programs have facts (keys and
 * values) and whole tables. Pages for people have lines, tables with a layout, and findings.
 * Most pages have all of these, and a format leaves out what it does not support. */
#ifndef FTH_VIEWS_WRITER_H
#define FTH_VIEWS_WRITER_H

#include "base/json.h"
#include "views/calls/dump_calls.h"
#include "views/sentences/finding_sentences.h"
#include "views/sentences/incomplete.h"
#include "views/sentences/summary.h"
#include "views/tables/tables.h"

struct fth_writer;
struct fth_verdict;

/* Lines as they stand on a terminal. */
typedef void fth_views_lines(struct fth_output *output, const void *context);

/* A format: the functions of its file. NULL: it has no place for that, and it is left out. */
struct fth_format {
    const char *name;     /* of the option that chooses it: "csv"; NULL: it is what there is without
                             an option */
    const char *argument; /* which that option may have: the name of the one table; NULL: none */
    const char *help;     /* of that option */
    bool for_people;
    bool has_facts; /* else what facts say is shown as a table, where it can be one */

    void (*begin)(struct fth_writer *writer);
    /* -1: *error is set, what was asked for is not there. */
    int (*end)(struct fth_writer *writer, struct fth_error **error);
    /* Frees `writer->state`, behind `end` or where the page went wrong. */
    void (*free)(struct fth_writer *writer);

    /* What is missing in the trace; nothing where it is whole. */
    void (*missing)(struct fth_writer *writer, const struct fth_incomplete *incomplete);
    void (*table)(struct fth_writer *writer, const struct fth_table *table,
                  const struct fth_table_layout *layout);
    /* Before the first call, or the first operation, whether there is one or not; may be NULL. */
    void (*begin_calls)(struct fth_writer *writer);
    void (*begin_operations)(struct fth_writer *writer);
    void (*call)(struct fth_writer *writer, struct fth_dump *dump, const struct fth_call *call);
    void (*operation)(struct fth_writer *writer, struct fth_dump *dump,
                      const struct fth_operation *operation);
    void (*findings)(struct fth_writer *writer, const struct fth_trace *trace,
                     const struct fth_results *results, const struct fth_report_view *view);
    void (*verdict)(struct fth_writer *writer, const struct fth_verdict *verdict, const char *asked,
                    size_t top);
    /* A run as a whole: its report, and `view->overview` where there is one. */
    void (*run)(struct fth_writer *writer, const struct fth_trace *trace,
                const struct fth_results *results, const struct fth_report_view *view);

    /* For people only. */
    void (*head)(struct fth_writer *writer, const struct fth_trace *trace,
                 const struct fth_stats *stats, const struct fth_summary *summary);
    void (*lines)(struct fth_writer *writer, fth_views_lines *put, const void *context);
    void (*remark)(struct fth_writer *writer, enum fth_paint paint, const char *text);
    void (*paragraph)(struct fth_writer *writer, const char *text);
    void (*list)(struct fth_writer *writer, const char *title, const char *const *items,
                 size_t count);
    void (*gap)(struct fth_writer *writer);
};

/* All that an option chooses, and the text that there is without one. */
extern const struct fth_format *const fth_formats[];
extern const size_t fth_format_count;
extern const struct fth_format fth_format_terminal, fth_format_json, fth_format_csv,
    fth_format_markdown, fth_format_html;

/* What a page is called, and which part of it is wanted. */
struct fth_page {
    const char *title;   /* "fathom verify" */
    unsigned line_depth; /* facts nested up to here have a line each; 0: no page but calls, each of
                            which is a document */
    const char *chosen;  /* the only table that is wanted, of a format with one table; or NULL */
};

struct fth_writer {
    const struct fth_format *format;
    struct fth_page page;
    struct fth_output *output;
    /* Where facts go: what a page shows beside tables, for programs. They fall through the floor
     * in formats that have no place for them, so that no page asks. */
    struct fth_json facts;
    void *state; /* of the format, which makes it in `begin` */

    struct fth_sink floor;
    char dropped[FTH_SINK_LEAST];
};

void fth_views_begin(struct fth_writer *writer, const struct fth_format *format,
                     struct fth_output *output, const struct fth_page *page);
/* Frees what the writer holds. -1: *error is set. */
int fth_views_end(struct fth_writer *writer, struct fth_error **error);
/* Frees it: the page went wrong, and has no end. */
void fth_views_give_up(struct fth_writer *writer);

static inline bool fth_views_for_people(const struct fth_writer *writer)
{
    return writer->format->for_people;
}

static inline bool fth_views_has_facts(const struct fth_writer *writer)
{
    return writer->format->has_facts;
}

/* As the functions of the format, which may be NULL. */
void fth_views_write_missing(struct fth_writer *writer, const struct fth_incomplete *incomplete);
void fth_views_write_table(struct fth_writer *writer, const struct fth_table *table,
                           const struct fth_table_layout *layout);
void fth_views_begin_calls(struct fth_writer *writer);
void fth_views_begin_operations(struct fth_writer *writer);
void fth_views_write_findings(struct fth_writer *writer, const struct fth_trace *trace,
                              const struct fth_results *results,
                              const struct fth_report_view *view);
/* False: the format has no form for it, and nothing is written. */
bool fth_views_write_verdict(struct fth_writer *writer, const struct fth_verdict *verdict,
                             const char *asked, size_t top);
/* False: the format has no form for it, and nothing is written. */
bool fth_views_write_run(struct fth_writer *writer, const struct fth_trace *trace,
                         const struct fth_results *results, const struct fth_report_view *view);
void fth_views_write_head(struct fth_writer *writer, const struct fth_trace *trace,
                          const struct fth_stats *stats, const struct fth_summary *summary);
/* Lines that only make sense as they are: facts below one another, pictures. */
void fth_views_write_lines(struct fth_writer *writer, fth_views_lines *put, const void *context);
/* A sentence that belongs to the table above. */
void fth_views_write_remark(struct fth_writer *writer, enum fth_paint paint, const char *format,
                            ...) __attribute__((format(printf, 3, 4)));
/* Sentences that stand for themselves. */
void fth_views_write_paragraph(struct fth_writer *writer, const char *text);
/* Nothing where there are no items. */
void fth_views_write_list(struct fth_writer *writer, const char *title, const char *const *items,
                          size_t count);
/* Space between two things, where a format does not have it by itself. */
void fth_views_write_gap(struct fth_writer *writer);

#endif
