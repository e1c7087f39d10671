/* What a thread does: one operation of its script after the other, each when it is time. */
#include "base/varint.h"
#include "player/player.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SPIN = 60000 /* ns: a sleep may end so much late, so the rest is spun */ };

static int64_t wait_until(int64_t time)
{
    int64_t now = fth_player_now();
    if (time - now > SPIN) {
        int64_t wake = time - SPIN;
        struct timespec until = {wake / 1000000000, wake % 1000000000};
        while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
            ;
    }
    while ((now = fth_player_now()) < time)
        ;
    return now;
}

/* What a call makes goes to its slot: behind the arguments. */
static void keep_result(const struct fth_script_op *op, int64_t result)
{
    const struct fth_script_function *function = &fth_player.functions[op->function];
    if (!function->result_class || (op->what != FTH_SCRIPT_CALL))
        return;
    int64_t slot = op->arguments[op->count];
    if (slot >= 0)
        fth_player.slots[function->result_class][slot] = result;
    if (slot >= 0 && function->result_class == fth_player.plan->fd_class)
        fth_player_follow_descriptors();
}

static bool is_about_processes(const struct fth_script_op *op)
{
    return op->what >= FTH_SCRIPT_FORK && op->what <= FTH_SCRIPT_WAIT;
}

/* Recorded times begin when all ranks are in MPI. */
static bool waits(const struct fth_script_function *function, bool waits_for_mpi)
{
    return fth_player.plan->scale > 0 && !function->is_init && !waits_for_mpi;
}

/* Each operation has one, whether it waits or not. */
static void take_time(struct fth_player_thread *thread)
{
    uint64_t later;
    if (!thread->times)
        return;
    thread->times = fth_get_varint(thread->times, thread->times_end, &later);
    if (!thread->times)
        fth_player_fail("a script has fewer times than calls");
    thread->time = (int64_t)((uint64_t)thread->time + (uint64_t)fth_unzigzag(later));
}

static int64_t start_of(struct fth_player_thread *thread, const struct fth_script_op *op)
{
    const struct fth_script_plan *plan = fth_player.plan;
    const struct fth_script_function *function = &fth_player.functions[op->function];
    take_time(thread);
    if (!waits(function, plan->ranks && !fth_player.in_mpi))
        /* nothing lies between two calls, so one reading of the clock serves both */
        return thread->last ? thread->last : fth_player_now();
    double from_begin = (double)(thread->time - plan->begin) * plan->scale;
    int64_t due = fth_player.base + (int64_t)from_begin, start = wait_until(due);
    if (start - due > thread->late)
        thread->late = start - due;
    return start;
}

static void play_op(struct fth_player_thread *thread, const struct fth_script_op *op)
{
    int error;
    int64_t start = start_of(thread, op);
    if (is_about_processes(op)) {
        thread->start_others(op);
        if (op->what == FTH_SCRIPT_WAIT && thread->last)
            thread->last = fth_player_now(); /* the next call begins then */
        return;
    }
    int64_t result = fth_player_do(thread, op, &error), stop = fth_player_now();
    keep_result(op, result);
    if (!(op->flags & FTH_SCRIPT_SILENT))
        fth_player_note(thread, op, stop - start, result, error);
    if (!thread->first)
        thread->first = start;
    thread->last = stop;
}

/* For those that wait for it. */
static void count_step(const struct fth_player_thread *thread)
{
    uint64_t *done = &fth_player.steps[thread->number].done;
    __atomic_store_n(done, *done + 1, __ATOMIC_RELEASE);
}

static void play_ops(struct fth_player_thread *thread, const int64_t *words, const int64_t *end);

/* The body of a loop is done in a copy: loops in it have other numbers each time. */
static void play_loop(struct fth_player_thread *thread, const struct fth_script_op *op)
{
    int64_t times = op->arguments[0], words = op->arguments[1];
    const int64_t *body = op->arguments + op->count, *steps = body + words;
    int64_t *copy = malloc((size_t)words * sizeof *copy);
    if (!copy)
        fth_player_fail("out of memory");
    memcpy(copy, body, (size_t)words * sizeof *copy);
    for (int64_t i = 0; i < times; i++) {
        play_ops(thread, copy, copy + words);
        for (int64_t k = 0; k < words; k++)
            copy[k] = (int64_t)((uint64_t)copy[k] + (uint64_t)steps[k]);
    }
    free(copy);
}

static void play_ops(struct fth_player_thread *thread, const int64_t *words, const int64_t *end)
{
    while (words < end) {
        const struct fth_script_op *op = (const void *)words;
        fth_player_doing = op;
        if (op->what == FTH_SCRIPT_LOOP)
            play_loop(thread, op);
        else
            play_op(thread, op);
        if (op->what != FTH_SCRIPT_LOOP)
            count_step(thread);
        words += op->words;
    }
    fth_player_doing = NULL;
}

void fth_player_play(struct fth_player_thread *thread)
{
    const int64_t *end, *words = fth_player_script(fth_player.process, thread->number, &end);
    thread->times = fth_player_times(fth_player.process, thread->number, &thread->times_end);
    play_ops(thread, words, end);
}
