/* What is known of the metadata of a file. Inner header of the pass of metadata. */
#ifndef FTH_ANALYSIS_METADATA_H
#define FTH_ANALYSIS_METADATA_H

#include "analysis/passes/finding_texts.h"
#include "base/indexed.h"
#include "base/keyed.h"

/* Calls of one function, by the layer that made them. */
enum { FTH_BY_PROGRAM = UINT16_MAX, FTH_BY_LIBRARY = UINT16_MAX - 1 };
struct fth_census_key {
    uint32_t function;
    uint16_t by, unused;
};
struct fth_census {
    uint64_t calls, errors;
    int64_t time;
};

/* What calls on names and attributes do: those that find no file, or are refused, too. */
enum fth_metadata_operation {
    FTH_METADATA_ASKS,
    FTH_METADATA_LISTS,
    FTH_METADATA_OPENS, /* in vain */
    FTH_METADATA_RENAMES,
    FTH_METADATA_MAKES,
    FTH_METADATA_DELETES,
    FTH_METADATA_CHANGES,
    FTH_METADATA_OPERATIONS
};

/* Calls that open files, or that close them. Their time is without the bytes that are written. */
struct fth_opening_sum {
    uint64_t calls;
    int64_t time, longest; /* ns: of all; of one */
    int64_t inside;        /* ns of calls inside of that one */
    uint64_t written;      /* bytes that the system writes inside: what a library has kept */
    struct fth_example example;
};
/* Calls that open and close files as a whole. */
struct fth_openings {
    struct fth_opening_sum opening, closing;
    uint64_t collective;
    int64_t below; /* ns of calls inside of them that neither move bytes nor pass messages */
};
static inline uint64_t fth_openings_calls(const struct fth_openings *openings)
{
    return openings->opening.calls + openings->closing.calls;
}

/* The first opening of a file by a process. */
struct fth_first_opening {
    int64_t time;  /* ns; of a collective one, without waits for others */
    bool may_make; /* it would have made the file */
    struct fth_example example;
};

/* A file over all processes. */
struct fth_metadata {
    uint64_t processes, openers, movers; /* all; that open it; that open it and move bytes */
    uint64_t reopeners, reopenings;      /* that open it again and again; so often, all of these */
    uint64_t opens, metadata, objects, transfers, bytes;
    uint64_t behind; /* the last byte that the system accessed for it, plus 1; 0: not known */
    uint64_t bytes_read, deletions, renamings;
    int64_t metadata_time, transfer_time, severity;
    int64_t all_time; /* of all calls on it: syncs, locks and the like, too */
    /* of metadata: of calls that open and close it, and what is in it; that delete it */
    int64_t opening_time, deleting_time;
    struct fth_openings openings;
    int64_t own_time; /* of metadata, without messages */
    uint64_t askers;  /* processes whose calls asked or missed */
    uint64_t asked; /* calls that list it, or ask for or change its name and attributes, by name */
    int64_t asked_time;
    uint64_t only_asked; /* of these, those that leave the file and its names as they are */
    int64_t only_asked_time;
    struct fth_example asking;
    uint64_t operations[FTH_METADATA_OPERATIONS]; /* what those that asked or missed were to do */
    uint64_t missed; /* calls that looked for its name and did not find it, or were refused */
    int64_t missed_time;
    /* of the time of metadata that is not messages: beyond one opening and one closing by each
     * process */
    int64_t spared;
    struct fth_example example, heaviest, missing;
    struct fth_example reopening; /* of those that open it again and again */
    size_t opener_count; /* of those whose first opening is kept */
    struct fth_first_opening *first_openings;
};

struct fth_metadata_run {
    const struct fth_survey *survey;
    struct fth_keyed census; /* of struct fth_census */
    /* of struct fth_metadata, by files of the run and the layer of the calls that were asked */
    struct fth_indexed files;
    struct fth_speed best[2]; /* of reads, of writes */
    uint64_t most_files;      /* that one process opens */
};

void fth_openings_add(struct fth_openings *sum, const struct fth_openings *more);
/* Opening and closing that takes long, whatever it is that is opened: of each layer. */
void fth_metadata_find_openings(const struct fth_metadata_run *run, struct fth_results *results);
/* Files that are many (many_files.c). */
void fth_metadata_find_many(const struct fth_metadata_run *run, struct fth_results *results);
/* About each file, and about all of them together. */
void fth_metadata_find(struct fth_metadata_run *run, struct fth_results *results);

#endif
