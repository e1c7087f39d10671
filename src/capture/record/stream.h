/* A stream: where one thread's calls go. Inner header of the capture room. */
#ifndef FTH_CAPTURE_RECORD_STREAM_H
#define FTH_CAPTURE_RECORD_STREAM_H

#include "capture/record/known_definitions.h"
#include "capture/record/runtime.h"

enum {
    FTH_SPARE_WORDS = 80, /* a call with its longest head and all values literal */
};

/* What a site's calls have in common is its function and its handle; it decides which of their
 * values defy prediction. Its first cache line is what most calls touch: they are like the one
 * before. */
struct fth_recorder_site {
    uint32_t tag; /* of function and slot */
    /* of the last call, + 1; 0: there was none, or signatures have started anew since */
    uint32_t symbol;
    uint32_t mask;                     /* values that go to literal columns */
    uint32_t steps;                    /* values that are kept as steps */
    uint64_t key[FTH_MOST_VALUES + 3]; /* of the last call */
    uint64_t calls;                    /* of the stream when the last new signature came */
    uint32_t score;                    /* new signatures lately */
    uint16_t changes[FTH_MOST_VALUES + 1];
} __attribute__((aligned(64)));

/* Signatures and strings that the stream has defined, and sites. */
struct fth_signatures {
    uint64_t calls;
    struct fth_known known, strings;
    /* Bits of symbols, where calls are added up: notes that a reader of later calls needs. */
    uint64_t notes[FTH_KNOWN_MOST / 64];
    struct fth_recorder_site sites[FTH_SITES];
};

/* Where the stream is in its file of the reference (reference.h); all zero: it has none. */
struct fth_reference {
    char *start, *at; /* what is mapped; where the next line goes */
    uint64_t place;   /* of `start` in the file */
    char *pending;    /* end of a line that does not count yet, or NULL */
};

struct fth_stream {
    uint32_t number, thread;
    int64_t tid;
    struct fth_spill_stream *page; /* mapped */
    struct fth_spill_live *live;   /* mapped, live_bytes of it */
    uint64_t live_bytes;
    size_t
        reached; /* bytes of it that blocks are behind; the rest is asked for when it is needed */
    uint64_t sequence, sealed_end;
    uint64_t block_base;          /* ticks */
    uint32_t signatures, strings; /* defined before the live area begins */
    uint32_t patience;            /* calls to be lost before the next attempt to seal */
    /* bytes of the budget that are set aside for the last block before calls are added up */
    uint64_t reserve;
    bool is_urgent; /* all has to start anew, whatever waits for it */
    bool is_summed; /* calls are added up when they are sealed (sum_stream.h), and not kept */
    struct fth_stream_sums *sums; /* their sums; NULL: not mapped yet */
    struct fth_reference reference;
};

/* ---- what is written in the live area (trace/record/spill.h) ---- */

static inline const uint32_t *fth_live_definition_end(const uint32_t *word)
{
    return word + word[1];
}

static inline const uint32_t *fth_live_call_end(const uint32_t *word)
{
    return word + 3 + (word[1] == FTH_LIVE_LONG ? 2 : 0) + (word[2] == FTH_LIVE_LONG ? 2 : 0) +
           2 * (word[0] >> 24);
}

static inline bool fth_live_is_definition(const uint32_t *word)
{
    return (*word & FTH_LIVE_DEFINITION) == FTH_LIVE_DEFINITION;
}

/* ---- the file of a stream ---- */

/* Opens the stream of a recorder that has room for one. */
bool fth_stream_open(struct fth_recorder *recorder);
/* Makes its live area larger, or leaves it as it is, where there is no room for more. */
/* More of the live area can be written to. False: all of it can be already, or there is no room. */
bool fth_stream_reach(struct fth_recorder *recorder);
void fth_stream_grow(struct fth_recorder *recorder, uint64_t live_bytes);
void fth_stream_unmap(struct fth_stream *stream);
/* Makes what has been sealed valid, all at once, and empties the live area; `keeps`: but for its
 * definitions and notes, which stand at its front then. */
void fth_stream_publish(struct fth_recorder *recorder, bool keeps);
/* The stream's file has been copied to where the spill folder is now: goes on in the copy. */
bool fth_stream_remap(struct fth_recorder *recorder);

/* ---- sealing (seal.c) ---- */

/* Packs the live area into sealed records. False: that cannot be done now, or recording has
 * stopped. */
bool fth_seal(struct fth_recorder *recorder);
/* Strings and signatures start anew; calls are added up from then on, if the budget of the
 * recording is short. Not in the middle of a call. False: that cannot be done now. */
bool fth_start_anew(struct fth_recorder *recorder);
/* What this thread has recorded so far is in a part now: it goes on so that nobody needs that to
 * read what follows. */
void fth_recorder_merged(void) FTH_PUBLIC;

/* The frame that the recorder of this thread worked for is gone: what it was at is dropped, what
 * the live area holds counts. False: the recorder is no more. */
bool fth_recorder_mend(struct fth_recorder *recorder);

/* Room for `words` in the live area, sealing it when needed; NULL: there is none now, or recording
 * has stopped. */
uint32_t *fth_live_room(struct fth_recorder *recorder, size_t words);
/* What was written up to `at` counts from now on. */
static inline void fth_live_used(struct fth_recorder *recorder, uint32_t *at)
{
    recorder->at = at;
    atomic_signal_fence(memory_order_release);
    *(volatile uint32_t *)&recorder->live->used = (uint32_t)(at - (uint32_t *)(recorder->live + 1));
    atomic_signal_fence(memory_order_seq_cst);
}

#endif
