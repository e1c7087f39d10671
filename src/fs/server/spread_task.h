/* A request of a client on its way through servers: steps, each of which asks some of them and goes
 * on when all have answered. Inner header of the fs room. */
#ifndef FTH_FS_SPREAD_TASK_H
#define FTH_FS_SPREAD_TASK_H

#include "fs/server/spread.h"

enum { FTH_TASK_WHY = 512 };

struct fth_spread_task;
/* Takes the answer of one server, which was without error. */
typedef void fth_spread_task_take(struct fth_spread_task *task, uint32_t server,
                                  struct fth_view *fields);
/* Takes the error of one server, with which the others have nothing to do. */
typedef void fth_spread_task_miss(struct fth_spread_task *task, uint32_t server, const char *why);
typedef void fth_spread_task_step(struct fth_spread_task *task);

struct fth_spread_task {
    struct fth_spread *spread;
    uint64_t connection;    /* that it came by */
    struct fth_asker asker; /* its request: 0, where it may be done twice */
    uint8_t kind;
    char *path;
    size_t length;
    uint64_t begin, end; /* of the request */
    unsigned waiting;
    fth_spread_task_step *next;
    fth_spread_task_miss *miss; /* NULL: the task fails then */
    int error;                  /* the first one, and why */
    char why[FTH_TASK_WHY];
    struct fth_bytes answer;   /* fields */
    struct fth_bytes *at_once; /* where it goes while the request is begun; NULL: that is over */
    bool has_ended;
    /* what was learned */
    uint64_t file_end, files, bytes, most;
    bool knows_home_end;
    struct fth_keyed written; /* files that several servers have written, beside `files` */
    bool *lost;               /* by server: it does not answer; NULL: that is not asked */
    struct fth_intervals found;
    struct fth_bytes ranges; /* of ATTACH, which are copied before */
    struct fth_copied_ranges *copied;
    fth_spread_task_step *behind_end; /* of fth_spread_task_find_end */
};

/* Asks one server. `take` may be NULL. */
void fth_spread_task_ask(struct fth_spread_task *task, uint32_t server, uint8_t kind,
                         const struct fth_bytes *fields, fth_spread_task_take *take);
/* Between these two, questions of one step are asked; then `next` comes, also after errors. */
void fth_spread_task_begin_step(struct fth_spread_task *task, fth_spread_task_step *next);
void fth_spread_task_end_step(struct fth_spread_task *task);
/* The answer goes to the client: its fields, or its error. */
void fth_spread_task_end(struct fth_spread_task *task);
/* It has failed, if it has not before. */
void fth_spread_task_fail(struct fth_spread_task *task, int error, const char *why);

uint32_t fth_spread_task_home(const struct fth_spread_task *task);
uint32_t fth_spread_task_count(const struct fth_spread_task *task); /* of servers */
/* Asks the servers that the client has something of. */
void fth_spread_task_ask_used(struct fth_spread_task *task, uint8_t kind,
                              const struct fth_bytes *fields, fth_spread_task_take *take);
void fth_spread_task_ask_all(struct fth_spread_task *task, uint8_t kind,
                             const struct fth_bytes *fields, fth_spread_task_take *take);
/* Notes that the client has something of this server. */
void fth_spread_task_use(struct fth_spread_task *task, uint32_t server);
/* Finds the end of the file, in task->file_end, and goes on. */
void fth_spread_task_find_end(struct fth_spread_task *task, fth_spread_task_step *then);
/* Fields of a request about the file. */
struct fth_bytes fth_spread_task_fields(const struct fth_spread_task *task);

/* Puts the fields of an answer into that of the task. */
void fth_spread_task_take_fields(struct fth_spread_task *task, uint32_t server,
                                 struct fth_view *fields);
/* Those that do not answer any more have nothing that could be written: what they had is lost. */
void fth_spread_task_pass_over(struct fth_spread_task *task, uint32_t server, const char *why);

/* The requests that look for and change who has what (spread_ranges.c). */
void fth_spread_attach(struct fth_spread_task *task, struct fth_view *message);
void fth_spread_query(struct fth_spread_task *task);
/* Puts the bytes of task->ranges into the copy of this node, if there is one, and goes on
 * (spread_copies.c). */
void fth_spread_copy(struct fth_spread_task *task, fth_spread_task_step *then);
/* Those that write to the folder below, or end the instance (spread_write.c). */
void fth_spread_write(struct fth_spread_task *task);

#endif
