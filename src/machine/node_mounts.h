/* What is mounted on this node, or was on another one. */
#ifndef FTH_MACHINE_NODE_MOUNTS_H
#define FTH_MACHINE_NODE_MOUNTS_H

#include "trace/file/mount_section.h"

/* /proc/PID/mountinfo. File systems that are no place for files (cgroup, devpts ...) are left
 * out. */
void fth_mounts_parse(struct fth_mounts *mounts, const char *mountinfo);
/* Is a path of such a file system the same file on every node? FATHOM_SHARED in the environment
 * names more such types. */
bool fth_mounts_type_is_shared(const char *type);
/* Does what takes time of the next function, which then has to do it only if something has been
 * mounted since. */
void fth_mounts_prepare(void);
/* Those of this node, with block sizes and with links that lead from one of them to another; never
 * waits for a server that is gone. */
void fth_mounts_take(struct fth_mounts *mounts);

#endif
