/* A request on its way through the functions that answer it, one for each kind. Inner header of the
 * fs room. */
#ifndef FTH_FS_REQUEST_H
#define FTH_FS_REQUEST_H

#include "fs/server/requests.h"

/* What it is about, and the errno that it is answered with. */
struct fth_request {
    struct fth_requests *requests;
    struct fth_view *message;
    struct fth_bytes *answer;
    const char *path;
    size_t length;
    uint32_t client;
    struct fth_noted noted; /* for what is done once */
    int *passed;
    int error;
    char *why;    /* text behind the error; NULL: none */
    bool is_part; /* of what the server of another node was asked; or this one */
};

/* Takes the name of its file. false: it has none. */
bool fth_request_take_path(struct fth_request *request);
/* What could not be done is in the log of the server, with its cause. */
void fth_request_failed(struct fth_request *request, struct fth_error *error);
/* Is it about this file? It may be about all. */
bool fth_request_is_of(const struct fth_request *request, const char *path, size_t length);

void fth_request_lock(struct fth_request *request);
/* Takes the ranges that were locked when they were written, from what is left of an attach. Has the
 * client these locks, where they are among the intervals? Else the error and its text are set. */
bool fth_request_has_locks(struct fth_request *request, const struct fth_interval *list,
                           size_t count);
void fth_request_status(struct fth_request *request);
void fth_request_losses(struct fth_request *request);
/* Of other servers. */
void fth_request_fetch(struct fth_request *request);
void fth_request_forget(struct fth_request *request);
void fth_request_write(struct fth_request *request);
void fth_request_give_up(struct fth_request *request);
void fth_request_unwritten(struct fth_request *request);
void fth_request_hide(struct fth_request *request);
void fth_request_show(struct fth_request *request);

#endif
