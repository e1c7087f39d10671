/* What the parts of the writer of scripts share. Inner header of the repeat room. */
#ifndef FTH_REPEAT_ENCODER_H
#define FTH_REPEAT_ENCODER_H

#include "base/error.h"
#include "base/keyed.h"
#include "fathom/access.h"
#include "repeat/script/fold_loops.h"
#include "repeat/script/recipes.h"
#include "repeat/script/script.h"

enum { FTH_MOST_SLOTS = 1 << 20 /* of a class: what is more is not replayed */ };
#define FTH_LARGEST_BUFFER ((int64_t)1 << 36) /* bytes */
extern const char fth_buffer_too_large[];

/* MARKED: there, and the caller has set a mark (encode_hdf5.c). */
enum { FTH_ALIVE_NEVER, FTH_ALIVE_THERE, FTH_ALIVE_MARKED, FTH_ALIVE_GONE };

/* Which handles of a process the replay has: by class and slot. */
struct fth_alive {
    uint8_t *slots[FTH_SCRIPT_CLASSES];
    uint32_t limits[FTH_SCRIPT_CLASSES];
};

struct fth_script_stream {
    struct fth_bytes *bytes; /* not written yet; NULL: nothing came */
    struct fth_fold *fold;
    struct fth_bytes times; /* not written yet */
    int64_t last_time;
    uint64_t steps; /* operations that it has */
    bool begun;
};

struct fth_encoder {
    struct fth_trace *trace;
    const struct fth_repeat_ways *ways;
    const struct fth_repeat_places *places;
    const struct fth_repeat_request *request;
    struct fth_repeat_summary *summary;
    struct fth_recipes *recipes;
    struct fth_intern blobs;
    uint32_t class_sizes[FTH_SCRIPT_CLASSES];
    struct fth_alive *alive;     /* by process: of those that have begun, when they began */
    struct fth_keyed pipe_slots; /* by number of the pipe (pipe_wires.c) */
    size_t wire_count;
    struct fth_pipe_wire {
        size_t child;
        int64_t from, to; /* descriptors: `to` of the child is a copy of `from`; -1: of nothing */
        uint32_t pipe;
    } * wires;
    size_t moved_count;
    struct fth_moved_end {
        size_t proc;
        int64_t to; /* a copy of an end of the pipe, in this process and in its children */
        uint32_t pipe;
        bool writes;
    } * moved;
    /* of the process that is being written */
    size_t proc;
    struct fth_alive now;
    struct fth_script_stream *streams; /* by thread */
    uint32_t stream_limit, thread_count;
    struct fth_accesses *accesses;
    struct fth_thread_order *order; /* of its threads; NULL: one alone */
    int64_t comes;                  /* when the call begins that is ordered, ns */
    /* asynchronous operations that have begun: of the slot of its block + 1, by {descriptor,
     * offset, bytes}; 0: it has ended */
    struct fth_keyed pending;
    int64_t least_block; /* no smaller one is free */
    bool meets;          /* the last call became a barrier */
    int64_t ordinals;    /* values that differ from each other, so far */
};

/* It was there, or would be, and is not any more. */
bool fth_alive_is_gone(const struct fth_alive *alive, unsigned handle_class, int64_t slot);
bool fth_alive_has(const struct fth_alive *alive, unsigned handle_class, int64_t slot);
/* False: there is no such slot. */
bool fth_alive_set(struct fth_encoder *encoder, unsigned handle_class, int64_t slot, bool is_there);
void fth_alive_copy(struct fth_alive *to, const struct fth_alive *from);
/* What another program still has. */
void fth_alive_keep_descriptors(const struct fth_encoder *encoder, struct fth_alive *alive);
void fth_alive_free(struct fth_alive *alive);

int64_t fth_encoder_blob(struct fth_encoder *encoder, const void *bytes, size_t length);
int64_t fth_encoder_text(struct fth_encoder *encoder, const char *text);
/* The player needs a buffer of so many bytes. NULL, or why it cannot have it. */
const char *fth_encoder_needs(struct fth_encoder *encoder, uint64_t bytes);
/* Appends an operation to the script of a thread, which begins at `start`, ns since the start of
 * the recorded run: `slot` for functions that return a handle. */
void fth_encoder_put(struct fth_encoder *encoder, uint32_t thread, int64_t start,
                     const struct fth_script_op *op, const int64_t *arguments,
                     const struct fth_recipe *recipe, int64_t slot);

/* The first thread begins another one, if it has not. */
void fth_encoder_begin_thread(struct fth_encoder *encoder, uint32_t thread, int64_t start);
/* Those of all threads are complete, or are given up. */
void fth_encoder_end_streams(struct fth_encoder *encoder);
void fth_encoder_close_streams(struct fth_encoder *encoder);

/* Encodes one kept call. Returns NULL, or why it is left out. */
const char *fth_encode_call(struct fth_encoder *encoder, const struct fth_access *access,
                            struct fth_recipe *recipe);
/* arguments.c: those of a call with the same ones. NULL, or why there are none. */
const char *fth_encode_arguments(struct fth_encoder *encoder, const struct fth_access *access,
                                 const struct fth_recipe *recipe, int64_t *arguments);
/* The handle in a field, as an argument. */
int64_t fth_encoder_handle(struct fth_encoder *encoder, const struct fth_value *value,
                           unsigned handle_class);
/* The absolute path in the replay of the call's first or second path: a blob. -1: it is left alone,
 * and *why says why. */
int64_t fth_encoder_path(struct fth_encoder *encoder, const char *path, const char **why);

#endif
