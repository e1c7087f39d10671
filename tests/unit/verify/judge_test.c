/* Conflicts and verdicts: cases by hand, then thousands of random small runs, held against
 * definitions: every pair of items, constructs by trying all marks, and happens-before as the
 * transitive closure over all that begins and ends. The order that the judge asks is this file,
 * too. */
#include "verify/judge/judge.h"
#include "verify/compare/conflict.h"
#include "verify/gather/append_positions.h"

#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum {
    RUNS = 6000,
    MOST_PROCESSES = 4,
    MOST_TIMELINES = MOST_PROCESSES + 2,
    MOST_ATOMS = 260,
    MOST_ITEMS = MOST_ATOMS,
    MOST_CALLS = 3 * MOST_ITEMS,
    FILES = 2,
    PLACES = 64, /* bytes of a file */
    NEVER = -1,
};

static uint64_t state = 88172645463325252u;
static uint32_t below(uint32_t limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state % limit);
}

/* ---- a run: what begins, ends or orders is an atom, in an order in which they may have happened
 * ---- */

struct atom {
    uint32_t timeline, step; /* events of the timeline before it */
    bool is_event;
};

/* An access or a mark. */
struct item {
    uint32_t proc, timeline, file; /* FTH_NO_OPENING: about none */
    int begin, end;                /* atoms */
    uint32_t function;             /* of a mark */
};

/* One call of an access. */
struct call {
    uint32_t access;
    uint64_t bytes; /* one bit each */
};

static const struct fth_function functions[] = {
    {.name = "fsync", .layer = "posix", .syncs = true},
    {.name = "close", .layer = "posix", .closes = true},
    {.name = "open", .layer = "posix", .opens = true},
    {.name = "MPI_File_sync", .layer = "mpiio", .syncs = true},
    {.name = "MPI_File_open", .layer = "mpiio", .opens = true},
    {.name = "MPI_File_close", .layer = "mpiio", .closes = true},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

struct run {
    uint32_t process_count, timeline_count;
    uint32_t process_of[MOST_TIMELINES];
    int atom_count;
    struct atom atoms[MOST_ATOMS];
    bool before[MOST_ATOMS][MOST_ATOMS];
    uint32_t steps[MOST_TIMELINES], ticks[MOST_TIMELINES];
    struct item items[MOST_ITEMS], marks[MOST_ITEMS];
    struct call calls[MOST_CALLS];
    size_t call_count;
    /* by timeline and step: how many events of each timeline came before that, once it is asked */
    bool is_known;
    uint32_t known[MOST_TIMELINES][MOST_ATOMS + 1][MOST_TIMELINES];
    /* situations and marks have the numbers of items and marks above */
    struct fth_run_accesses accesses;
};
static struct run run;

static int add_atom(uint32_t timeline, bool is_event)
{
    assert_true(run.atom_count < MOST_ATOMS);
    run.atoms[run.atom_count] = (struct atom){timeline, run.steps[timeline], is_event};
    run.steps[timeline] += is_event;
    return run.atom_count++;
}

static struct fth_moment here(uint32_t timeline)
{
    return (struct fth_moment){timeline, run.steps[timeline]};
}

static void add_range(uint32_t access, struct fth_access_range range)
{
    range.situation = access;
    FTH_GROW(run.accesses.ranges, run.accesses.range_count);
    run.accesses.ranges[run.accesses.range_count++] = range;
    run.calls[run.call_count++] =
        (struct call){access, ((UINT64_C(1) << range.length) - 1) << range.start};
}

/* `what` says all of it but where it is. */
static uint32_t begin_access(uint32_t timeline, uint32_t file, struct fth_situation what)
{
    struct fth_run_accesses *accesses = &run.accesses;
    uint32_t number = (uint32_t)accesses->situation_count;
    struct item *access = &run.items[number];
    *access = (struct item){run.process_of[timeline], timeline, file, 0, NEVER, 0};
    access->begin = add_atom(timeline, false);
    what.proc = access->proc;
    what.opening = file;
    what.begin = here(timeline);
    what.end = (struct fth_moment){timeline, FTH_NEVER};
    what.began = run.ticks[timeline];
    what.ended = UINT32_MAX;
    what.carrier = FTH_NO_CALL;
    what.first_call = (uint64_t)run.atom_count;
    FTH_GROW(accesses->situations, accesses->situation_count);
    accesses->situations[accesses->situation_count++] = what;
    return number;
}

static void end_access(uint32_t number)
{
    struct item *access = &run.items[number];
    struct fth_situation *situation = &run.accesses.situations[number];
    access->end = add_atom(access->timeline, false);
    situation->end = here(access->timeline);
    situation->ended = run.ticks[access->timeline];
}

static uint32_t begin_mark(uint32_t timeline, uint32_t file, uint32_t function)
{
    struct fth_run_accesses *accesses = &run.accesses;
    uint32_t number = (uint32_t)accesses->mark_count;
    struct item *mark = &run.marks[number];
    *mark = (struct item){run.process_of[timeline], timeline, file, 0, NEVER, function};
    mark->begin = add_atom(timeline, false);
    FTH_GROW(accesses->marks, accesses->mark_count);
    accesses->marks[accesses->mark_count++] = (struct fth_sync_mark){
        .handle = FTH_NO_OPENING,
        .proc = mark->proc,
        .opening = mark->file,
        .began = ++run.ticks[timeline],
        .in = here(timeline),
        .function = &functions[mark->function],
    };
    return number;
}

static void end_mark(uint32_t number)
{
    struct item *mark = &run.marks[number];
    mark->end = add_atom(mark->timeline, false);
    run.accesses.marks[number].ended = ++run.ticks[mark->timeline];
    run.accesses.marks[number].out = here(mark->timeline);
}

static void begin_run(uint32_t processes, uint32_t timelines)
{
    memset(&run, 0, sizeof run);
    run.process_count = processes;
    run.timeline_count = timelines;
    for (uint32_t i = 0; i < timelines; i++)
        run.process_of[i] = i;
}

/* What is in order so far: what a timeline does, and what is marked before something else. */
static void order_timelines(void)
{
    for (int from = 0; from < run.atom_count; from++)
        for (int to = from + 1; to < run.atom_count; to++)
            run.before[from][to] |= run.atoms[from].timeline == run.atoms[to].timeline;
}

static void close_transitively(void)
{
    for (int middle = 0; middle < run.atom_count; middle++)
        for (int from = 0; from < middle; from++)
            for (int to = middle + 1; run.before[from][middle] && to < run.atom_count; to++)
                run.before[from][to] |= run.before[middle][to];
}

/* ---- the order and the trace that the judge asks ---- */

const struct fth_process *fth_runs_process(const struct fth_runs *runs, uint32_t proc)
{
    static struct fth_process process = {.thread_count = MOST_TIMELINES};
    (void)runs, (void)proc;
    return &process;
}

/* No process comes from another one. */
uint32_t fth_runs_predecessor(const struct fth_runs *runs, uint32_t proc)
{
    (void)runs, (void)proc;
    return FTH_NO_PREDECESSOR;
}

bool fth_runs_is_exec(const struct fth_runs *runs, uint32_t proc)
{
    (void)runs, (void)proc;
    return false;
}

/* Threads of a process have the numbers of timelines of the run; those of other processes made no
 * call in it. */
uint32_t fth_order_timeline(const struct fth_order *order, size_t proc, uint32_t thread)
{
    (void)order;
    return thread < run.timeline_count && run.process_of[thread] == proc ? thread : UINT32_MAX;
}

bool fth_runs_before(const struct fth_runs *runs, struct fth_moment a, struct fth_moment b)
{
    (void)runs;
    if (a.timeline == b.timeline)
        return a.step <= b.step;
    for (int from = 0; from < run.atom_count; from++)
        for (int to = from + 1; to < run.atom_count; to++)
            if (run.atoms[from].is_event && run.atoms[from].timeline == a.timeline &&
                run.atoms[from].step >= a.step && run.atoms[to].is_event &&
                run.atoms[to].timeline == b.timeline && run.atoms[to].step < b.step &&
                run.before[from][to])
                return true;
    return false;
}

/* What comes before an event comes before all that follows it. */
static void find_known(void)
{
    for (int to = 0; to < run.atom_count; to++) {
        const struct atom *atom = &run.atoms[to];
        for (int from = 0; atom->is_event && from < to; from++) {
            const struct atom *first = &run.atoms[from];
            uint32_t *known = &run.known[atom->timeline][atom->step + 1][first->timeline];
            if (first->is_event && run.before[from][to] && *known <= first->step)
                *known = first->step + 1;
        }
    }
    for (uint32_t timeline = 0; timeline < run.timeline_count; timeline++)
        for (uint32_t step = 1; step <= MOST_ATOMS; step++)
            for (uint32_t i = 0; i < run.timeline_count; i++)
                if (run.known[timeline][step][i] < run.known[timeline][step - 1][i])
                    run.known[timeline][step][i] = run.known[timeline][step - 1][i];
    run.is_known = true;
}

/* What is known at a moment is the first moment of its timeline at which as much is known. */
const struct fth_vector_clock *fth_runs_known(const struct fth_runs *runs, struct fth_moment b)
{
    static struct fth_moment moments[MOST_TIMELINES][MOST_ATOMS + 1];
    (void)runs;
    if (!run.is_known)
        find_known();
    for (uint32_t i = 0; b.step > 0; b.step--, i = 0) {
        while (i < run.timeline_count &&
               (i == b.timeline ||
                run.known[b.timeline][b.step][i] == run.known[b.timeline][b.step - 1][i]))
            i++;
        if (i < run.timeline_count)
            break;
    }
    moments[b.timeline][b.step] = b;
    return (const struct fth_vector_clock *)(const void *)&moments[b.timeline][b.step];
}

uint32_t fth_order_known_events(const struct fth_vector_clock *known, uint32_t timeline)
{
    const struct fth_moment *moment = (const struct fth_moment *)(const void *)known;
    return run.known[moment->timeline][moment->step][timeline];
}

size_t fth_order_timelines(const struct fth_order *order)
{
    (void)order;
    return run.timeline_count;
}

bool fth_order_knows(const struct fth_vector_clock *known, struct fth_moment a)
{
    return fth_runs_before(NULL, a, *(const struct fth_moment *)(const void *)known);
}

/* ---- by definition ---- */

static bool happens_before(const struct item *one, const struct item *other)
{
    return one->end != NEVER && run.before[one->end][other->begin];
}

/* In program order: of one thread, either `other` ends after `one`, or `one` is over when `other`
 * begins; threads of a process must be ordered. */
static bool in_program_order(const struct item *one, const struct item *other, bool over)
{
    if (one->proc != other->proc || one->end == NEVER)
        return false;
    if (one->timeline != other->timeline)
        return happens_before(one, other);
    return over ? one->end < other->begin : one->end < other->end;
}

static bool is_in(const struct item *mark, const struct fth_consistency_set *set)
{
    const struct fth_function *function = &functions[mark->function];
    for (size_t i = 0; i < set->function_count; i++) {
        const char *word = set->functions[i], *meaning = strrchr(word, ':');
        if (meaning && strncmp(word, function->layer, (size_t)(meaning - word)) != 0)
            continue;
        meaning = meaning ? meaning + 1 : word;
        if (strcmp(word, function->name) == 0 ||
            (function->syncs && strcmp(meaning, "syncs") == 0) ||
            (function->closes && strcmp(meaning, "closes") == 0) ||
            (function->opens && strcmp(meaning, "opens") == 0))
            return true;
    }
    return false;
}

/* The first of the steps at the end that stay in the process of y. */
static size_t last_steps(const struct fth_construct *construct)
{
    size_t at = construct->step_count;
    if (construct->last != FTH_PROGRAM_ORDER || at == 0)
        return at;
    while (--at > 0 && construct->steps[at].relation == FTH_PROGRAM_ORDER)
        ;
    return at;
}

/* Do marks stand between `from`, which is x or a mark of the step before, and y, for all steps from
 * `at` on? */
static bool leads_to(const struct fth_consistency *model, const struct fth_construct *construct,
                     size_t at, const struct item *from, const struct item *y)
{
    bool over = at > last_steps(construct) || at == construct->step_count;
    enum fth_relation relation =
        at < construct->step_count ? construct->steps[at].relation : construct->last;
    if (at == construct->step_count)
        return relation == FTH_HAPPENS_BEFORE ? happens_before(from, y)
                                              : in_program_order(from, y, over);
    for (size_t i = 0; i < run.accesses.mark_count; i++) {
        const struct item *mark = &run.marks[i];
        if ((mark->file == y->file || mark->file == FTH_NO_OPENING) &&
            is_in(mark, &model->sets[construct->steps[at].set]) &&
            (relation == FTH_HAPPENS_BEFORE ? happens_before(from, mark)
                                            : in_program_order(from, mark, over)) &&
            leads_to(model, construct, at + 1, mark, y))
            return true;
    }
    return false;
}

static bool applies(const struct fth_construct *construct, const struct fth_situation *x,
                    const struct fth_situation *y)
{
    unsigned wanted = construct->conditions;
    return !((wanted & FTH_X_READS) && x->writes) && !((wanted & FTH_X_WRITES) && !x->writes) &&
           !((wanted & FTH_Y_READS) && y->writes) && !((wanted & FTH_Y_WRITES) && !y->writes) &&
           !((wanted & FTH_X_TRUNCATES) && !x->removes) &&
           !((wanted & FTH_Y_TRUNCATES) && !y->removes) &&
           !((wanted & FTH_BOTH_ATOMIC) && !(x->atomic && y->atomic));
}

static bool synchronized_by_definition(const struct fth_consistency *model, uint32_t x, uint32_t y)
{
    for (size_t i = 0; i < model->construct_count; i++)
        if (applies(&model->constructs[i], &run.accesses.situations[x],
                    &run.accesses.situations[y]) &&
            leads_to(model, &model->constructs[i], 0, &run.items[x], &run.items[y]))
            return true;
    return false;
}

/* ---- one against the other ---- */

struct sums {
    uint64_t pairs, violations;
};

struct found {
    struct fth_judge *judge;
    size_t model_count;
    uint32_t run; /* its number, from 1 on */
    struct sums sums[16];
};

/* Of two of different processes the same is said as of all that are like them. */
static void check_alike(const struct found *found, const struct fth_conflict *conflict,
                        uint64_t said)
{
    static struct {
        uint32_t run;
        uint64_t said;
    } known[MOST_ITEMS][MOST_ITEMS];
    uint32_t a = found->judge->alike.of[conflict->a], b = found->judge->alike.of[conflict->b];
    if (known[a][b].run == found->run)
        assert_int_equal(known[a][b].said, said);
    known[a][b].run = found->run;
    known[a][b].said = said;
}

static void take_conflict(void *context, const struct fth_conflict *conflict)
{
    struct found *found = context;
    const struct fth_situation *a = &run.accesses.situations[conflict->a];
    const struct fth_situation *b = &run.accesses.situations[conflict->b];
    enum fth_precedence precedence = fth_judge_precedence(found->judge, a, b);
    uint64_t said = (uint64_t)precedence;
    if (a->proc == b->proc || !fth_append_positions_is_pair(a, b, precedence))
        return;
    for (size_t i = 0; i < found->model_count; i++) {
        bool safe =
            (precedence == FTH_FIRST_IS_FIRST && fth_judge_synchronized(found->judge, i, a, b)) ||
            (precedence == FTH_SECOND_IS_FIRST && fth_judge_synchronized(found->judge, i, b, a));
        found->sums[i].pairs += conflict->pairs;
        found->sums[i].violations += safe ? 0 : conflict->pairs;
        said = said << 1 | safe;
    }
    check_alike(found, conflict, said);
}

static bool is_safe(const struct fth_consistency *model, uint32_t a, uint32_t b)
{
    if (happens_before(&run.items[a], &run.items[b]))
        return synchronized_by_definition(model, a, b);
    if (happens_before(&run.items[b], &run.items[a]))
        return synchronized_by_definition(model, b, a);
    return false;
}

static struct sums sums_by_definition(const struct fth_consistency *model)
{
    struct sums sums = {0};
    for (size_t i = 0; i < run.call_count; i++)
        for (size_t j = i + 1; j < run.call_count; j++) {
            uint32_t a = run.calls[i].access, b = run.calls[j].access;
            if (run.items[a].proc == run.items[b].proc || run.items[a].file != run.items[b].file ||
                !(run.accesses.situations[a].writes || run.accesses.situations[b].writes) ||
                !(run.calls[i].bytes & run.calls[j].bytes))
                continue;
            /* What two cut off is the same. */
            const struct fth_situation *one = &run.accesses.situations[a];
            const struct fth_situation *other = &run.accesses.situations[b];
            if (one->removes && other->removes)
                continue;
            sums.pairs++;
            sums.violations += !is_safe(model, a, b);
        }
    return sums;
}

/* Pair by pair. */
static void take_rows(void *context, const struct fth_conflict_rows *rows)
{
    for (size_t i = 0; i < rows->a.count; i++)
        for (size_t k = rows->a.units == rows->b.units ? i + 1 : 0; k < rows->b.count; k++) {
            const struct fth_sweep_unit *one = &rows->a.units[i], *other = &rows->b.units[k];
            bool is_first = one->situation < other->situation;
            take_conflict(context,
                          &(struct fth_conflict){.a = is_first ? one->situation : other->situation,
                                                 .b = is_first ? other->situation : one->situation,
                                                 .pairs = one->times * other->times,
                                                 .start = rows->start,
                                                 .end = rows->end});
        }
}

/* What the judge finds under each of the models. */
static void judge_run(const struct fth_consistencies *models, struct found *found)
{
    struct fth_judge judge;
    struct fth_carriers carriers = {0}; /* nobody carries bytes of others */
    uint32_t all_of_one[MOST_TIMELINES] = {0};
    struct fth_run only = {0};
    struct fth_runs runs = {.count = 1,
                            .runs = &only,
                            .process_count = run.process_count,
                            .timeline_count = run.timeline_count,
                            .run_of_proc = all_of_one,
                            .run_of_timeline = all_of_one};
    static uint32_t runs_judged;
    *found = (struct found){.judge = &judge, .model_count = models->count, .run = ++runs_judged};
    fth_judge_open(&judge, &runs, &run.accesses, &carriers, models, 1);
    struct fth_conflict_listener listener = {take_conflict, take_rows, found, false};
    struct fth_conflict_files *files = fth_conflict_files_new(&run.accesses, FILES, 1);
    for (uint32_t i = 0; i < FILES; i++) {
        struct fth_conflict_file *file = fth_conflict_file_open(files, i);
        for (size_t slice = 0; slice < fth_conflict_slices(file); slice++)
            fth_conflict_find(file, slice, &listener);
        fth_conflict_file_close(file);
    }
    fth_conflict_files_free(files);
    fth_judge_close(&judge);
    found->judge = NULL;
}

static void free_run(void)
{
    free(run.accesses.situations);
    free(run.accesses.marks);
    free(run.accesses.ranges);
    free(run.accesses.series);
}

/* ---- cases by hand: one writes, another one reads the same bytes ---- */

enum { WRITER, READER };
enum { FSYNC, CLOSE, OPEN, FILE_SYNC, FILE_OPEN, FILE_CLOSE }; /* of `functions` */

static void do_access(uint32_t timeline, uint64_t start, bool writes)
{
    uint32_t number = begin_access(
        timeline, 0, (struct fth_situation){.handle = FTH_NO_OPENING, .writes = writes});
    add_range(number, (struct fth_access_range){.start = start, .length = 8});
    end_access(number);
}

static void do_call(uint32_t timeline, uint32_t function)
{
    end_mark(begin_mark(timeline, 0, function));
}

/* The writer sends, and the reader has received it before it goes on. */
static void do_message(void)
{
    int from = add_atom(WRITER, true), to = add_atom(READER, true);
    run.before[from][to] = true;
}

/* Under which built-in models the run is racy, each one's name with a blank behind it. */
static const char *racy_models(void)
{
    static char racy[200];
    struct fth_consistencies models = {0};
    struct found found;
    fth_consistency_built_in(&models);
    order_timelines();
    close_transitively();
    judge_run(&models, &found);
    racy[0] = '\0';
    for (size_t i = 0; i < models.count; i++)
        if (found.sums[i].violations > 0)
            strcat(strcat(racy, models.models[i].name), " ");
    fth_consistencies_free(&models);
    free_run();
    return racy;
}

static void without_an_order_it_is_racy_everywhere(void **unused)
{
    (void)unused;
    begin_run(2, 2);
    do_access(WRITER, 0, true);
    do_access(READER, 0, false);
    assert_string_equal(racy_models(), "posix commit session mpi-io eventual ");
}

static void other_bytes_are_never_racy(void **unused)
{
    (void)unused;
    begin_run(2, 2);
    do_access(WRITER, 0, true);
    do_access(READER, 8, false);
    assert_string_equal(racy_models(), "");
}

static void a_message_is_enough_for_posix_alone(void **unused)
{
    (void)unused;
    begin_run(2, 2);
    do_access(WRITER, 0, true);
    do_message();
    do_access(READER, 0, false);
    assert_string_equal(racy_models(), "commit session mpi-io eventual ");
}

static void fsync_and_a_message_is_a_commit(void **unused)
{
    (void)unused;
    begin_run(2, 2);
    do_access(WRITER, 0, true);
    do_call(WRITER, FSYNC);
    do_message();
    do_access(READER, 0, false);
    assert_string_equal(racy_models(), "session mpi-io eventual ");
}

static void fsync_behind_the_message_comes_too_late(void **unused)
{
    (void)unused;
    begin_run(2, 2);
    do_access(WRITER, 0, true);
    do_message();
    do_call(WRITER, FSYNC);
    do_access(READER, 0, false);
    assert_string_equal(racy_models(), "commit session mpi-io eventual ");
}

static void close_message_open_is_a_session(void **unused)
{
    (void)unused;
    begin_run(2, 2);
    do_access(WRITER, 0, true);
    do_call(WRITER, CLOSE);
    do_message();
    do_call(READER, OPEN);
    do_access(READER, 0, false);
    assert_string_equal(racy_models(), "mpi-io eventual ");
}

static void who_opens_before_the_message_has_no_session(void **unused)
{
    (void)unused;
    begin_run(2, 2);
    do_access(WRITER, 0, true);
    do_call(WRITER, CLOSE);
    do_call(READER, OPEN);
    do_message();
    do_access(READER, 0, false);
    assert_string_equal(racy_models(), "session mpi-io eventual ");
}

static void sync_message_sync_is_what_mpi_asks_for(void **unused)
{
    (void)unused;
    begin_run(2, 2);
    do_access(WRITER, 0, true);
    do_call(WRITER, FILE_SYNC);
    do_message();
    do_call(READER, FILE_SYNC);
    do_access(READER, 0, false);
    assert_string_equal(racy_models(), "session eventual ");
}

/* ---- random runs ---- */

/* To the end of the file, which has a byte for each bit; one to three times. */
static void draw_endless(uint32_t access)
{
    uint64_t start = below(PLACES - 1), times = 1 + below(3);
    struct fth_series series = {start, FTH_ENDLESS - start, 0, times, false};
    FTH_GROW(run.accesses.series, run.accesses.series_count);
    run.accesses.series[run.accesses.series_count++] =
        (struct fth_access_series){series, access, 0};
    while (times--)
        run.calls[run.call_count++] = (struct call){access, ~UINT64_C(0) << start};
}

/* Three ranges at equal distances: of one call, or of a call each. */
static void draw_series(uint32_t access)
{
    struct fth_series series = {below(20), 1 + below(4), 5 + below(10), 3, below(2)};
    uint64_t all = 0;
    FTH_GROW(run.accesses.series, run.accesses.series_count);
    run.accesses.series[run.accesses.series_count++] =
        (struct fth_access_series){series, access, 0};
    for (uint64_t i = 0; i < series.count; i++) {
        uint64_t bytes = ((UINT64_C(1) << series.length) - 1) << (series.start + i * series.stride);
        if (!series.one_call)
            run.calls[run.call_count++] = (struct call){access, bytes};
        all |= bytes;
    }
    if (series.one_call)
        run.calls[run.call_count++] = (struct call){access, all};
}

static uint32_t draw_access(uint32_t timeline)
{
    struct fth_situation what = {.handle = FTH_NO_OPENING, .writes = below(2), .atomic = below(2)};
    what.removes = what.writes && below(5) == 0;
    uint32_t number = begin_access(timeline, below(FILES), what);
    if (below(4) == 0)
        draw_series(number);
    else if (what.removes || below(8) == 0)
        draw_endless(number);
    else
        add_range(number, (struct fth_access_range){.start = below(PLACES - 8),
                                                    .length = 1 + below(8),
                                                    .call = below(100)});
    return number;
}

static uint32_t draw_mark(uint32_t timeline)
{
    uint32_t file = below(8) ? below(FILES) : FTH_NO_OPENING;
    return begin_mark(timeline, file, below(FUNCTIONS));
}

/* What a timeline is inside of: marks, one in the other, and operations that go on beside its
 * calls. */
struct inside {
    uint32_t marks[MOST_ITEMS], items[MOST_ITEMS];
    uint32_t mark_count, access_count;
};

static void take_a_step(uint32_t timeline, struct inside *inside)
{
    switch (below(8)) {
    case 0:
    case 1:
        add_atom(timeline, true);
        return;
    case 2:
    case 3:
        inside->marks[inside->mark_count++] = draw_mark(timeline);
        return;
    case 4:
        if (inside->mark_count)
            end_mark(inside->marks[--inside->mark_count]);
        return;
    case 5:
        inside->items[inside->access_count++] = draw_access(timeline);
        return;
    case 6:
        if (inside->access_count)
            end_access(inside->items[--inside->access_count]);
        return;
    default:
        end_access(draw_access(timeline));
    }
}

static void make_order(void)
{
    order_timelines();
    int events[MOST_ATOMS];
    uint32_t count = 0;
    for (int i = 0; i < run.atom_count; i++)
        if (run.atoms[i].is_event)
            events[count++] = i;
    /* Most edges are short: where anything can come before anything, nearly nothing does. */
    for (uint32_t edges = below(2 * count + 1); edges > 0 && count > 3; edges--) {
        uint32_t from = below(count - 3);
        run.before[events[from]][events[from + 1 + below(3)]] = true;
    }
    close_transitively();
}

static void make_run(void)
{
    static struct inside inside[MOST_TIMELINES];
    memset(inside, 0, sizeof inside);
    uint32_t processes = 2 + below(below(MOST_PROCESSES - 1) + 1);
    begin_run(processes, processes + below(3));
    for (uint32_t i = processes; i < run.timeline_count; i++)
        run.process_of[i] = below(processes);
    for (uint32_t i = 20 + below(100); i > 0; i--) {
        uint32_t timeline = below(run.timeline_count);
        take_a_step(timeline, &inside[timeline]);
    }
    for (uint32_t i = 0; i < run.timeline_count; i++)
        while (inside[i].mark_count)
            end_mark(inside[i].marks[--inside[i].mark_count]);
    make_order();
}

/* A model with constructs of up to four steps. */
static void add_random_model(struct fth_consistencies *models)
{
    static const char *const relations[] = {"po", "hb"};
    static const char *const conditions[] = {"",
                                             " when x reads",
                                             " when y writes",
                                             " when atomic",
                                             " when x truncates",
                                             " when y truncates and x writes"};
    struct fth_error *error = NULL;
    char text[2000];
    int length = snprintf(text, sizeof text,
                          "model random\n  accesses posix\n  set a = %s %s\n  set b = %s\n"
                          "  set c = %s %s %s\n",
                          functions[below(3)].name, functions[3 + below(3)].name,
                          functions[below(FUNCTIONS)].name, functions[1].name, functions[2].name,
                          functions[3].name);
    for (uint32_t i = 1 + below(3); i > 0; i--) {
        length += snprintf(text + length, sizeof text - (size_t)length, "  order x");
        for (uint32_t steps = below(5); steps > 0; steps--)
            length += snprintf(text + length, sizeof text - (size_t)length, " %s %c",
                               relations[below(2)], 'a' + (int)below(3));
        length += snprintf(text + length, sizeof text - (size_t)length, " %s y%s\n",
                           relations[below(2)], conditions[below(6)]);
    }
    if (fth_consistency_parse(models, "random", text, (size_t)length, &error))
        fail_msg("%s\n%s", fth_error_text(error), text);
}

static void print_run(void)
{
    for (uint32_t i = 0; i < run.accesses.situation_count; i++)
        print_message("access %u: process %u, timeline %u, atoms %d to %d, file %u, %s%s\n", i,
                      run.items[i].proc, run.items[i].timeline, run.items[i].begin,
                      run.items[i].end, run.items[i].file,
                      run.accesses.situations[i].writes ? "writes" : "reads",
                      run.accesses.situations[i].removes ? ", removes" : "");
    for (size_t i = 0; i < run.call_count; i++)
        print_message("access %u has the bytes of mask %lx\n", run.calls[i].access,
                      run.calls[i].bytes);
    for (uint32_t i = 0; i < run.accesses.mark_count; i++)
        print_message("%s: process %u, timeline %u, atoms %d to %d, file %u\n",
                      functions[run.marks[i].function].name, run.marks[i].proc,
                      run.marks[i].timeline, run.marks[i].begin, run.marks[i].end,
                      run.marks[i].file);
    for (int from = 0; from < run.atom_count; from++)
        for (int to = from + 1; to < run.atom_count; to++)
            if (run.before[from][to] && run.atoms[from].timeline != run.atoms[to].timeline)
                print_message("atom %d before atom %d\n", from, to);
}

static void check_run(int number)
{
    struct fth_consistencies models = {0};
    struct found found;
    fth_consistency_built_in(&models);
    add_random_model(&models);
    judge_run(&models, &found);
    for (size_t i = 0; i < models.count; i++) {
        struct sums expected = sums_by_definition(&models.models[i]);
        if (found.sums[i].pairs == expected.pairs &&
            found.sums[i].violations == expected.violations)
            continue;
        print_run();
        fail_msg("run %d, model %s: %lu pairs and %lu violations, not %lu and %lu", number,
                 models.models[i].name, found.sums[i].pairs, found.sums[i].violations,
                 expected.pairs, expected.violations);
    }
    fth_consistencies_free(&models);
}

static void test_random(void **unused)
{
    (void)unused;
    for (int number = 0; number < RUNS; number++) {
        make_run();
        check_run(number);
        free_run();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_an_order_it_is_racy_everywhere),
        cmocka_unit_test(other_bytes_are_never_racy),
        cmocka_unit_test(a_message_is_enough_for_posix_alone),
        cmocka_unit_test(fsync_and_a_message_is_a_commit),
        cmocka_unit_test(fsync_behind_the_message_comes_too_late),
        cmocka_unit_test(close_message_open_is_a_session),
        cmocka_unit_test(who_opens_before_the_message_has_no_session),
        cmocka_unit_test(sync_message_sync_is_what_mpi_asks_for),
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
