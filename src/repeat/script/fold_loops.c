/* Loops in scripts: see the header. Each level folds the operations, loops among them, that the
 * one before it puts out. */
#include "repeat/script/fold_loops.h"

#include "base/memory.h"

#include <string.h>

enum {
    LEVELS = 3,   /* of loops in loops */
    LONGEST = 64, /* operations of a body */
    MOST_OPS = 4 * LONGEST,
    MOST_WORDS = 4 * FTH_SCRIPT_MOST_BODY, /* that are kept */
    TIMES = 3,                             /* that a rule holds before it is one */
    PATIENCE = 512, /* operations without a rule, from which on few are tried as its begin */
    RARELY = 16,
};

struct piece {
    size_t at, count; /* in words */
};

struct level {
    struct fth_fold *fold;
    struct level *next; /* NULL: it puts out to the script */
    /* the last operations, which may be the begin of a loop */
    struct piece pieces[MOST_OPS];
    size_t count;
    int64_t *words;
    size_t word_count;
    size_t period, run; /* for the last `run` of them a rule of this period holds */
    size_t misses;
    /* the loop that goes on; period 0: none */
    struct piece body[LONGEST];
    size_t body_period, body_words, place;
    int64_t *first, *due, *steps; /* of its first time; of the present one; between two */
    int64_t times;                /* that are complete */
};

struct fth_fold {
    struct level levels[LEVELS];
    struct fth_script_op loop;
    struct fth_bytes *to;
};

static void put(struct level *level, const int64_t *words, size_t count);

static void put_out(const struct level *level, const int64_t *words, size_t count)
{
    if (level->next)
        put(level->next, words, count);
    else
        fth_bytes_put(level->fold->to, words, count * sizeof *words);
}

/* ---- what is kept ---- */

static const int64_t *words_of(const struct level *level, size_t number)
{
    return level->words + level->pieces[number].at;
}

/* The first `count` go out. */
static void let_go(struct level *level, size_t count)
{
    size_t gone = count < level->count ? level->pieces[count].at : level->word_count;
    for (size_t i = 0; i < count; i++)
        put_out(level, words_of(level, i), level->pieces[i].count);
    level->word_count -= gone;
    memmove(level->words, level->words + gone, level->word_count * sizeof *level->words);
    level->count -= count;
    for (size_t i = 0; i < level->count; i++)
        level->pieces[i] =
            (struct piece){level->pieces[i + count].at - gone, level->pieces[i + count].count};
}

static void keep(struct level *level, const int64_t *words, size_t count)
{
    if (!level->words)
        level->words = fth_new(MOST_WORDS, sizeof *level->words);
    if (level->count == MOST_OPS)
        let_go(level, MOST_OPS / 4);
    if (level->word_count + count > MOST_WORDS)
        let_go(level, level->count);
    memcpy(level->words + level->word_count, words, count * sizeof *words);
    level->pieces[level->count++] = (struct piece){level->word_count, count};
    level->word_count += count;
}

/* ---- rules ---- */

static const struct fth_script_op *op_at(const int64_t *words)
{
    return (const void *)words;
}

/* Do both consist of the same operations? */
static bool have_one_form(const int64_t *one, const int64_t *other, size_t count)
{
    for (size_t at = 0; at < count; at += op_at(one + at)->words) {
        if (one[at] != other[at])
            return false;
        const struct fth_script_op *a = op_at(one + at), *b = op_at(other + at);
        if (a->what == FTH_SCRIPT_LOOP &&
            (a->arguments[1] != b->arguments[1] ||
             !have_one_form(a->arguments + a->count, b->arguments + b->count,
                            (size_t)a->arguments[1])))
            return false;
    }
    return true;
}

static int64_t step(const int64_t *from, const int64_t *to, size_t at)
{
    return (int64_t)((uint64_t)to[at] - (uint64_t)from[at]);
}

/* Is the last operation as far from the one a period before it as that is from its own? */
static bool holds(const struct level *level, size_t period)
{
    size_t last = level->count - 1;
    if (!period || last < 2 * period)
        return false;
    size_t count = level->pieces[last].count;
    const int64_t *c = words_of(level, last), *b = words_of(level, last - period),
                  *a = words_of(level, last - 2 * period);
    if (level->pieces[last - period].count != count ||
        level->pieces[last - 2 * period].count != count || *c != *b || *b != *a)
        return false;
    for (size_t i = 0; i < count; i++)
        if (step(a, b, i) != step(b, c, i))
            return false;
    return have_one_form(b, c, count) && have_one_form(a, b, count);
}

/* The shortest period of which a rule may begin here; 0: none. */
static size_t find_period(struct level *level)
{
    if (level->misses > PATIENCE && level->misses % RARELY)
        return 0;
    for (size_t period = 1; period <= LONGEST && 2 * period < level->count; period++)
        if (holds(level, period))
            return period;
    return 0;
}

/* ---- the loop ---- */

static size_t words_of_last(const struct level *level, size_t count)
{
    return level->word_count - level->pieces[level->count - count].at;
}

/* Its body is what came first of what is kept, after all before it went out. */
static void begin_loop(struct level *level)
{
    size_t period = level->period;
    let_go(level, level->count - TIMES * period);
    size_t words = level->pieces[period].at;
    level->first = fth_resize(level->first, words, sizeof *level->first);
    level->due = fth_resize(level->due, words, sizeof *level->due);
    level->steps = fth_resize(level->steps, words, sizeof *level->steps);
    memcpy(level->body, level->pieces, period * sizeof *level->body);
    for (size_t i = 0; i < words; i++) {
        level->first[i] = level->words[i];
        level->steps[i] = step(level->words, level->words + words, i);
        level->due[i] = (int64_t)((uint64_t)level->first[i] + TIMES * (uint64_t)level->steps[i]);
    }
    level->body_period = period;
    level->body_words = words;
    level->place = 0;
    level->times = TIMES;
    level->count = level->word_count = level->period = level->run = level->misses = 0;
}

static bool goes_on(struct level *level, const int64_t *words, size_t count)
{
    const struct piece *due = &level->body[level->place];
    if (due->count != count || memcmp(level->due + due->at, words, count * sizeof *words) != 0)
        return false;
    if (++level->place < level->body_period)
        return true;
    level->place = 0;
    level->times++;
    for (size_t i = 0; i < level->body_words; i++)
        level->due[i] = (int64_t)((uint64_t)level->due[i] + (uint64_t)level->steps[i]);
    return true;
}

/* What came of a time that is not complete stays as it is. */
static void end_loop(struct level *level)
{
    size_t words = level->body_words, all = FTH_SCRIPT_LOOP_WORDS + 2 * words;
    int64_t *loop = fth_new(all, sizeof *loop);
    struct fth_script_op op = level->fold->loop;
    op.words = (uint16_t)all;
    memcpy(loop, &op, sizeof op);
    loop[FTH_SCRIPT_OP_WORDS] = level->times;
    loop[FTH_SCRIPT_OP_WORDS + 1] = (int64_t)words;
    memcpy(loop + FTH_SCRIPT_LOOP_WORDS, level->first, words * sizeof *loop);
    memcpy(loop + FTH_SCRIPT_LOOP_WORDS + words, level->steps, words * sizeof *loop);
    level->body_period = 0;
    put_out(level, loop, all);
    free(loop);
    for (size_t i = 0; i < level->place; i++)
        keep(level, level->due + level->body[i].at, level->body[i].count);
}

static void put(struct level *level, const int64_t *words, size_t count)
{
    if (level->body_period && goes_on(level, words, count))
        return;
    if (level->body_period)
        end_loop(level);
    keep(level, words, count);
    if (holds(level, level->period)) {
        level->run++;
    } else {
        level->period = find_period(level);
        level->run = level->period != 0;
        level->misses = level->period ? 0 : level->misses + 1;
    }
    if (level->period && level->run >= level->period && level->count >= TIMES * level->period &&
        words_of_last(level, TIMES * level->period) <= FTH_SCRIPT_MOST_BODY * TIMES)
        begin_loop(level);
}

/* ---- all ---- */

struct fth_fold *fth_fold_open(const struct fth_script_op *loop, struct fth_bytes *to)
{
    struct fth_fold *fold = fth_new(1, sizeof *fold);
    fold->loop = *loop;
    fold->to = to;
    for (size_t i = 0; i < LEVELS; i++) {
        fold->levels[i].fold = fold;
        fold->levels[i].next = i + 1 < LEVELS ? &fold->levels[i + 1] : NULL;
    }
    return fold;
}

void fth_fold_put(struct fth_fold *fold, const int64_t *words, size_t count)
{
    put(&fold->levels[0], words, count);
}

void fth_fold_end(struct fth_fold *fold)
{
    for (size_t i = 0; i < LEVELS; i++) {
        if (fold->levels[i].body_period)
            end_loop(&fold->levels[i]);
        let_go(&fold->levels[i], fold->levels[i].count);
    }
}

void fth_fold_close(struct fth_fold *fold)
{
    for (size_t i = 0; fold && i < LEVELS; i++) {
        free(fold->levels[i].words);
        free(fold->levels[i].first);
        free(fold->levels[i].due);
        free(fold->levels[i].steps);
    }
    free(fold);
}
