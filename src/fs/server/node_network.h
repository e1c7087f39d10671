/* Sockets between servers. Who says nothing for 10 s, and does not confirm what was sent, has gone,
 * or the network has: the kernel ends the connection then. */
#ifndef FTH_FS_NODE_NETWORK_H
#define FTH_FS_NODE_NETWORK_H

#include "fs/server/node_meeting.h"

/* A socket that listens for other servers: on the loopback, or on instance->address, which is an
 * address or the name of a network device. Fills `node`. -1: *error is set. */
int fth_node_listen(const struct fth_fs_instance *instance, struct fth_met_node *node,
                    struct fth_error **error);
/* Begins to connect to a server, without waiting. -1: errno is set. */
int fth_node_connect(const struct fth_met_node *node);

/* A socket for single messages (UDP) at the address and port of one that listens. -1: errno is
 * set. */
int fth_node_beat_socket(int listening);
/* Sends one to that of another node, which may not come there. */
bool fth_node_send_beat(int from, const struct fth_met_node *node, const void *bytes,
                        size_t length);

/* Of a socket that was accepted, too. */
void fth_node_socket_begin(int made);

#endif
