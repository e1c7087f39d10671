/* The words of a live area, read: strings and signatures that a stream defines, and its calls, as
 * the recorder wrote them. For the merge, and for the recorder itself, which adds up a live area
 * when calls are not kept any more (capture/record/sum_stream.c). */
#ifndef FTH_TRACE_MERGE_DEFINITIONS_H
#define FTH_TRACE_MERGE_DEFINITIONS_H

#include "trace/merge/walk.h"

/* What a stream has defined since it has started anew last. */
struct fth_definitions {
    uint32_t *strings; /* of the stream -> texts of the process; [0] is 0 */
    uint32_t string_count;
    struct fth_bytes kinds; /* each as long as the values of its signature need */
    size_t *kind_places;    /* by symbol: bytes before it */
    uint32_t kind_count;
};
/* That of a symbol that is defined, until the next definition. Values behind the last one of its
 * signature are another's, or nothing. */
static inline struct fth_call_kind *fth_defined_kind(const struct fth_definitions *defined,
                                                     uint32_t symbol)
{
    return (struct fth_call_kind *)(void *)(defined->kinds.data + defined->kind_places[symbol]);
}

/* Nothing is defined any more. */
void fth_definitions_start(struct fth_definitions *defined);
void fth_definitions_free(struct fth_definitions *defined);

/* The definition at `words`; *made is the signature, if it is one, whose source names a string of
 * the stream. False: damaged. */
bool fth_define(struct fth_definitions *defined, struct fth_walk *walk, const uint32_t *words,
                const uint32_t *end, struct fth_signature **made);

/* A call in the live area. */
struct fth_live_call {
    const uint32_t *words, *end;
    uint32_t symbol, literal_count;
    uint64_t gap, duration;
    int64_t literals[FTH_MOST_VALUES + 1];
};
/* Is its symbol defined, with as many literals? */
bool fth_call_kind_has(const struct fth_definitions *defined, const struct fth_live_call *call);

/* Goes through the words up to `end`, or to where they are cut. False: damaged, or one of the two
 * has said so. */
bool fth_live_read(const uint32_t *words, const uint32_t *end,
                   bool (*define)(void *context, const uint32_t *words, const uint32_t *end),
                   bool (*call)(void *context, const struct fth_live_call *call), void *context);

#endif
