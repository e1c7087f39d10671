/* Inner header of the sim room: lock tokens, with which a file system gives POSIX consistency.
 *
 * Each node has a lock manager, which is a process of it; the server with the first byte of a file
 * is the file's global one. Whoever reads or writes needs a token for the blocks. The manager of
 * its node answers alone if the node has it. Otherwise one exchange with the global manager grants
 * it, or names the nodes in the way; each of these is asked to give up its token, at the same time,
 * and the global manager once more. Tokens stay with a node until another one wants them (C. Wang,
 * 2022, 5.4). What nodes have written is at servers, or found in burst buffers: a token that is
 * given up moves no data. */
#ifndef FTH_SIM_TOKEN_MANAGERS_H
#define FTH_SIM_TOKEN_MANAGERS_H

#include "holders/lock_tokens.h"
#include "sim/engine/engine.h"

struct fth_sim_talk;
struct fth_sim_world;
struct fth_sim_method;

struct fth_sim_token_managers {
    struct fth_lock_tokens *files; /* by file; NULL: no tokens were asked for so far */
    uint32_t file_count;
    struct fth_sim_token_manager {
        uint32_t nic;
        int64_t free_at; /* when it has done what it was asked for so far */
    } * nodes;
    struct fth_sim_talk *free_talks;
    uint64_t granted, local, conflicts; /* requests by how they were answered */
};

/* Carries out a command on a file when its process has the tokens. */
extern const struct fth_sim_method fth_sim_under_tokens;
/* The same on an instance of `fathom fs` (index_locks.c). */
extern const struct fth_sim_method fth_sim_under_index_locks;

void fth_sim_token_managers_free(struct fth_sim_token_managers *managers);

#endif
