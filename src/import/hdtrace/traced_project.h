/* What a project file of HDTrace says: where event sources are, and what ids of communicators and
 * datatypes stand for. */
#ifndef FTH_IMPORT_HDTRACE_TRACED_PROJECT_H
#define FTH_IMPORT_HDTRACE_TRACED_PROJECT_H

#ifdef FATHOM_EXPAT
#include "base/intern.h"
#include "base/keyed.h"
#include "import/hdtrace/project_xml.h"

enum { FTH_PROJECT_NONE = UINT32_MAX };

/* A node of the topology; nodes come in the order of the file, so those inside one follow it. */
struct fth_project_node {
    uint32_t parent, level; /* level 0: outermost */
    uint32_t name;
};

struct fth_traced_project {
    char *prefix; /* of the names of its files */
    struct fth_intern texts;
    struct fth_project_node *nodes;
    uint32_t node_count, node_limit;
    uint32_t *levels; /* what they are: texts */
    uint32_t level_count, level_limit;
    uint32_t *groups; /* of statistics */
    uint32_t group_count, group_limit;
    struct fth_keyed comms; /* by global rank and id: text, plus 1 */
    struct fth_keyed types; /* by name of the rank, of the thread, and id: text, plus 1 */
    uint32_t application;   /* text */
    int64_t world_size;     /* -1: not known */
};

/* -1: *error is set. To be freed in any case. */
int fth_traced_project_read(struct fth_traced_project *project, const char *path,
                            struct fth_error **error);
void fth_traced_project_free(struct fth_traced_project *project);

char *fth_traced_project_text(const struct fth_traced_project *project, uint32_t text);
bool fth_traced_project_is(const struct fth_traced_project *project, uint32_t text,
                           const char *other);
/* The node itself or the one around it at the level of this type; NONE. */
uint32_t fth_traced_project_at(const struct fth_traced_project *project, uint32_t node,
                               const char *type);
/* The file of a node: `end` is "_GROUP.stat" or ".trc"; to be freed. */
char *fth_traced_project_file(const struct fth_traced_project *project, uint32_t node,
                              const char *end);
/* Its number as a rank; -1: it is none. */
int64_t fth_traced_project_rank(const struct fth_traced_project *project, uint32_t node);
/* Names; NULL: there is none. To be freed. */
char *fth_traced_project_comm(struct fth_traced_project *project, uint32_t node, int64_t id);
char *fth_traced_project_type(struct fth_traced_project *project, uint32_t node, int64_t id);

#endif
#endif
