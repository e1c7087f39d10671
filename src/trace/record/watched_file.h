/* What a process counts of calls that are only watched (`fathom record --select`): the file
 * IMAGE.0.watched, of blocks that are mapped one by one. A block has the sums of one thread at a
 * time, or phases of the process. What is in it counts when it is written, whenever the process is
 * killed.
 *
 * Processes of a node choose by a page that they share, FTH_WATCH_PAGE. Plain structures of this
 * machine, as in spill.h. */
#ifndef FTH_TRACE_RECORD_WATCHED_FILE_H
#define FTH_TRACE_RECORD_WATCHED_FILE_H

#include <stdint.h>

#define FTH_WATCHED_MAGIC 0x3153484354415746ull
enum { FTH_WATCHED_BLOCK = 32 << 10 };

enum fth_watched_kind { FTH_WATCHED_CALLS = 1, FTH_WATCHED_PHASES = 2 };
struct fth_watched_head {
    uint64_t magic, image;
    uint32_t kind, reserved;
    uint64_t others; /* of calls: those for whose function there was no room, counted only */
};

/* Calls of one function with these flags (FTH_INSIDE_...). `is_timed`: all is known of them;
 * otherwise only how many there were. Times are ticks. */
struct fth_watched_calls {
    uint32_t function;
    uint16_t flags, is_timed;
    uint64_t calls, errors, bytes_read, bytes_written, time, shortest, longest;
};

/* A phase of the process; `end` is 0 while it lasts. */
struct fth_watched_phase {
    uint64_t number;     /* the same on all processes; UINT64_MAX: the row is not written yet */
    uint64_t begin, end; /* ticks */
    uint64_t time;       /* ticks in the outermost calls of the layer that is compared */
    uint64_t recorded;   /* of it, in calls that were recorded */
    uint64_t calls;      /* that `time` is of */
    uint64_t chosen;     /* enum fth_watched_how */
};
enum fth_watched_how {
    FTH_WATCHED_ONLY = 1,     /* it was watched */
    FTH_WATCHED_CHOSEN = 2,   /* it was among the slowest of the phase before */
    FTH_WATCHED_FIRST = 3,    /* there was no phase before */
    FTH_WATCHED_OVERTOOK = 4, /* it was watched until it became slow in the middle */
    FTH_WATCHED_NO_PLACE = 5, /* more processes than the page has room for: recorded in full */
};

enum {
    FTH_WATCHED_CALLS_ROOM =
        (FTH_WATCHED_BLOCK - sizeof(struct fth_watched_head)) / sizeof(struct fth_watched_calls),
    FTH_WATCHED_PHASES_ROOM =
        (FTH_WATCHED_BLOCK - sizeof(struct fth_watched_head)) / sizeof(struct fth_watched_phase),
};

/* ---- the page of a node ---- */

#define FTH_WATCH_PAGE "watch.page"
enum { FTH_WATCH_PLACES = 1024, FTH_WATCH_KEPT = 4 /* phases, by number modulo this */ };

/* A process. Only it writes here; others read. */
struct fth_watch_place {
    uint64_t image;                          /* 0: free */
    uint64_t phase;                          /* that it is in */
    uint64_t time[FTH_WATCH_KEPT], recorded; /* of phases; `recorded`: of the one that it is in */
    uint64_t calls;                          /* of the same */
};
/* Who is recorded in a phase: who comes first chooses for all. */
struct fth_watch_choice {
    uint64_t claimed, phase; /* that somebody chooses for; that the choice is for */
    uint64_t least;          /* ticks: what the last one of the chosen took */
    uint64_t chosen[FTH_WATCH_PLACES / 64];
};
struct fth_watch_page {
    uint64_t used; /* places that were ever taken */
    uint64_t reserved[7];
    struct fth_watch_choice choices[FTH_WATCH_KEPT];
    struct fth_watch_place places[FTH_WATCH_PLACES];
};

#endif
