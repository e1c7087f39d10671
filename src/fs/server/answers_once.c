/* Answers that are given twice, for what is done once. */
#include "fs/server/answers_once.h"

#include <string.h>

void fth_answers_once_begin(struct fth_answers_once *answers, uint64_t start)
{
    if (answers->start == start)
        return;
    memset(answers, 0, sizeof *answers);
    answers->start = start;
}

const struct fth_answer_once *fth_answers_once_find(const struct fth_answers_once *answers,
                                                    uint64_t number)
{
    const struct fth_answer_once *kept = &answers->kept[number % FTH_ONCE_KEPT];
    return number && kept->number == number ? kept : NULL;
}

void fth_answers_once_keep(struct fth_answers_once *answers, uint64_t number, int error,
                           const void *fields, size_t length)
{
    struct fth_answer_once *kept = &answers->kept[number % FTH_ONCE_KEPT];
    if (length > FTH_ONCE_BYTES)
        return;
    *kept = (struct fth_answer_once){.number = number, .error = error, .length = (uint8_t)length};
    memcpy(kept->fields, fields, length);
}
