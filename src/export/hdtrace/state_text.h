/* A call as the state of a trace file: its parameters are attributes, lists of texts and completed
 * requests the body. */
#ifndef FTH_EXPORT_HDTRACE_STATE_TEXT_H
#define FTH_EXPORT_HDTRACE_STATE_TEXT_H

#include "base/keyed.h"
#include "base/sink.h"
#include "export/shared/exporter.h"

/* A handle by its class and value; the item is its number, plus 1. True: it was not known. */
bool fth_hdtrace_is_new(struct fth_keyed *known, const struct fth_handle *handle);
/* The id of a handle in its process: communicators and datatypes are numbered, so that the project
 * can list them all; other handles have their slots. -1: it has none. */
int64_t fth_hdtrace_id(const struct fth_handle *handle);
/* The one in a parameter; NULL: not known. */
const struct fth_handle *fth_hdtrace_used(const struct fth_call *call, int parameter);
bool fth_hdtrace_is_numbered(const struct fth_handle *handle);

/* `known`: handles that the file of the thread has described; `directory`: the last one of a
 * relative path in it, which may be replaced. */
void fth_hdtrace_put_state(struct fth_sink *to, const struct fth_export_part *part,
                           const struct fth_call *call, struct fth_keyed *known, char **directory);

#endif
