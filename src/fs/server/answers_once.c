/* Answers that are given twice, for what is done once. */
#include "fs/server/answers_once.h"

#include "base/memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    FILE_MOST = 1 << 20,    /* bytes: then only those that are needed stay in it */
    RECORD_MOST = 64 << 10, /* longer answers are not kept there */
};

static void free_answer(struct fth_answer_once *answer)
{
    fth_bytes_free(&answer->fields);
    free(answer);
}

static void forget_first(struct fth_once_asker *asker)
{
    struct fth_answer_once *answer = asker->first;
    asker->first = answer->next;
    if (!asker->first)
        asker->last = &asker->first;
    free_answer(answer);
}

static void clear(struct fth_once_asker *asker, uint64_t start)
{
    while (asker->first)
        forget_first(asker);
    *asker = (struct fth_once_asker){.start = start};
    asker->last = &asker->first;
}

static struct fth_answer_once *add(struct fth_answers_once *answers, uint32_t server,
                                   uint64_t number)
{
    struct fth_once_asker *asker = &answers->askers[server];
    struct fth_answer_once *made = fth_new(1, sizeof *made);
    *made = (struct fth_answer_once){.number = number, .id = ++answers->next_id};
    *asker->last = made;
    asker->last = &made->next;
    if (number > asker->highest)
        asker->highest = number;
    return made;
}

static void give(struct fth_answer_once *answer, int error, const void *fields, size_t length)
{
    answer->is_given = true;
    answer->error = error;
    fth_bytes_put(&answer->fields, fields, length);
}

/* ---- the file: records of server, start, number, error and fields ---- */

static void put_record(struct fth_bytes *to, const struct fth_answers_once *answers,
                       uint32_t server, const struct fth_answer_once *answer)
{
    if (!answer->is_given || answer->fields.length > RECORD_MOST)
        return;
    fth_bytes_varint(to, server);
    fth_bytes_varint(to, answers->askers[server].start);
    fth_bytes_varint(to, answer->number);
    fth_bytes_varint(to, (uint64_t)answer->error);
    fth_bytes_text(to, answer->fields.data, answer->fields.length);
}

static void read_record(struct fth_answers_once *answers, struct fth_view *view)
{
    uint64_t server = fth_view_varint(view), start = fth_view_varint(view),
             number = fth_view_varint(view), error = fth_view_varint(view),
             length = fth_view_varint(view);
    const uint8_t *fields = fth_view_bytes(view, length);
    view->failed |= server >= answers->count || error > UINT8_MAX;
    if (view->failed)
        return;
    if (answers->askers[server].start != start)
        clear(&answers->askers[server], start);
    give(add(answers, (uint32_t)server, number), (int)error, fields, length);
}

/* A record that is not whole is the last one. */
static void read_records(struct fth_answers_once *answers)
{
    struct stat facts;
    if (fstat(answers->file, &facts) || !facts.st_size)
        return;
    void *map = mmap(NULL, (size_t)facts.st_size, PROT_READ, MAP_PRIVATE, answers->file, 0);
    if (map == MAP_FAILED)
        return;
    struct fth_view view = fth_view_of(map, (size_t)facts.st_size);
    while (view.at < view.end && !view.failed)
        read_record(answers, &view);
    munmap(map, (size_t)facts.st_size);
}

/* One that cannot be written is not known to the next server, which says so. */
static void write_records(const struct fth_answers_once *answers, const struct fth_bytes *records)
{
    if (!records->length ||
        write(answers->file, records->data, records->length) == (ssize_t)records->length)
        return;
    if (ftruncate(answers->file, 0)) /* behind a piece of one, none would be found */
        return;
}

static void write_all(const struct fth_answers_once *answers)
{
    struct fth_bytes records = {.data = NULL};
    for (uint32_t i = 0; i < answers->count; i++)
        for (const struct fth_answer_once *one = answers->askers[i].first; one; one = one->next)
            put_record(&records, answers, i, one);
    if (ftruncate(answers->file, 0) == 0)
        write_records(answers, &records);
    fth_bytes_free(&records);
}

static void write_one(const struct fth_answers_once *answers, uint32_t server,
                      const struct fth_answer_once *answer)
{
    struct fth_bytes record = {.data = NULL};
    if (answers->file < 0)
        return;
    if (lseek(answers->file, 0, SEEK_END) > FILE_MOST) {
        write_all(answers);
        return;
    }
    put_record(&record, answers, server, answer);
    write_records(answers, &record);
    fth_bytes_free(&record);
}

/* ---- */

static int open_file(int folder, int flags)
{
    return openat(folder, "answers", O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC | flags, 0600);
}

void fth_answers_once_begin(struct fth_answers_once *answers, uint32_t servers, int folder)
{
    *answers = (struct fth_answers_once){.count = servers};
    answers->askers = fth_new(servers, sizeof *answers->askers);
    for (uint32_t i = 0; i < servers; i++)
        clear(&answers->askers[i], 0);
    answers->file = open_file(folder, O_CREAT | O_EXCL);
    answers->has_earlier = answers->file < 0;
    if (answers->has_earlier)
        answers->file = open_file(folder, 0);
    if (answers->file < 0)
        return;
    read_records(answers);
    write_all(answers);
}

bool fth_answers_once_meet(struct fth_answers_once *answers, uint32_t server, uint64_t start,
                           uint64_t connection)
{
    struct fth_once_asker *asker = &answers->askers[server];
    if (asker->start != start)
        clear(asker, start);
    else if (connection <= asker->connection)
        return false;
    asker->connection = connection;
    if (!asker->first_here)
        asker->first_here = connection;
    return true;
}

void fth_answers_once_settle(struct fth_answers_once *answers, uint32_t server, uint64_t number)
{
    struct fth_once_asker *asker = &answers->askers[server];
    while (asker->first && asker->first->number < number)
        forget_first(asker);
}

struct fth_answer_once *fth_answers_once_find(const struct fth_answers_once *answers,
                                              uint32_t server, uint64_t number)
{
    const struct fth_once_asker *asker = &answers->askers[server];
    struct fth_answer_once *one = number > asker->highest ? NULL : asker->first;
    while (one && one->number != number)
        one = one->next;
    return one;
}

bool fth_answers_once_is_unknown(const struct fth_answers_once *answers, uint32_t server,
                                 uint64_t connection)
{
    return answers->has_earlier && connection < answers->askers[server].first_here;
}

uint64_t fth_answers_once_add(struct fth_answers_once *answers, uint32_t server, uint64_t number,
                              uint64_t link)
{
    struct fth_answer_once *made = add(answers, server, number);
    made->link = link;
    return made->id;
}

const struct fth_answer_once *fth_answers_once_keep(struct fth_answers_once *answers,
                                                    uint32_t server, uint64_t id, int error,
                                                    const void *fields, size_t length)
{
    struct fth_answer_once *one = answers->askers[server].first;
    while (one && one->id != id)
        one = one->next;
    if (!one)
        return NULL;
    give(one, error, fields, length);
    write_one(answers, server, one);
    return one;
}

void fth_answers_once_end(struct fth_answers_once *answers)
{
    for (uint32_t i = 0; i < answers->count; i++)
        clear(&answers->askers[i], 0);
    free(answers->askers);
    if (answers->file >= 0)
        close(answers->file);
}
