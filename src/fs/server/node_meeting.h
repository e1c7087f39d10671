/* How the servers of an instance on several nodes find one another: a private folder in the folder
 * below, which all nodes see. Whoever comes first makes it.
 *
 *     facts     what all of them have to agree on; when it is there, so is the secret
 *     secret    of the instance (fs/protocol/secret.h)
 *     node-N    the server N: its node, its address and port, when it listens
 *     lost      which node is lost, and who has its copy: the first that is, as nobody can make it
 *               twice */
#ifndef FTH_FS_NODE_MEETING_H
#define FTH_FS_NODE_MEETING_H

#include "fs/protocol/instance.h"

#include <netinet/in.h>

enum { FTH_NODE_NAME_MOST = 255, FTH_NODE_ADDRESS_MOST = INET6_ADDRSTRLEN };

struct fth_met_node {
    char name[FTH_NODE_NAME_MOST + 1];
    char address[FTH_NODE_ADDRESS_MOST];
    uint16_t port; /* 0: it does not listen yet */
};

/* The name of this node. */
void fth_node_name(char name[FTH_NODE_NAME_MOST + 1]);
/* Comes to the folder of the instance: path, under_path, under and server_count are set. Waits for
 * who makes it, and takes the number `self`, or with -1 the first that nobody has. `facts`: lines
 * that all servers must have alike. Sets instance->server and instance->secret. -1: *error is
 * set. */
int fth_node_meeting_join(struct fth_fs_instance *instance, int64_t self, const char *facts,
                          struct fth_error **error);
/* Tells the others where the server listens. */
int fth_node_meeting_tell(const struct fth_fs_instance *instance, const struct fth_met_node *node,
                          struct fth_error **error);
/* What the server `number` has said. false: errno is set, ENOENT: it has not come yet. */
bool fth_node_meeting_find(const struct fth_fs_instance *instance, uint32_t number,
                           struct fth_met_node *node);
/* Waits so many ns at most until all have said where they listen, and checks that they can be
 * reached from here. -1: *error names the first who has not come. */
int fth_node_meeting_wait(const struct fth_fs_instance *instance, uint64_t most,
                          struct fth_error **error);
/* A node that is lost for the instance, and does not come back. */
struct fth_lost_node {
    uint32_t server, by; /* and who has taken its part over */
    char name[FTH_NODE_NAME_MOST + 1];
};

/* false: none is. */
bool fth_node_meeting_lost(const struct fth_fs_instance *instance, struct fth_lost_node *lost);
/* The node of this server is lost from now on, says the server of `instance`. 1; 0: another one is
 * lost already; -1: *error, it cannot be called so. */
int fth_node_meeting_lose(const struct fth_fs_instance *instance, uint32_t server,
                          struct fth_error **error);
/* The server has not come about: who comes next may take its number. */
void fth_node_meeting_leave(const struct fth_fs_instance *instance);
/* The instance has ended. */
void fth_node_meeting_remove(const struct fth_fs_instance *instance);

#endif
