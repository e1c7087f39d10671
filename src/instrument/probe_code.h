/* Inner header of the instrument room: what a probe is in the sources. */
#ifndef FTH_INSTRUMENT_PROBE_CODE_H
#define FTH_INSTRUMENT_PROBE_CODE_H

#include "base/sink.h"
#include "instrument/anchors.h"
#include "instrument/probe_rows.h"

enum fth_probe_code_kind {
    FTH_CODE_SCOPE, /* enters, and leaves at the end of the block */
    FTH_CODE_BEGIN,
    FTH_CODE_END,
    FTH_CODE_EVENT,   /* both at once */
    FTH_CODE_TEMPLATE /* a file of the user's */
};

struct fth_probe_code {
    enum fth_probe_code_kind kind;
    char *text; /* of a template */
};

/* The code that an entry names: Lib/Fathom/scope, begin, end or event, or the file of this path in
 * the folder `library`. -1: *error. fth_probe_code_free either way. */
int fth_probe_code_find(struct fth_probe_code *code, const char *library,
                        const struct fth_probe_list *probes, const struct fth_probe_entry *entry,
                        struct fth_error **error);
void fth_probe_code_free(struct fth_probe_code *code);

/* What templates have placeholders for, besides the entry and its place. */
struct fth_probe_setting {
    const char *file;     /* as the entry or the layer names it */
    uint32_t line;        /* of the place */
    uint32_t first, last; /* lines that are instrumented */
    const char *log;      /* where a template may write its own log */
    size_t number;        /* of this piece of code in the file */
};

/* Whether the code can stand at this place: -1 and *error if not. */
int fth_probe_code_check(const struct fth_probe_code *code, const struct fth_probe_list *probes,
                         const struct fth_probe_entry *entry, const struct fth_anchor_place *place,
                         const struct fth_probe_setting *setting, struct fth_error **error);
/* The code, with blanks around it. */
void fth_probe_code_put(const struct fth_probe_code *code, const struct fth_probe_row *row,
                        const struct fth_probe_entry *entry, const struct fth_anchor_place *place,
                        const struct fth_probe_setting *setting, struct fth_sink *sink);
/* The declaration of the site of a row, for the head of the file. */
void fth_probe_code_site(const struct fth_probe_row *row, struct fth_sink *sink);

#endif
