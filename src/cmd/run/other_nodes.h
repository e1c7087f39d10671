/* Processes on other nodes: how they get the tracer, and how what they leave comes back. */
#ifndef FTH_CMD_RUN_OTHER_NODES_H
#define FTH_CMD_RUN_OTHER_NODES_H

#include "cmd/run/launch.h"
#include "cmd/run/run.h"

/* The command that starts Open MPI's daemon `daemon` on another node with these settings: "FATHOM
 * on-node SETTINGS DAEMON". It comes to a shell there and is split at blanks before, so settings
 * are one word of harmless characters. NULL when this program's path is not. To be freed. */
char *fth_node_launch_agent(const struct fth_setting *settings, const char *daemon);
/* `fathom on-node SETTINGS COMMAND...`: becomes the command, with the settings in its
 * environment. */
int fth_cmd_on_node(int argc, char **argv);

/* Takes what other nodes brought to the folder of the output into the spill folder. What is left on
 * a node is noted among the blind spots: true when there is any. */
bool fth_node_collect(struct fth_cmd_run *run);
/* Takes the files of another folder. */
int fth_node_take(const struct fth_cmd_run *run, const char *folder, struct fth_error **error);
/* Removes the places where they were brought. */
void fth_node_forget(const struct fth_cmd_run *run);

#endif
