/* An instance of the file system, as a private folder of its user in node-local memory:
 *
 *     secret        of the instance (secret.h)
 *     settings      the folder below, the prefix, the room for buffers: lines "NAME VALUE"
 *     models        which files have which consistency model (model_rules.h), or none
 *     socket        of the server of this node
 *     journal       who attached what, for a server that is started again
 *     changes       of flags of open files, counted (prefix/kept_flags.h)
 *     code          which files of code make queues (prefix/queue_code.h)
 *     mount         whether the prefix is a mount (mount_note.h)
 *     buffers/N     what client N wrote (buffer_file.h); `buffers` may be a link to a disk
 *     unsaved/P-N   which of it process P has not attached (unsaved.h)
 *     lost          is there where the others go on without this node
 *     copy          what another node has, as the folder of an instance (server/kept_copy.h)
 *
 * An instance on several nodes has such a folder on each, with one secret, and a server on each.
 * Clients find it by the environment variable FATHOM_FS. */
#ifndef FTH_FS_INSTANCE_H
#define FTH_FS_INSTANCE_H

#include "base/error.h"
#include "fs/protocol/model_rules.h"
#include "fs/protocol/secret.h"

#include <limits.h>

/* Numbers of clients have the number of their server in their upper bits: those of one node, which
 * may be the only one, are server 0's. */
enum { FTH_SERVER_SHIFT = 20, FTH_SERVERS_MOST = 4095, FTH_CLIENTS_MOST = (1 << 20) - 1 };

/* The folder in that of an instance in which it has the copy of what another node has. */
#define FTH_INSTANCE_COPY "copy"

static inline uint32_t fth_server_of(uint32_t client)
{
    return client >> FTH_SERVER_SHIFT;
}

struct fth_fs_instance {
    char path[PATH_MAX];
    int folder;
    int under; /* the folder below, O_DIRECTORY; -1: it is not there any more */
    char under_path[PATH_MAX];
    char prefix[PATH_MAX]; /* absolute, without a slash at its end; "": none */
    uint64_t buffer_bytes; /* of one client at most */
    uint64_t chaos;        /* clients wait at random around requests, by this seed; 0: never */
    struct fth_model_rules rules; /* for programs that know nothing of the file system */
    uint64_t within;              /* ns, for FTH_AT_BOUND */
    uint8_t secret[FTH_SECRET_BYTES];
    uint32_t server_count, server; /* on how many nodes, and which of them this one is, from 0 */
    char address[64];              /* or a network device, for the others; "": the loopback */
    char rdma[64];                 /* the device by which servers speak by UCX; "": by TCP */
    uint32_t copies;    /* 2: the next node has a copy of what is published; 1: none has */
    bool is_taken_over; /* it is the copy of a node that is lost, on the next one */
};

/* Where the instance NAME of this user lies. false: the name has a slash or is too long. */
bool fth_instance_place(const char *name, char path[PATH_MAX]);
/* Makes the folder with its secret and settings: `under_path`, `prefix`, `buffer_bytes`, `rules`
 * and what is of several nodes are given, with the secret if there are several. `buffers`: the
 * folder for buffers, NULL: in the instance's own. -1: *error is set, and nothing is left. */
int fth_instance_make(struct fth_fs_instance *instance, const char *path, const char *buffers,
                      struct fth_error **error);
/* Opens one that is there. -1: *error is set. */
int fth_instance_open(struct fth_fs_instance *instance, const char *path, struct fth_error **error);
/* Connects to its server and leaves the challenge to the caller. -1: errno is set. */
int fth_instance_connect(const struct fth_fs_instance *instance);
/* The lock of the server of this node, as a descriptor, when nobody else has it: a server that was
 * killed has it until it is gone, so it is waited for. -1: somebody has it all the time. */
int fth_instance_lock(const struct fth_fs_instance *instance, unsigned milliseconds);
/* The socket of a new server, which listens. Two servers cannot run at once: `lock` is a descriptor
 * that the server keeps as long as it lives. -1: *error is set; also where one is running. */
int fth_instance_listen(const struct fth_fs_instance *instance, int *lock,
                        struct fth_error **error);
/* This node is lost for the instance, whose other nodes go on; is it? It is in a file of the
 * folder. */
void fth_instance_call_lost(const struct fth_fs_instance *instance);
bool fth_instance_is_lost(const struct fth_fs_instance *instance);
/* Removes the folder with all that is in it. */
void fth_instance_remove(const struct fth_fs_instance *instance);
void fth_instance_close(struct fth_fs_instance *instance);

#endif
