/* Whether what was written to a file was synced to disk before the file was renamed. Inner header
 * of the analysis room. */
#ifndef FTH_ANALYSIS_PASSES_FILE_SAFETY_H
#define FTH_ANALYSIS_PASSES_FILE_SAFETY_H

#include "analysis/passes/finding_texts.h"

/* Ends of syncs, ns; -1: there is none. */
struct fth_syncs {
    int64_t first, last;
};
void fth_syncs_see(struct fth_syncs *syncs, int64_t end);

/* What one process has written to a file since it last renamed it, and when it synced it. Writes
 * that sync themselves (O_SYNC) do not count as the last one. */
struct fth_file_safety {
    bool writes, streamed; /* streamed: through a stream of stdio */
    bool synced;           /* and synced, maybe too early */
    bool moved;   /* it has been renamed, and not been opened since: syncs are of that one */
    int64_t last; /* ns: start of the last of them; -1: none */
    struct fth_syncs syncs;
};
extern const struct fth_file_safety fth_file_safety_none;

void fth_file_safety_write(struct fth_file_safety *safety, const struct fth_frame *frame);
/* Has the process made safe what it wrote? */
static inline bool fth_file_safety_holds(const struct fth_file_safety *safety)
{
    return safety->writes && safety->syncs.last >= safety->last;
}

/* The last time that a process gave a file another name. */
struct fth_renaming {
    uint32_t to;           /* + 1; 0: there is none */
    int64_t at;            /* ns */
    bool replaces, unseen; /* a file that was there; it has not seen whether there was one */
    struct fth_file_safety safety;
    struct fth_example example;
};

/* What all processes did to a file. */
struct fth_shared_safety {
    size_t sync_count, renaming_count;
    struct fth_syncs_of {
        size_t proc;
        struct fth_syncs syncs;
    } * syncs;
    struct fth_renaming_by {
        size_t proc;
        struct fth_renaming renaming;
    } * renamings;
    int64_t last; /* ns + 1: start of the last write that its process has not made safe; 0: none */
    bool streamed;
};

void fth_shared_safety_sync(struct fth_shared_safety *shared, size_t proc,
                            const struct fth_syncs *syncs);
void fth_shared_safety_add(struct fth_shared_safety *shared, size_t proc,
                           const struct fth_file_safety *safety,
                           const struct fth_renaming *renaming /* NULL: none */,
                           const uint32_t *files);
/* Is it a renaming of what nobody had made safe? `of_all`: syncs of all files. Where another
 * process may have synced it in between it is none. */
bool fth_shared_safety_lacks(const struct fth_shared_safety *shared,
                             const struct fth_shared_safety *of_all,
                             const struct fth_renaming_by *renaming);
void fth_shared_safety_free(struct fth_shared_safety *shared);

#endif
