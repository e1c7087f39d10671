/* What remains when there are no more events: who waits for whom, and messages that nobody
 * receives. */
#include "sim/world/world.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>

/* A text that is written up to its size. */
struct words {
    char *text;
    size_t size, length;
};

static void say(struct words *words, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(struct words *words, const char *format, ...)
{
    va_list arguments;
    if (words->length >= words->size)
        return;
    va_start(arguments, format);
    int length =
        vsnprintf(words->text + words->length, words->size - words->length, format, arguments);
    va_end(arguments);
    words->length = length < 0 ? words->size : words->length + (size_t)length;
}

static void say_command(struct words *words, const struct fth_sim_process *process,
                        const struct fth_sim_command *command)
{
    const struct fth_sim_program *program = process->world->program;
    bool is_begun = command->request && !fth_sim_is_wait(command->verb);
    say(words, "%s%s", is_begun ? "i" : "", fth_sim_verb_names[command->verb]);
    if (command->verb >= FTH_SIM_FILE_OPEN && command->verb <= FTH_SIM_FILE_WRITE_ALL)
        say(words, " of '%s'", program->files[command->file].name);
    if (command->line || program->numbers)
        say(words, " (%s %u)", program->numbers ? program->numbers : "line", command->line);
}

static const struct fth_sim_activity *top(const struct fth_sim_activity *activity)
{
    while (activity->parent)
        activity = activity->parent;
    return activity;
}

/* Whether the process cannot go on before this is over: what it is doing, or a request that this
 * waits for. A process that has come to its end has only requests left. */
static bool holds_up(const struct fth_sim_process *process, const struct fth_sim_activity *activity)
{
    return activity == process->activity || activity->waiter == process->activity;
}

static void say_posts(struct words *words, const struct fth_sim_process *process,
                      const struct fth_sim_activity *activity)
{
    enum { MOST = 4 };
    uint32_t count = 0;
    for (const struct fth_sim_post *post = process->posts; post; post = post->next) {
        if (top(post->activity) != activity)
            continue;
        if (count++ >= MOST)
            continue;
        const char *what =
            post->channel == FTH_SIM_ANSWER ? "the rendezvous reply of" : "a message from";
        if (post->from == FTH_SIM_ANY)
            say(words, ", for %s any rank", what);
        else
            say(words, ", for %s rank %u", what, post->from);
    }
    if (count > MOST)
        say(words, " and %u more", count - MOST);
    if (activity->next_gathered || (!count && fth_sim_is_collective(activity->command.verb)))
        say(words, ", for all others to reach it");
}

static uint32_t unfinished(const struct fth_sim_process *process)
{
    uint32_t count = 0;
    const struct fth_sim_activity *request = process->begun;
    for (; request; request = request->next_begun)
        count += !request->is_done;
    return count;
}

void fth_sim_describe_wait(const struct fth_sim_process *process, char *text, size_t size)
{
    enum { MOST = 3 };
    struct words words = {text, size, 0};
    if (process->activity) {
        say(&words, "in ");
        say_command(&words, process, &process->activity->command);
        say_posts(&words, process, process->activity);
    } else {
        say(&words, "at its end");
    }
    uint32_t count = 0;
    const struct fth_sim_activity *request = process->begun;
    for (; request; request = request->next_begun) {
        if (request->is_done || !holds_up(process, request) || count++ >= MOST)
            continue;
        say(&words, ", for its ");
        say_command(&words, process, &request->command);
        say_posts(&words, process, request);
    }
}

static bool is_waiting(const struct fth_sim_process *process)
{
    return process->activity || unfinished(process);
}

/* Somebody for whom a process waits, preferably one that waits itself; FTH_SIM_ANY: nobody in
 * particular. */
static uint32_t waits_for(const struct fth_sim_world *world, const struct fth_sim_process *process)
{
    uint32_t found = FTH_SIM_ANY;
    for (const struct fth_sim_post *post = process->posts; post; post = post->next) {
        if (post->from == FTH_SIM_ANY || !holds_up(process, top(post->activity)))
            continue;
        if (is_waiting(&world->processes[post->from]))
            return post->from;
        found = post->from;
    }
    return found;
}

/* Follows who waits for whom from each process; `seen` says in which search a process was met, so
 * each is looked at once. */
static uint32_t find_cycle(const struct fth_sim_world *world)
{
    uint32_t ranks = world->program->ranks, found = FTH_SIM_ANY;
    uint32_t *seen = fth_new(ranks, sizeof *seen);
    for (uint32_t start = 0; start < ranks && found == FTH_SIM_ANY; start++) {
        uint32_t at = start;
        while (at != FTH_SIM_ANY && !seen[at] && is_waiting(&world->processes[at])) {
            seen[at] = start + 1;
            at = waits_for(world, &world->processes[at]);
        }
        if (at != FTH_SIM_ANY && seen[at] == start + 1)
            found = at;
    }
    free(seen);
    return found;
}

static void say_process(struct words *words, const struct fth_sim_process *process)
{
    char wait[256] = "";
    fth_sim_describe_wait(process, wait, sizeof wait);
    say(words, "rank %u %s", process->rank, wait);
}

void fth_sim_world_describe_waits(const struct fth_sim_world *world, char *text, size_t size)
{
    enum { MOST = 4 };
    struct words words = {text, size, 0};
    uint32_t start = find_cycle(world), at, count = 0;
    if (size)
        *text = 0;
    if (start != FTH_SIM_ANY) {
        for (at = start; count == 0 || (at != start && count < MOST); count++) {
            say(&words, "%s", count ? "; " : "");
            say_process(&words, &world->processes[at]);
            at = waits_for(world, &world->processes[at]);
        }
        say(&words, at != start  ? "; and so on in a cycle"
                    : count == 1 ? ": it waits for itself"
                                 : ": each waits for the next one");
        return;
    }
    for (at = 0; at < world->program->ranks && !is_waiting(&world->processes[at]); at++)
        continue;
    if (at == world->program->ranks)
        return;
    /* To the end of the chain: to somebody who waits for one that will not do anything any more. */
    for (uint32_t next; count < world->program->ranks; count++, at = next) {
        next = waits_for(world, &world->processes[at]);
        if (next == FTH_SIM_ANY || !is_waiting(&world->processes[next]))
            break;
    }
    say_process(&words, &world->processes[at]);
    uint32_t other = waits_for(world, &world->processes[at]);
    if (other != FTH_SIM_ANY)
        say(&words, ", which has ended");
}

/* ---- messages that are left over ---- */

static void say_letter(struct words *words, const struct fth_sim_world *world,
                       const struct fth_sim_letter *letter)
{
    const char *numbers = world->program->numbers;
    say(words, "rank %u sends", letter->from);
    if (letter->line || numbers)
        say(words, " (%s %u)", numbers ? numbers : "line", letter->line);
    say(words, " to rank %u with tag %u", letter->to, letter->tag);
}

uint64_t fth_sim_world_unreceived(const struct fth_sim_world *world, char *text, size_t size)
{
    struct words words = {text, size, 0};
    uint64_t count = 0;
    if (size)
        *text = 0;
    for (uint32_t rank = 0; rank < world->program->ranks; rank++)
        for (const struct fth_sim_letter *letter = world->processes[rank].letters; letter;
             letter = letter->next) {
            if (letter->channel != FTH_SIM_MESSAGE || letter->instance)
                continue; /* somebody waits, and is reported */
            if (!count++)
                say_letter(&words, world, letter);
        }
    return count;
}

int64_t fth_sim_world_end(const struct fth_sim_world *world, uint32_t rank, char *text, size_t size)
{
    const struct fth_sim_process *process = &world->processes[rank];
    if (!is_waiting(process))
        return process->end;
    fth_sim_describe_wait(process, text, size);
    return -1;
}

int64_t fth_sim_world_last_end(const struct fth_sim_world *world, uint32_t *unfinished)
{
    int64_t last = 0;
    *unfinished = 0;
    for (uint32_t rank = 0; rank < world->program->ranks; rank++) {
        const struct fth_sim_process *process = &world->processes[rank];
        *unfinished += is_waiting(process);
        if (!is_waiting(process) && process->end > last)
            last = process->end;
    }
    return last;
}
