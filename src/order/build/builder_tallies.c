/* Things that count (semaphores, counters of events): which calls add to them, take from them, set
 * them, or look. */
#include "base/intern.h"
#include "base/memory.h"
#include "order/build/builder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TALLIES = 1 << 20 };
static const int64_t MOST_AT_ONCE = (int64_t)1 << 32; /* sums of what is more may not fit */

/* NULL: it is not known which one it is. */
static const struct fth_handle *handle_of(const struct fth_call *call, int parameter)
{
    for (size_t i = 0; i < call->use_count; i++)
        if (call->uses[i].parameter == parameter && call->uses[i].handle->value >= 0)
            return call->uses[i].handle;
    return NULL;
}

/* "named NAME (KEY), made with 2", "memory (KEY)" or "counter of events (KEY)", as the tracer
 * writes it (capture/wrap/semaphores.c, capture/wrap/counters.c); without a name it is one of
 * threads. */
static const char *key_in(const char *name)
{
    const char *open = name ? strrchr(name, '(') : NULL;
    return open && strchr(open, ')') ? open + 1 : NULL;
}

static struct fth_order_tally tally_of_threads(const struct fth_order_builder *builder,
                                               const struct fth_handle *handle)
{
    char key[64], called[96];
    snprintf(key, sizeof key, "process %zu, number %llu", builder->proc,
             (unsigned long long)handle->number);
    snprintf(called, sizeof called, "a semaphore (%s)", key);
    return (struct fth_order_tally){.key = fth_text_copy(key), .called = fth_text_copy(called)};
}

static struct fth_order_tally tally_called(const struct fth_order_builder *builder,
                                           const struct fth_handle *handle)
{
    static const char named[] = "named ";
    const char *name = handle->name, *key = key_in(name);
    if (!name || !*name)
        return tally_of_threads(builder, handle);
    if (!key)
        return (struct fth_order_tally){.key = fth_text_copy(""),
                                        .called = fth_text_copy("semaphores or eventfd counters"),
                                        .is_unknown = true};
    bool is_counter = strcmp(handle->handle_class, "counter") == 0;
    bool has_name = strncmp(name, named, sizeof named - 1) == 0;
    const char *from = is_counter ? key : has_name ? name + sizeof named - 1 : name;
    const char *to = is_counter ? strchr(key, ')') : key - 2;
    char called[400];
    snprintf(called, sizeof called, "%s (%.*s)", is_counter ? "an eventfd counter" : "a semaphore",
             (int)(to - from > 300 ? 300 : to - from), from);
    return (struct fth_order_tally){.key = fth_text_part(key, (size_t)(strchr(key, ')') - key)),
                                    .called = fth_text_copy(called),
                                    .has_name = has_name};
}

/* Its number; UINT32_MAX: there are too many. The texts of `tally` are given up. */
static uint32_t number_of(struct fth_order_builder *builder, struct fth_order_tally tally)
{
    struct fth_order_operations *operations = builder->operations;
    uint32_t number = fth_intern(&builder->tallies.keys, tally.key, strlen(tally.key) + 1);
    if (number < operations->tallies.count || number >= MOST_TALLIES) {
        free(tally.key);
        free(tally.called);
        return number < operations->tallies.count ? number : UINT32_MAX;
    }
    FTH_GROW(operations->tallies.all, operations->tallies.count);
    operations->tallies.all[operations->tallies.count++] = tally;
    return number;
}

static void add_tick(struct fth_order_builder *builder, uint32_t tally, uint32_t operation,
                     enum fth_tick_kind kind, int64_t amount)
{
    struct fth_order_operations *operations = builder->operations;
    if (tally == UINT32_MAX)
        return;
    FTH_GROW(operations->tallies.ticks, operations->tallies.tick_count);
    operations->tallies.ticks[operations->tallies.tick_count++] =
        (struct fth_order_tick){.start = builder->call->start,
                                .end = builder->call->end,
                                .amount = amount,
                                .tally = tally,
                                .operation = operation,
                                .kind = (uint8_t)kind};
}

/* ---- semaphores of POSIX, counters of events ---- */

/* What sem_open was given, if it was not there before; -1: it was, or may have been. */
static int64_t made_with(const char *name)
{
    static const char made[] = "), made with ";
    const char *key = key_in(name), *end = key ? strchr(key, ')') : NULL;
    return end && strncmp(end, made, sizeof made - 1) == 0
               ? strtoll(end + sizeof made - 1, NULL, 10)
               : -1;
}

static int64_t at_most(int64_t amount)
{
    return amount <= MOST_AT_ONCE ? amount : -1;
}

static int64_t amount_of(const struct fth_order_builder *builder,
                         const struct fth_order_semantics *semantics,
                         const struct fth_handle *handle)
{
    if (semantics->tally.tick == FTH_TICK_MADE)
        return at_most(made_with(handle->name));
    if (semantics->tally.amount < 0 || semantics->tally.tick == FTH_TICK_LOOK)
        return 1;
    return at_most(fth_builder_integer(builder, semantics->tally.amount, -1));
}

static void note_handle(struct fth_order_builder *builder,
                        const struct fth_order_semantics *semantics, uint32_t operation)
{
    const struct fth_handle *handle = handle_of(builder->call, semantics->tally.slot);
    bool failed = builder->call->error_number != 0;
    add_tick(builder, number_of(builder, tally_called(builder, handle)), operation,
             failed ? FTH_TICK_LOOK : semantics->tally.tick,
             failed ? 1 : amount_of(builder, semantics, handle));
}

/* ---- semaphores of System V ---- */

enum { MOST_OF_NUMBER = 64, SETS_ONE = 16, SETS_ALL = 17, REMOVES = 0, SETS_RIGHTS = 1 };

static struct fth_order_tally tally_of_number(const char *key, int64_t id)
{
    char called[64];
    snprintf(called, sizeof called, "a semaphore of System V (number %lld)", (long long)id);
    return (struct fth_order_tally){
        .key = fth_text_copy(key), .called = fth_text_copy(called), .has_name = true};
}

static uint32_t of_number(struct fth_order_builder *builder, int64_t id, int64_t index)
{
    char key[64];
    snprintf(key, sizeof key, "number %lld %lld", (long long)id, (long long)index);
    return number_of(builder, tally_of_number(key, id));
}

static void note_number(struct fth_order_builder *builder,
                        const struct fth_order_semantics *semantics, uint32_t operation)
{
    int64_t count = fth_builder_integer(builder, semantics->tally.size, 0);
    bool made = fth_builder_integer(builder, semantics->tally.made_new, 0) != 0;
    for (int64_t i = 0; i < count && i < MOST_OF_NUMBER; i++)
        add_tick(builder, of_number(builder, builder->call->result.integer, i), operation,
                 FTH_TICK_MADE, made ? 0 : -1);
}

/* All of the number that the process has used. An amount of -1: what is done is not known. Who
 * takes them away may have used none of those that others wait for. */
static void all_of_number(struct fth_order_builder *builder, int64_t id, uint32_t operation,
                          enum fth_tick_kind kind, int64_t amount)
{
    char start[64];
    snprintf(start, sizeof start, "number %lld ", (long long)id);
    for (uint32_t i = 0; i < builder->operations->tallies.count; i++)
        if (strncmp(builder->operations->tallies.all[i].key, start, strlen(start)) == 0 &&
            !builder->operations->tallies.all[i].is_unknown)
            add_tick(builder, i, operation, kind, amount);
    struct fth_order_tally any = tally_of_number(start, id);
    any.is_unknown = true;
    add_tick(builder, number_of(builder, any), operation, kind, amount);
}

/* What one call does to one of them several times is not followed. Who waits until nothing is left
 * looks. */
static void note_operations(struct fth_order_builder *builder,
                            const struct fth_order_semantics *semantics, uint32_t operation)
{
    const struct fth_value *list = fth_builder_value(builder, semantics->tally.operations);
    int64_t id = fth_builder_integer(builder, semantics->tally.id, -1);
    bool failed = builder->call->error_number != 0;
    if (failed || !list || list->type != FTH_VALUE_INTEGERS || list->count % 3) {
        all_of_number(builder, id, operation, failed ? FTH_TICK_LOOK : FTH_TICK_DOWN,
                      failed ? 1 : -1);
        return;
    }
    for (size_t i = 0; i + 2 < list->count; i += 3) {
        enum { UNDONE = 0x1000 };
        int64_t index = list->integers[i], change = list->integers[i + 1];
        bool again = change < -MOST_AT_ONCE;
        uint32_t tally = of_number(builder, id, index);
        for (size_t k = 0; k + 2 < list->count; k += 3)
            again |= k != i && list->integers[k] == index;
        add_tick(builder, tally, operation,
                 !change      ? FTH_TICK_LOOK
                 : change > 0 ? FTH_TICK_UP
                              : FTH_TICK_DOWN,
                 again ? -1 : at_most(change < 0 ? -change : change));
        if (tally != UINT32_MAX && (list->integers[i + 2] & UNDONE))
            builder->operations->tallies.ticks[builder->operations->tallies.tick_count - 1].undone =
                true;
    }
}

static void note_control(struct fth_order_builder *builder,
                         const struct fth_order_semantics *semantics, uint32_t operation)
{
    const struct fth_value *list = fth_builder_value(builder, semantics->tally.operations);
    int64_t id = fth_builder_integer(builder, semantics->tally.id, -1),
            index = fth_builder_integer(builder, semantics->tally.index, 0),
            command = fth_builder_integer(builder, semantics->command, -1);
    bool known = list && list->type == FTH_VALUE_INTEGERS;
    if (command == SETS_RIGHTS)
        return;
    bool sets = command == SETS_ONE || command == SETS_ALL;
    if (!sets || !known) {
        all_of_number(builder, id, operation,
                      command == REMOVES ? FTH_TICK_GONE
                      : sets             ? FTH_TICK_SET
                                         : FTH_TICK_LOOK,
                      sets ? -1 : 1);
        return;
    }
    for (size_t i = 0; i < list->count; i++)
        add_tick(builder, of_number(builder, id, command == SETS_ONE ? index : (int64_t)i),
                 operation, FTH_TICK_SET, at_most(list->integers[i]));
}

/* ---- message queues ---- */

/* By its inode, or its number. */
static uint32_t of_queue(struct fth_order_builder *builder,
                         const struct fth_order_semantics *semantics)
{
    const char *whose = semantics->tally.inode >= 0 ? "POSIX" : "System V";
    int64_t number =
        semantics->tally.inode >= 0 ? fth_builder_integer(builder, semantics->tally.inode, -1)
        : semantics->tally.id >= 0  ? fth_builder_integer(builder, semantics->tally.id, -1)
                                    : builder->call->result.integer;
    char key[64], called[96];
    snprintf(key, sizeof key, "queue of %s %lld", whose, (long long)number);
    snprintf(called, sizeof called, "a message queue of %s (number %lld)", whose,
             (long long)number);
    return number_of(builder, (struct fth_order_tally){.key = fth_text_copy(key),
                                                       .called = fth_text_copy(called),
                                                       .has_name = true,
                                                       .is_bounded = true,
                                                       .is_unknown = number < 0});
}

/* Which message is received may depend on its priority or type, but not how many there must be. */
static void note_queue(struct fth_order_builder *builder,
                       const struct fth_order_semantics *semantics, uint32_t operation)
{
    enum { COPIES = 0x4000 };
    int64_t flags = fth_builder_integer(builder, semantics->command, 0);
    bool is_control = semantics->tally.tick == FTH_TICK_LOOK && semantics->tally.inode < 0;
    bool notifies = strcmp(builder->call->function->orders, "notify") == 0;
    enum fth_tick_kind kind = semantics->tally.tick;
    if (is_control && flags == SETS_RIGHTS)
        return;
    if (is_control && flags == REMOVES)
        kind = FTH_TICK_GONE;
    bool refused = kind == FTH_TICK_UP && builder->call->error_number;
    if (refused)
        kind = FTH_TICK_LOOK;
    if (kind == FTH_TICK_DOWN &&
        (builder->call->error_number || (semantics->tally.inode < 0 && (flags & COPIES))))
        kind = FTH_TICK_LOOK;
    bool made =
        kind != FTH_TICK_MADE || fth_builder_integer(builder, semantics->tally.made_new, 0) != 0;
    uint32_t tally = of_queue(builder, semantics);
    if (tally == UINT32_MAX)
        return;
    add_tick(builder, tally, operation, kind, !made || notifies ? -1 : kind != FTH_TICK_MADE);
    struct fth_order_operations *operations = builder->operations;
    struct fth_order_tick *tick = &operations->tallies.ticks[operations->tallies.tick_count - 1];
    tick->selects = fth_builder_integer(builder, semantics->tally.priority, 0) ||
                    fth_builder_integer(builder, semantics->tally.message_type, 0);
    operations->tallies.all[tally].refused |= refused;
    tick->after_refusal = operations->tallies.all[tally].refused;
}

/* ---- signals ---- */

static uint32_t of_signal(struct fth_order_builder *builder, int64_t number, int64_t from,
                          int64_t to)
{
    char key[96];
    snprintf(key, sizeof key, "signal %lld from %lld to %lld", (long long)number, (long long)from,
             (long long)to);
    return number_of(builder, (struct fth_order_tally){.key = fth_text_copy(key),
                                                       .called = fth_text_copy("a signal"),
                                                       .sender = from});
}

/* Of a thread the number may be given, too: to which process that goes is not known. */
static bool is_process(const struct fth_trace *trace, int64_t pid)
{
    bool is = false;
    for (size_t i = 0; i < fth_trace_process_count(trace) && !is; i++)
        is = fth_trace_process(trace, i)->pid == pid;
    return is;
}

static void note_signal(struct fth_order_builder *builder,
                        const struct fth_order_semantics *semantics, uint32_t operation)
{
    int64_t own = fth_trace_process(builder->trace, builder->proc)->pid,
            pid = fth_builder_integer(builder, semantics->tally.pid, -1),
            number = fth_builder_integer(builder, semantics->command, 0);
    bool known = pid > 0 && is_process(builder->trace, pid);
    builder->operations->tallies.signals_many |= !known;
    if (known && number > 0)
        add_tick(builder, of_signal(builder, number, own, pid), operation, FTH_TICK_UP, 1);
}

/* The system says that a child has ended, by SIGCHLD. It can be waited for still. */
static void note_end_of_child(struct fth_order_builder *builder, uint32_t operation, int64_t pid)
{
    struct fth_order_operation end = fth_order_operation(builder->operations, operation);
    end.kind = FTH_SYNC_REAP;
    end.peer = (int32_t)pid;
    end.tag = 1;
    fth_builder_complete(builder, fth_order_operations_add(builder->operations, end));
}

/* Several signals of one number may come as one: who waits knows of as many as came, at least. */
static void note_wait(struct fth_order_builder *builder,
                      const struct fth_order_semantics *semantics, uint32_t operation)
{
    enum { BY_USER = 0, QUEUED = -1, TO_THREAD = -6 }; /* SI_USER, SI_QUEUE, SI_TKILL */
    enum { OF_CHILD = 17, EXITED = 1, DUMPED = 3 };    /* SIGCHLD; CLD_EXITED, CLD_DUMPED */
    int64_t own = fth_trace_process(builder->trace, builder->proc)->pid,
            code = fth_builder_integer(builder, semantics->tally.code, 1),
            sender = fth_builder_integer(builder, semantics->tally.sender, 0);
    if (builder->call->result.integer == OF_CHILD && code >= EXITED && code <= DUMPED &&
        sender > 0 && sender <= INT32_MAX)
        note_end_of_child(builder, operation, sender);
    /* pthread_kill is not recorded */
    builder->operations->tallies.signals_many |= sender == own && code == TO_THREAD;
    if (sender > 0 && (code == BY_USER || code == QUEUED || code == TO_THREAD))
        add_tick(builder, of_signal(builder, builder->call->result.integer, sender, own), operation,
                 FTH_TICK_DOWN, 1);
}

/* ---- all of them ---- */

bool fth_builder_counts(const struct fth_order_builder *builder,
                        const struct fth_order_semantics *semantics)
{
    return semantics->tally.form != FTH_TALLY_OF_HANDLE ||
           handle_of(builder->call, semantics->tally.slot) != NULL;
}

void fth_builder_tick(struct fth_order_builder *builder,
                      const struct fth_order_semantics *semantics, struct fth_event begin)
{
    static void (*const notes[])(struct fth_order_builder *, const struct fth_order_semantics *,
                                 uint32_t) = {
        [FTH_TALLY_OF_HANDLE] = note_handle,         [FTH_TALLY_OF_NUMBER] = note_number,
        [FTH_TALLY_OF_OPERATIONS] = note_operations, [FTH_TALLY_OF_CONTROL] = note_control,
        [FTH_TALLY_OF_SIGNAL] = note_signal,         [FTH_TALLY_OF_WAIT] = note_wait,
        [FTH_TALLY_OF_QUEUE] = note_queue,
    };
    uint32_t operation = fth_order_operations_add(
        builder->operations, fth_builder_operation(builder, semantics, FTH_SYNC_TICK, begin));
    fth_builder_complete(builder, operation);
    notes[semantics->tally.form](builder, semantics, operation);
}
