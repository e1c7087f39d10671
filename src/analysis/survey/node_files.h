/* Runs of several nodes: a path of a file system of the node is a file of each of them. */
#ifndef FTH_ANALYSIS_NODE_FILES_H
#define FTH_ANALYSIS_NODE_FILES_H

#include <fathom/files.h>

bool fth_analysis_has_several_nodes(const struct fth_trace *trace);
/* The node, in a run of several, whose file is at this place of a process; NULL: all nodes have the
 * same. */
const char *fth_analysis_node_of(const struct fth_trace *trace, size_t proc,
                                 const struct fth_file *place);

#endif
