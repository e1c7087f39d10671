/* Which nodes live, where an instance keeps copies: each server tells the next one four times a
 * second that it is there, and that one confirms it. A thread does this, as a server may write to a
 * slow disk for long. Inner header of the fs room.
 *
 * A confirmation is a *lease*: for so long nobody takes the part of this server over. Who has not
 * heard one for FTH_BEAT_SILENCE does, if its own lease is good, and confirms nothing from then on.
 * A lease counts from when it was asked for, and is shorter than the silence; so at the time when
 * another one takes over, this server has known for long that it must neither answer nor write.
 * Times are those of CLOCK_MONOTONIC of each node, of which only differences are used.
 *
 * Messages prove that their sender knows the secret. A beat is heard if it has the word that this
 * server has said to that one, and is newer than the last: none is heard again, neither behind a
 * start of one of the two servers anew. */
#ifndef FTH_FS_BEATS_H
#define FTH_FS_BEATS_H

#include "base/error.h"
#include "fs/protocol/instance.h"

#include <stdbool.h>
#include <stdint.h>

#define FTH_BEAT_LEASE UINT64_C(3000000000)   /* ns */
#define FTH_BEAT_SILENCE UINT64_C(6000000000) /* ns */

struct fth_beats;

/* The server that has the copy of what `server` has, and the one whose copy it has. */
static inline uint32_t fth_partner_of(const struct fth_fs_instance *instance)
{
    return (instance->server + 1) % instance->server_count;
}
static inline uint32_t fth_copied_by(const struct fth_fs_instance *instance)
{
    return (instance->server + instance->server_count - 1) % instance->server_count;
}

/* `listening`: of fth_node_listen. `is_again`: it is not the first server of this node, and may be
 * there because the other one died. NULL: *error is set. */
struct fth_beats *fth_beats_begin(const struct fth_fs_instance *instance, int listening,
                                  bool is_again, struct fth_error **error);
/* May it answer? Nobody takes its part over for now. */
bool fth_beats_have_lease(const struct fth_beats *beats);
/* Of this process: has it none, nobody taken over, and where copies are kept? *since: when the last
 * one ended (fth_peer_now); 0: it has had none. */
bool fth_beats_lack_lease(uint64_t *since);
/* The server + 1 that is lost, as the place where servers meet says (node_meeting.h); 0: none. */
uint32_t fth_beats_lost(const struct fth_beats *beats);
/* Has the server before this one been silent for so long that it is to be called lost? Nothing is
 * confirmed to it from then on. */
bool fth_beats_are_silent(const struct fth_beats *beats);
/* It cannot be called so now. */
void fth_beats_watch_again(struct fth_beats *beats);
void fth_beats_end(struct fth_beats *beats);

/* In the child of a fork: what its parent tells and hears is not for it. */
void fth_beats_forked(void);

/* Waits until this process may write to the folder below. false: its part was taken over, or may
 * be. Of a process without fth_beats_begin: true. */
bool fth_beats_wait_to_write(void);

#endif
