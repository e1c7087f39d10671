/* Calls that are only watched (`fathom record --select`): they are counted, and in the layer that
 * is compared their times and bytes are added up, in a block of this thread (watched_file.h).
 * Nothing of a single call is kept. Inner header of the capture room. */
#ifndef FTH_CAPTURE_RECORD_WATCHED_CALLS_H
#define FTH_CAPTURE_RECORD_WATCHED_CALLS_H

#include "capture/record/runtime.h"
#include "trace/record/watched_file.h"

/* What a thread counts in; `places` has the number of an entry + 1, by function. */
struct fth_watching {
    struct fth_watched_head *head; /* mapped; the entries follow */
    uint64_t at;                   /* of the block in its file */
    uint32_t used;
    uint32_t places_count; /* functions */
    uint16_t places[];     /* [function * FTH_WATCHED_FLAGS + flags] */
};
enum { FTH_WATCHED_FLAGS = FTH_INSIDE_ALL + 1 /* the last one: counted only */ };

/* By function: FTH_WATCHED_..., 0: it is always recorded. Set before anything is watched. */
extern const uint8_t *fth_watched_as;
/* An entry for this function and these flags; NULL: there is no room for one. */
struct fth_watched_calls *fth_watched_make(struct fth_recorder *recorder, uint32_t function,
                                           uint32_t flags);
/* The one that there is, or a new one. */
static inline struct fth_watched_calls *fth_watched_entry(struct fth_recorder *recorder,
                                                          uint32_t function, uint32_t flags)
{
    struct fth_watching *watching = recorder->watching;
    uint32_t place = FTH_LIKELY(watching && function < watching->places_count)
                         ? watching->places[function * FTH_WATCHED_FLAGS + flags]
                         : 0;
    return FTH_LIKELY(place) ? (struct fth_watched_calls *)(watching->head + 1) + (place - 1)
                             : fth_watched_make(recorder, function, flags);
}
/* Maps the process's file again, where the spill folder is now. */
bool fth_watched_remap(const struct fth_recorder *recorder);
/* The same of any block. */
bool fth_watched_map_again(struct fth_watched_head *head, uint64_t at);
/* What the recorder counted in is unmapped. */
void fth_watched_close(struct fth_recorder *recorder);
/* In a forked child: it has a file of its own. */
void fth_watched_in_child(void);
/* A new block of the process's file; NULL: there is no room. */
struct fth_watched_head *fth_watched_map(enum fth_watched_kind kind, uint64_t *at);

#endif
