/* Inner header of the sim room: the servers of an instance of `fathom fs`, who know who has which
 * bytes. Each node has some of them. A process asks its own one only; that one asks the servers
 * that the ranges belong to, by the same rule as the file system (holders/share_rule.h), and
 * answers when all have answered:
 *
 *     attach  the servers of the blocks; then, where a block had nothing so far, the home
 *     query   the servers of the blocks; of a whole file: the home, the server of its last block,
 *             then those of all its blocks
 *     lock    the home
 *     fetch   the server on whose node the bytes are
 *
 * A server does one thing after the other, on the processors of its node. */
#ifndef FTH_SIM_INDEX_SERVERS_H
#define FTH_SIM_INDEX_SERVERS_H

#include "base/keyed.h"
#include "sim/engine/processor.h"
#include "sim/plan/ranges.h"

#include <stdbool.h>

struct fth_sim_activity;
struct fth_sim_ask;
struct fth_sim_rounds;
struct fth_sim_storage;
struct fth_sim_world;

struct fth_sim_index_server {
    uint32_t nic, node;
    struct fth_sim_processor *processor;
    struct fth_sim_ask *first, *last; /* that wait; the first one is being worked on */
};

/* So many ranges of one server, or of one block of a file. */
struct fth_sim_share {
    uint64_t of, ranges;
};
struct fth_sim_shares {
    struct fth_sim_share *list;
    uint32_t count, limit;
};

struct fth_sim_index {
    struct fth_sim_index_server *servers; /* NULL: files are not on such an instance */
    uint32_t count;
    struct fth_keyed blocks;       /* of files, that something was attached of: ranges */
    struct fth_keyed unattached;   /* by process and file: what it wrote of which blocks */
    struct fth_sim_rounds *wanted; /* while a request is put together */
    struct fth_sim_ask *free_asks;
    uint64_t asked, passed, fetched; /* by processes, by other servers; bytes from other nodes */
};

/* One for each buffer. Their NICs, nodes and processors are set afterwards. */
void fth_sim_index_init(struct fth_sim_storage *storage);
void fth_sim_index_free(struct fth_sim_index *index);

/* What a step of a command starts. */
void fth_sim_index_query(struct fth_sim_activity *activity, const struct fth_sim_ranges *ranges);
void fth_sim_index_query_file(struct fth_sim_activity *activity);
/* Whether anybody has to be asked who has what of the file. */
bool fth_sim_index_may_know(const struct fth_sim_activity *activity);
void fth_sim_index_lock(struct fth_sim_activity *activity);
void fth_sim_index_fetch(struct fth_sim_activity *activity, uint32_t server, uint64_t ranges,
                         uint64_t bytes);
/* Notes what was written; attaches what was noted, if anything was. */
void fth_sim_index_note(struct fth_sim_activity *activity, const struct fth_sim_ranges *ranges);
void fth_sim_index_attach(struct fth_sim_activity *activity);

#endif
