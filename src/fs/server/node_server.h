/* The server of a node: one thread that answers the clients of an instance. */
#ifndef FTH_FS_NODE_SERVER_H
#define FTH_FS_NODE_SERVER_H

#include "fs/protocol/instance.h"
#include "fs/server/copies.h"

/* Serves until a client asks it to stop, or SIGTERM or SIGINT comes (then what is attached is
 * flushed, too, if there are no other servers). `listening`: of fth_instance_listen; `network`: of
 * fth_node_listen, where there are several servers, else -1; both are closed. 1: it was asked to
 * stop, so the instance has ended. -1: *error is set; what is not in the folder below is still in
 * the instance, for the next server. `take_over`: goes on for a node that is lost (take_over.h);
 * NULL: there is none whose part this one has. */
int fth_node_server_run(const struct fth_fs_instance *instance, int listening, int network,
                        fth_copies_take_over *take_over, struct fth_error **error);

#endif
