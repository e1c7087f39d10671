/* What is missing between two accesses, and the smallest change that would repair it, as sentences.
 * Inner header of the verify room. */
#ifndef FTH_VERIFY_ADVISE_ADVICE_H
#define FTH_VERIFY_ADVISE_ADVICE_H

#include "base/sink.h"
#include "catalog/catalog.h"
#include "consistency/language.h"

/* One of the two accesses, as the program knows it: by the outermost call that made it. */
struct fth_advice_side {
    const char *who;               /* "rank 3" */
    const char *function;          /* "H5Dwrite" */
    const struct fth_layer *layer; /* of that call; NULL: nothing is known of it */
    const char *source;            /* where it is made, or NULL */
    bool above_mpiio;              /* it is a call of MPI-IO, or has one inside */
    bool is_rank;
    bool inherited;     /* through a descriptor that was there when the process began */
    bool in_collective; /* that call reads or writes together with other ranks */
    bool closes;        /* it closes a file, or what is in one */
    bool moves_bytes;   /* that call reads or writes */
    /* the call that opened its handle, as "0.0.12", where the process has several handles of MPI of
     * the file; "": it has one */
    char handle[64];
    /* it only begins the access; the call that found it complete, NULL: none did */
    bool begins;
    const struct fth_function *completed_by;
    /* a shell, make, a launcher: nobody can let it make a call */
    bool runs_others;
    bool maps; /* it maps the file: the accesses come later, and are no calls */
    /* its call that does its step of the construct, by the library that it uses ("H5Fclose"); NULL:
     * there is none, or there are others to do */
    const char *done;
    const struct fth_function *call; /* that call, as the trace has it; or NULL */
    const struct fth_trace *trace;   /* for functions of libraries that are not built in; or NULL */
};

struct fth_advice {
    const struct fth_consistency *model;
    const struct fth_construct *construct; /* NULL: none applies */
    size_t step;                           /* the first that is missing; step_count: their order */
    /* each of the two does its steps (done), and only nothing orders those */
    bool lacks_order_only;
    /* of those: the two are parts of one collective call, so nothing fits between them */
    bool in_one_call;
    bool ordered;   /* x happened before y */
    bool perhaps;   /* something may order them that cannot be followed */
    bool other_run; /* y is of another run than x */
    /* y waited until the name of the file was there, which x had made before it wrote */
    bool waits_for_name;
    /* both accesses are an MPI library's or a launcher's, to a file of its own: of the layers of
     * the two nothing is known then */
    bool of_library;
    bool by_mapping; /* both through one mapping, or one inherited from it: no call shows it */
    const char *file;
    struct fth_advice_side x, y;
};

void fth_advice_missing(struct fth_sink *sink, const struct fth_advice *advice);
void fth_advice_repair(struct fth_sink *sink, const struct fth_advice *advice);

#endif
