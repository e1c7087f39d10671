/* Mounts of a trace in memory. Inner header of the model room. */
#ifndef FTH_MODEL_READING_TRACE_MOUNTS_H
#define FTH_MODEL_READING_TRACE_MOUNTS_H

#include "base/intern.h"
#include "fathom/files.h"
#include "model/reading/trace_links.h"
#include "trace/file/mount_section.h"

/* Of one node. */
struct fth_model_mounts {
    struct fth_mounts read;
    size_t first_system;       /* its mounts are so many systems from this one on */
    struct fth_intern striped; /* paths of its files in stripes, by number of the file */
};

struct fth_model_files {
    struct fth_model_mounts *nodes;
    size_t node_count;
    struct fth_trace_link *links;
    size_t link_count;
    struct fth_file_system *systems;
    size_t system_count;
};

int fth_model_read_mounts(struct fth_model_files *files, const uint8_t *bytes, size_t length,
                          struct fth_error **error);
/* When all are read. */
void fth_model_make_systems(struct fth_model_files *files);
/* trace_links.c: of that. */
void fth_model_make_links(struct fth_model_files *files);
void fth_model_free_files(struct fth_model_files *files);

#endif
