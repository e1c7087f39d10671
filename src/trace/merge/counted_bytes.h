/* Bytes that the system counted against bytes that were recorded: what a process read or wrote by
 * ways that nobody saw. */
#ifndef FTH_TRACE_MERGE_COUNTED_BYTES_H
#define FTH_TRACE_MERGE_COUNTED_BYTES_H

#include "trace/file/blind_spots.h"
#include "trace/file/part.h"
#include "trace/spill/spill_files.h"

/* Adds what the calls of these sums moved, as far as the system counts it for the process: reads
 * and writes by functions of the C library, but those that the system does not count (`uncounted`
 * in the catalogue). False: some of these functions do not report how much they moved. */
bool fth_counted_add_sums(struct fth_spill_counted *to, const struct fth_part_process *process);

/* What is known of one process image when its spill files have been gathered. */
struct fth_counted_image {
    const struct fth_spill_process *process;
    struct fth_spill_counted seen; /* recorded, or seen and left out by filters on files */
    bool complete;                 /* nothing else was seen and not counted here */
};

/* Adds a blind spot for each process that moved more than was seen, by more than the dynamic linker
 * and the like explain. The images are put in order. Returns how many processes they are of: exec
 * makes another image of the same one. */
size_t fth_counted_compare(struct fth_counted_image *images, size_t count,
                           struct fth_blind_spots *spots);

#endif
