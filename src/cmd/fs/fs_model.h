/* The consistency that programs get which know nothing of the file system: for all files, for some
 * by name, or for each what a trace says is enough. */
#ifndef FTH_CMD_FS_MODEL_H
#define FTH_CMD_FS_MODEL_H

#include "fs/protocol/instance.h"

/* What the user chose; all zero: nothing, which is for programs that use the primitives. */
struct fth_cmd_fs_models {
    const char **given; /* MODEL, or NAMES=MODEL, in the order of the command line */
    size_t given_count;
    const char *trace; /* --from-trace, or NULL */
};

static inline bool fth_cmd_fs_has_models(const struct fth_cmd_fs_models *models)
{
    return models->given_count || models->trace;
}
/* instance->rules as `given` says; the folder below and the prefix are set. Files of which nothing
 * is said have posix consistency. The trace is for fs_from_trace.h. -1: *error is set. */
int fth_cmd_fs_choose_models(const struct fth_cmd_fs_models *models,
                             struct fth_fs_instance *instance, struct fth_error **error);
/* The name of a file or a pattern of names, given by the user as a path in the folder below, or an
 * absolute one below that or the prefix. NULL: it is not below. */
const char *fth_cmd_fs_name_below(const struct fth_fs_instance *instance, const char *path);
/* When the file system acts under a model, a name or a file with one. -1: *error is set. */
int fth_cmd_fs_moments(const char *name, struct fth_moments *moments, struct fth_error **error);
/* Adds the model to the rules, as the file system keeps it; its number. -1: *error is set. */
int fth_cmd_fs_add_model(struct fth_fs_instance *instance, const struct fth_consistency *model,
                         struct fth_error **error);
/* What programs are to have in LD_PRELOAD; to be freed. -1: *error is set. */
int fth_cmd_fs_preload(char **preload, struct fth_error **error);

#endif
