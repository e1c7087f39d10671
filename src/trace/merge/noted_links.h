/* Symbolic links that recorders came by: names behind them were changed (FTH_LINK_KEY). */
#ifndef FTH_TRACE_MERGE_NOTED_LINKS_H
#define FTH_TRACE_MERGE_NOTED_LINKS_H

#include "trace/file/mount_section.h"
#include "trace/spill/spill_files.h"

struct fth_noted_links {
    struct fth_mounts *nodes; /* with links alone, each of them once */
    size_t count;
};

struct fth_noted_links fth_noted_links_of(const struct fth_spill_folder *folder);
void fth_noted_links_free(struct fth_noted_links *links);

#endif
