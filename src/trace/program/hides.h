/* What a blind spot of a trace may hide: the sentences about what was not seen (META) begin with
 * what they are about. */
#ifndef FTH_TRACE_PROGRAM_HIDES_H
#define FTH_TRACE_PROGRAM_HIDES_H

#include <stdbool.h>
#include <stddef.h>

enum fth_hides {
    /* marks, samples, what a GPU does: no call that moves bytes of a file, none that orders
     * processes */
    FTH_HIDES_NO_ACCESS,
    FTH_HIDES_A_LIBRARY, /* calls of a library; what it does to files below itself was recorded */
    /* what libraries do to files below themselves; their calls were recorded */
    FTH_HIDES_BELOW_A_LIBRARY,
    FTH_HIDES_ACCESSES, /* accesses to files, or all of a program */
};

/* The beginnings of sentences on traces that do not say, either, how their processes wait for each
 * other. */
#define FTH_ARCHIVE_OF_OTF2 "an archive of OTF2: "
#define FTH_PROJECT_OF_HDTRACE "a project of HDTrace: "
#define FTH_LOG_OF_DARSHAN "a log of Darshan DXT: "
#define FTH_TRACE_OF_RECORDER "a trace of Recorder: "

/* The beginning of a sentence on what a process may know of the end of another one: the numbers of
 * both follow. */
#define FTH_LOOKED_AT "what /proc tells of process %lld to process %lld"

/* Is one of the sentences on such a trace? */
bool fth_blind_spots_hide_order(const char *const *sentences, size_t count);

/* What a trace lacks on which one of them is, and which has places in files that were only assumed:
 * "opens, closes and syncs, ..."; else NULL. */
const char *fth_blind_spots_lack(const char *const *sentences, size_t count);

/* Of a sentence whose beginning is not known: FTH_HIDES_ACCESSES. */
enum fth_hides fth_blind_spot_hides(const char *sentence);

#endif
