/* The last answers to questions of another server that must not be done twice: where the connection
 * was cut before the answer came, the same question comes again. Inner header of the fs room. */
#ifndef FTH_FS_ANSWERS_ONCE_H
#define FTH_FS_ANSWERS_ONCE_H

#include <stddef.h>
#include <stdint.h>

enum { FTH_ONCE_KEPT = 256, FTH_ONCE_BYTES = 24 };

struct fth_answer_once {
    uint64_t number; /* of the question; 0: none */
    int error;
    uint8_t length, fields[FTH_ONCE_BYTES];
};

/* All zero: none. */
struct fth_answers_once {
    uint64_t start; /* of the process that asks: another one counts from 1 again */
    struct fth_answer_once kept[FTH_ONCE_KEPT];
};

void fth_answers_once_begin(struct fth_answers_once *answers, uint64_t start);
/* NULL: it was not asked before. */
const struct fth_answer_once *fth_answers_once_find(const struct fth_answers_once *answers,
                                                    uint64_t number);
void fth_answers_once_keep(struct fth_answers_once *answers, uint64_t number, int error,
                           const void *fields, size_t length);

#endif
