/* The parameters of a call, its file, its result and its name, as annotations of its slice. */
#ifndef FTH_EXPORT_PERFETTO_ARGUMENTS_H
#define FTH_EXPORT_PERFETTO_ARGUMENTS_H

#include "base/intern.h"
#include "export/perfetto/perfetto_packets.h"

/* Names of annotations, the same in all sequences: those of parameters, and our own. */
struct fth_perfetto_names {
    struct fth_intern all;
    uint32_t **of_functions; /* for each function, those of its parameters */
    uint32_t call, file, object, bytes, result, error, source;
};
void fth_perfetto_names_begin(struct fth_perfetto_names *names, const struct fth_trace *trace);
void fth_perfetto_names_end(struct fth_perfetto_names *names, const struct fth_trace *trace);

/* Numbers that were announced in a sequence. Zero is none. */
struct fth_announced {
    uint8_t *bits;
    uint32_t limit;
};
/* Was it not announced before? It is from now on. */
bool fth_perfetto_announce(struct fth_announced *announced, uint32_t number);

struct fth_perfetto_arguments {
    const struct fth_perfetto_names *names;
    const struct fth_trace *trace;
    struct fth_bytes annotation, item;
};
void fth_perfetto_arguments_free(struct fth_perfetto_arguments *arguments);

/* Adds the annotations of a call to its event. */
void fth_perfetto_put_arguments(struct fth_perfetto_arguments *arguments,
                                struct fth_perfetto_sequence *sequence,
                                struct fth_announced *announced_names,
                                struct fth_announced *announced_files, const struct fth_call *call,
                                size_t function, struct fth_bytes *event);

#endif
