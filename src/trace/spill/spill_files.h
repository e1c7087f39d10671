/* The spill files of a run, opened and checked: what the processes left behind, in records. */
#ifndef FTH_TRACE_SPILL_SPILL_FILES_H
#define FTH_TRACE_SPILL_SPILL_FILES_H

#include "base/error.h"
#include "trace/record/spill.h"
#include "trace/record/summed_file.h"

#include <stdbool.h>
#include <stddef.h>

struct fth_spill_map { /* a mapped file */
    const uint8_t *bytes;
    size_t length;
};

struct fth_spill_image {
    uint64_t image;
    char *path; /* of the process file */
    struct fth_spill_map map;
    const struct fth_spill_process *process;
    unsigned *streams; /* numbers of its stream files, ascending */
    size_t stream_count;
};

struct fth_spill_folder {
    char *path;
    char *memory;                   /* where small files are, too; or NULL */
    struct fth_spill_image *images; /* in order of start */
    size_t image_count;
    char **problems; /* files that had to be left out, a sentence each */
    size_t problem_count;
    uint64_t *empty; /* images that had no room for their file: one problem for all */
    size_t empty_count;
    size_t emptied_count; /* of these, those that have streams: they had one */
    int64_t emptied_pid;  /* of one of them */
    size_t damaged_count; /* files that were only begun: another one */
    int64_t damaged_pid;  /* of one of them */
    size_t foreign_count; /* of another build: nothing in them can be relied on */
    int64_t foreign_pid;  /* of one of them */
};

/* Lists and maps the process files of a folder. Damaged ones are problems, not errors. */
int fth_spill_folder_open(struct fth_spill_folder *folder, const char *path,
                          struct fth_error **error);
/* The same for the files of one image: what a process does with its own. */
int fth_spill_folder_open_one(struct fth_spill_folder *folder, const char *path, uint64_t image,
                              struct fth_error **error);
void fth_spill_folder_close(struct fth_spill_folder *folder);
/* What the page has counted for processes that could make no file. False: it is not there. */
bool fth_spill_read_unkept(const struct fth_spill_folder *folder, struct fth_spill_unkept *unkept);

/* Was it a process of this node? The pid of another's says nothing here. */
bool fth_spill_is_of_this_node(const struct fth_spill_process *process);

struct fth_spill_reader {
    struct fth_spill_map map, sealed;
    const struct fth_spill_stream *page;
    struct fth_spill_commit commit;    /* the newest valid one */
    const struct fth_spill_live *live; /* NULL when it does not count */
    const uint32_t *live_end;
    uint64_t at; /* next sealed record */
};

/* Has its file no bytes? */
bool fth_spill_stream_is_empty(const struct fth_spill_folder *folder, uint64_t image,
                               unsigned number);
/* A stream whose thread never came to record a call has no records and no live area. */
int fth_spill_stream_open(struct fth_spill_reader *reader, const struct fth_spill_folder *folder,
                          uint64_t image, unsigned number, struct fth_error **error);
void fth_spill_stream_close(struct fth_spill_reader *reader);
/* The next sealed record; NULL at the end of what was committed, or where it is damaged. */
const struct fth_spill_record *fth_spill_next(struct fth_spill_reader *reader);

/* The sums of a stream, as they are at its commit with this sequence: `take` is called for each of
 * its entries that counts. */
int fth_spill_take_sums(const struct fth_spill_folder *folder, uint64_t image, unsigned number,
                        uint64_t sequence,
                        void (*take)(void *context, const struct fth_summed_entry *entry,
                                     const uint64_t *counts),
                        void *context, struct fth_error **error);

/* The blocks of what was only watched (trace/record/watched_file.h), to be unmapped. False: nothing
 * was. */
bool fth_spill_map_watched(const struct fth_spill_folder *folder, uint64_t image,
                           struct fth_spill_map *map);
void fth_spill_unmap(struct fth_spill_map *map);

/* Neither gone nor a zombie. */
bool fth_process_is_alive(int64_t pid);

#endif
