/* The answers to questions of other servers that must not be done twice: where the connection was
 * cut before the answer came, the same question comes again, and gets the answer that it had. An
 * answer is kept until who asked says that it has come, so as many are kept as questions are asked
 * at one time. They are in a file of the instance as well, for a server that is started again. What
 * was asked of an earlier server and is not in that file may be done or not. Inner header of the fs
 * room. */
#ifndef FTH_FS_ANSWERS_ONCE_H
#define FTH_FS_ANSWERS_ONCE_H

#include "base/bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fth_answer_once {
    struct fth_answer_once *next;
    uint64_t number; /* of the question */
    uint64_t id;     /* of this, for ever */
    uint64_t link;   /* by which it was asked last */
    bool is_given;   /* else it is being done */
    int error;
    struct fth_bytes fields;
};

/* Of one server that asks. */
struct fth_once_asker {
    uint64_t start;      /* of its process: another one counts from 1 again */
    uint64_t connection; /* its last one */
    uint64_t first_here; /* the first one to this process; 0: none yet */
    uint64_t highest;    /* number of a question */
    struct fth_answer_once *first, **last;
};

struct fth_answers_once {
    struct fth_once_asker *askers; /* by number of server */
    uint32_t count;
    int file;         /* -1: it cannot be kept */
    bool has_earlier; /* a server before this one may have been asked */
    uint64_t next_id;
};

/* Reads what an earlier server of the instance has answered. `folder`: of the instance. */
void fth_answers_once_begin(struct fth_answers_once *answers, uint32_t servers, int folder);
/* A connection of the server, by its process `start`. false: it is older than the last one. */
bool fth_answers_once_meet(struct fth_answers_once *answers, uint32_t server, uint64_t start,
                           uint64_t connection);
/* All answers to questions before this one have come. */
void fth_answers_once_settle(struct fth_answers_once *answers, uint32_t server, uint64_t number);
/* NULL: it was not asked before, or of an earlier server. */
struct fth_answer_once *fth_answers_once_find(const struct fth_answers_once *answers,
                                              uint32_t server, uint64_t number);
/* May an earlier server have done what was asked by this connection first? */
bool fth_answers_once_is_unknown(const struct fth_answers_once *answers, uint32_t server,
                                 uint64_t connection);
/* It is being done from now on. Returns its id. */
uint64_t fth_answers_once_add(struct fth_answers_once *answers, uint32_t server, uint64_t number,
                              uint64_t link);
/* NULL: nobody waits for it any more. */
const struct fth_answer_once *fth_answers_once_keep(struct fth_answers_once *answers,
                                                    uint32_t server, uint64_t id, int error,
                                                    const void *fields, size_t length);
void fth_answers_once_end(struct fth_answers_once *answers);

#endif
