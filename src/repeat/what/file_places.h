/* The files of a repetition: where each file that the run used is to lie below one folder, and what
 * must be there before the first call. Files of the working folder of the run are below `run`, all
 * others below `root`, with the folders that they were in: out/rod.20 is run/out/rod.20,
 * /scratch/x is root/scratch/x. No path leads out of the folder: "." and ".." are taken away. */
#ifndef FTH_REPEAT_FILE_PLACES_H
#define FTH_REPEAT_FILE_PLACES_H

#include "repeat/what/stream_bytes.h"

enum fth_repeat_before { FTH_REPEAT_UNKNOWN, FTH_REPEAT_ABSENT, FTH_REPEAT_PRESENT };

enum { FTH_REPEAT_MOST_LINES = 1 << 20 };

struct fth_repeat_place {
    const char *path; /* of the run: absolute, without "." and ".." */
    /* Relative to the folder of the repetition; NULL: the file is left alone, `why` */
    const char *below;
    const char *why;
    enum fth_repeat_before before; /* was it there before the run? UNKNOWN: as if it was not */
    bool folder;
    /* length that it must have before, bytes: as noted when it was opened first, else up to the
     * last byte that was read before any was written */
    uint64_t length;
    bool is_written, is_read;
    bool is_used;       /* a call on it did not fail */
    bool is_executable; /* a call asked for that, and it was so */
    /* one process deleted it, and another one that would have found it gone: who is first may be
     * another one in a repetition */
    bool is_delete_raced;
    bool by_library; /* of another layer than MPI-IO, streams and the system's, which knows it */
    /* ns since the start of the run, + 1; 0: never. When a library that keeps its own format in it
     * made it first, and when one opened it first without that */
    int64_t made_by_library, opened_by_library;
    /* lengths of the lines that process `reader` read of it, before any was written; at most
     * FTH_REPEAT_MOST_LINES of them */
    uint64_t *lines;
    size_t line_count, reader;
    int64_t first; /* ns since the start of the run: its first call */
    /* at the end of the run, as far as the calls on it tell */
    struct fth_repeat_final {
        bool is_there, is_known, was_deleted;
        uint64_t length; /* bytes, if that is known */
        const char *why; /* it is not */
    } final;
};

struct fth_repeat_places;

/* Goes through all calls of the processes that are chosen (NULL: of all that are played,
 * repeat/what/played.h), and finds the places of those that `ways` keeps. NULL and *error: the
 * trace is damaged. */
struct fth_repeat_places *fth_repeat_places_find(struct fth_trace *trace,
                                                 const struct fth_repeat_ways *ways,
                                                 const bool *chosen, struct fth_error **error);
void fth_repeat_places_free(struct fth_repeat_places *places); /* NULL is allowed */

/* A library opens it, and no call that is kept has made it: what it finds there must be in its own
 * format. */
static inline bool fth_repeat_needs_contents(const struct fth_repeat_place *place)
{
    return place->opened_by_library &&
           (!place->made_by_library || place->opened_by_library < place->made_by_library);
}

/* The pipes and FIFOs of the run. */
struct fth_pipes;
const struct fth_pipes *fth_repeat_places_pipes(const struct fth_repeat_places *places);

/* What macros gave to the streams of a process. */
const struct fth_unseen_list *fth_repeat_places_unseen(const struct fth_repeat_places *places,
                                                       size_t proc);

/* The descriptor, 0 to 2, on which this stream of the process stands that no call has opened; -1:
 * it is not known, or a call opened it. */
int64_t fth_repeat_places_descriptor(const struct fth_repeat_places *places, size_t proc,
                                     int64_t stream);

/* In order of their paths. */
size_t fth_repeat_place_count(const struct fth_repeat_places *places);
const struct fth_repeat_place *fth_repeat_place_at(const struct fth_repeat_places *places,
                                                   size_t index);
/* The place of a path of the run (struct fth_call: file, other_file); NULL: no path of a file (a
 * pipe, a socket), or none that a kept call names. */
const struct fth_repeat_place *fth_repeat_place_of(const struct fth_repeat_places *places,
                                                   const char *path);

/* A folder that must be there before the first call. In an order in which they can be made. */
size_t fth_repeat_folder_count(const struct fth_repeat_places *places);
const char *fth_repeat_folder_at(const struct fth_repeat_places *places, size_t index);

#endif
