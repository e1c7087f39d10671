/* What the user asks of an instance. */
#ifndef FTH_CMD_FS_REQUEST_H
#define FTH_CMD_FS_REQUEST_H

#include "cmd/fs/fs_cost.h"
#include "cmd/fs/fs_model.h"
#include "cmd/fs/fs_mount.h"

struct fth_cmd_fs_request {
    const char *name; /* of the instance, or NULL */
    struct fth_fs_instance instance;
    const char *under, *buffers, *nodes;
    uint64_t wait; /* ns */
    int64_t self;  /* which server of several this is; -1: not known yet */
    struct fth_cmd_fs_models models;
    enum fth_cmd_fs_mount mount;
    bool discard, stays;
    char **command;
    int not_started; /* the exit status if the command could not be started; else 0 */
    struct fth_cmd_fs_cost cost;
    struct fth_cmd_page page;
};

/* Actions: -1, *error is set; or the exit status. */
int fth_cmd_fs_start(struct fth_cmd_fs_request *request, struct fth_error **error);
int fth_cmd_fs_run(struct fth_cmd_fs_request *request, struct fth_error **error);
int fth_cmd_fs_flush(struct fth_cmd_fs_request *request, struct fth_error **error);
int fth_cmd_fs_stop(struct fth_cmd_fs_request *request, struct fth_error **error);

/* The name of the instance, as errors call it. */
static inline const char *fth_cmd_fs_name(const struct fth_cmd_fs_request *request)
{
    return request->name ? request->name : "default";
}
/* Opens the instance that is there. -1: *error is set. */
int fth_cmd_fs_open(struct fth_cmd_fs_request *request, struct fth_error **error);
/* The same; what it has from its start must not be given again. */
int fth_cmd_fs_open_as_it_is(struct fth_cmd_fs_request *request, struct fth_error **error);
/* Mounts the prefix of one that was just made; where it has to be and cannot, the instance ends. */
int fth_cmd_fs_mount_new(struct fth_cmd_fs_request *request, struct fth_error **error);
/* Makes one of this name, and starts its server. */
int fth_cmd_fs_make(struct fth_cmd_fs_request *request, const char *name, struct fth_error **error);
/* Asks the server for what writes, FLUSH or STOP, or to DISCARD; *to (NULL: nowhere) gets a line
 * of how much was written. */
int fth_cmd_fs_write(struct fth_cmd_fs_request *request, uint8_t kind, FILE *to,
                     struct fth_error **error);
/* Says what processes wrote and did not publish before they ended: of this node, or of all. */
void fth_cmd_fs_tell_of_losses(struct fth_fs_instance *instance, bool of_all);

#endif
