/* What the page of a run is made of, as bytes: see docs/page.md. Numbers go in columns, one behind
 * the other, as neighbours in a column are alike and deflate well. */
#ifndef FTH_VIEWS_PACK_H
#define FTH_VIEWS_PACK_H

#include "analysis/extents/file_map.h"
#include "analysis/extents/offset_classes.h"
#include "analysis/survey/handle_list.h"
#include "analysis/survey/message_list.h"
#include "base/intern.h"
#include "base/sink.h"
#include "overview/overview.h"
#include "views/pages/samples_page.h"

/* What `fathom report --json` prints, without the end of long tables by file. */
void fth_views_pack_report(struct fth_sink *to, const struct fth_trace *trace,
                           const struct fth_results *results, const struct fth_report_view *view);

/* Names, rows, layers, functions and files of the overview as JSON. */
void fth_views_pack_names(struct fth_sink *to, const struct fth_overview *overview);
/* Its bins and calls, in columns of varints. */
void fth_views_pack_bins(struct fth_sink *to, const struct fth_overview *overview);
/* These, its tree of calls, histograms and latencies. */
void fth_views_pack_numbers(struct fth_sink *to, const struct fth_overview *overview,
                            const struct fth_offset_classes *offsets);
/* The paths of its files alone, as JSON. */
void fth_views_pack_files(struct fth_sink *to, const struct fth_overview *overview);
/* Lists calls as `fathom dump --json` prints them, a line each; `put` gets a writer for them. */
typedef int fth_views_put_calls(struct fth_writer *writer, struct fth_dump *dump, void *context,
                                struct fth_error **error);
int fth_views_pack_calls(struct fth_sink *to, const struct fth_trace *trace,
                         fth_views_put_calls *put, void *context, struct fth_error **error);
/* Maps of files: what they are, as JSON, and their cells, in columns of varints. */
void fth_views_pack_maps(struct fth_sink *to, const struct fth_file_maps *maps);
void fth_views_pack_cells(struct fth_sink *to, const struct fth_file_maps *maps);

/* Messages: one by one, if they are no more than `most_listed`; pack_messages.c. */
void fth_views_pack_messages(struct fth_sink *to, const struct fth_message_list *list,
                             const struct fth_overview *overview, size_t most_listed);

/* Other calls that belong together, of each kind if they are no more than `most_listed`;
 * pack_links.c. */
void fth_views_pack_links(struct fth_sink *to, const struct fth_link_list *list,
                          const struct fth_overview *overview, size_t most_listed);

/* Handles of files with maps, if they are no more than `most_listed`; pack_handles.c. */
void fth_views_pack_handles(struct fth_sink *to, const struct fth_handle_list *list,
                            const struct fth_file_maps *maps, int64_t begin, size_t most_listed);

/* What `fathom samples --json` prints. 0, or -1 with *error set. */
int fth_views_pack_samples(struct fth_sink *to, const struct fth_trace *trace,
                           const struct fth_sample_sums *sums, const struct fth_samples_view *view,
                           struct fth_error **error);

/* A varint. */
void fth_views_pack(struct fth_sink *to, uint64_t value);
/* A JSON array of the texts, behind the number of its bytes. */
void fth_views_pack_texts(struct fth_sink *to, const struct fth_intern *texts);

/* As gzip does, for the browser to inflate. */
void fth_views_deflate(struct fth_sink *to, const char *bytes, size_t count);
void fth_views_base64(struct fth_sink *to, const char *bytes, size_t count);

#endif
