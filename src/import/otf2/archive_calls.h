/* The events of a location of an OTF2 archive as calls: a region that is entered and left is one,
 * and the records between say what it did. */
#ifndef FTH_IMPORT_OTF2_ARCHIVE_CALLS_H
#define FTH_IMPORT_OTF2_ARCHIVE_CALLS_H

#ifdef FATHOM_OTF2
#include "import/otf2/archive_definitions.h"

/* What a region is known to have done. */
struct fth_archive_frame {
    const struct fth_archive_region *region; /* NULL: not defined */
    int64_t entered;
    bool holds; /* calls inside it are in the stream */
    /* of files: numbers of handles; UINT32_MAX: none */
    uint32_t used, made, closed, deleted;
    bool has_moved, has_sought, has_message, has_collective;
    uint64_t asked, moved;
    uint32_t open_mode, open_creation, open_status;
    int64_t distance, position;
    uint32_t whence;
    uint32_t comm, tag, root;
    int64_t to, from; /* ranks; -1: none */
    uint64_t sent, received;
};

/* A process: its handles have slots. */
struct fth_archive_process {
    struct fth_imported_process facts;
    struct fth_intern slots; /* class and number of a handle or communicator */
    uint32_t *slot;          /* by these */
    uint32_t *class_slots;   /* by class: how many were given */
};

struct fth_archive_reading {
    struct fth_imported_run *run;
    struct fth_imported *imported;
    struct fth_archive archive;
    /* the location at hand */
    struct fth_archive_process *process;
    struct fth_imported_stream *stream; /* NULL: it has had no event yet */
    struct fth_archive_frame *frames;
    uint32_t depth, frame_limit;
    struct fth_intern bound; /* slots that its stream knows: class and slot */
    int64_t time;
    uint64_t without_record; /* calls of which the archive does not say what they did to files */
    uint64_t asynchronous, other_records;
};

void fth_archive_enter(struct fth_archive_reading *reading, int64_t time, uint32_t region);
void fth_archive_leave(struct fth_archive_reading *reading, int64_t time);
/* The innermost region; NULL: none. */
struct fth_archive_frame *fth_archive_frame(struct fth_archive_reading *reading);

#endif
#endif
