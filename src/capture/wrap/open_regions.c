/* Regions and counters of the application (<fathom/mark.h>). A region is an open call like that
 * of a wrapper: it has a frame, and calls made meanwhile are nested in it. But it belongs to no
 * function, so its frame never becomes stale by itself: one call begins it, and another call
 * ends it. */
#include "capture/wrap/open_regions.h"

#include "calls.h"
#include "capture/life/begin.h"
#include "capture/record/plugin.h"
#include "capture/record/watch_phases.h"
#include "interpose/own/own_memory.h"

#include "base/hash.h"

#include <fathom/probe.h>

#include <string.h>
#include <unistd.h>

enum {
    LONGEST_NAME = 100,
    /* Functions are left out beyond this depth: what libraries call inside of them needs a depth,
     * too, or it would not be recorded. */
    DEEPEST_FUNCTION = FTH_FRAMES - 16,
};

struct region {
    uint64_t begin; /* ticks */
    uint64_t head;  /* of its signature: at which depth it is */
    uint32_t context;
    uintptr_t stack; /* of the function that began it */
    /* NULL: it was begun by a mark. The site of a probe; else a function of the program */
    const void *function;
    const char *text; /* its name */
    union {
        char name[LONGEST_NAME + 1];
        int64_t values[FATHOM_PROBE_VALUES]; /* of a probe */
    };
    const struct fathom_probe_site *site; /* of a probe, or NULL */
};

struct fth_regions {
    uint32_t count;
    uint32_t skipped; /* begun where no more calls inside calls are distinguished */
    struct region list[FTH_FRAMES];
    uint32_t skipped_functions; /* the same of functions, and the stack of the first of them */
    uintptr_t skipped_stack;
};

/* In a frame: far outside of what is called later, so that nothing is looked at there. And beyond
 * all stacks, but not that far. */
#define NEVER_STALE UINTPTR_MAX
#define BEYOND_STACKS (UINTPTR_MAX / 2)

/* ---- end ---- */

static uint32_t depth_of(const struct region *region)
{
    return (uint32_t)(region->head >> 16) & 0xff;
}

/* Keeps the values in the order of the row, and what was moved behind them. */
static void commit_probe(struct fth_draft *draft, const struct fathom_probe_site *site,
                         const int64_t *values)
{
    for (uint32_t i = 0; i < site->count && i < FATHOM_PROBE_VALUES; i++)
        fth_keep(draft, values[i]);
    if (!site->moves) {
        fth_commit(draft);
        return;
    }
    draft->asked = values[0];
    fth_keep_moved(draft, values[0], false);
    fth_commit_data(draft, values[0]);
}

static void record_region(struct fth_recorder *recorder, const struct region *region)
{
    struct fth_draft draft;
    draft.end = fth_ticks();
    draft.recorder = recorder;
    draft.stack = (uintptr_t)__builtin_frame_address(0);
    draft.begin = region->begin;
    draft.context = region->context;
    draft.errno_at = &errno;
    draft.saved_errno = errno;
    draft.count = 0;
    draft.predicted = -1;
    draft.asked = 0;
    draft.cursor = NULL;
    draft.site = 0;
    draft.worked = true;
    draft.head = region->head;
    draft.values = fth_values_at(recorder, depth_of(region));
    recorder->busy = draft.stack;
    if (region->site) {
        commit_probe(&draft, region->site, region->values);
        return;
    }
    fth_keep(&draft, fth_text(&draft, region->text));
    fth_commit(&draft);
}

/* Ends the innermost one. False: a call inside of it is still open. */
static bool end_one(struct fth_recorder *recorder, uintptr_t stack)
{
    struct fth_regions *regions = recorder->regions;
    const struct region *region = &regions->list[regions->count - 1];
    if (recorder->depth)
        fth_drop_stale_frames(recorder, stack);
    if (recorder->depth != depth_of(region) + 1)
        return false;
    /* a signal handler must not take the region's place before it is recorded */
    recorder->busy = stack;
    regions->count--;
    record_region(recorder, region);
    return true;
}

static bool has_regions(const struct fth_recorder *recorder)
{
    return recorder && *fth_alive == 1 && recorder->regions && recorder->regions->count &&
           !recorder->busy && !recorder->retired;
}

void fth_regions_end_all(struct fth_recorder *recorder)
{
    while (has_regions(recorder) && end_one(recorder, BEYOND_STACKS))
        ;
}

void fth_regions_left(struct fth_recorder *recorder, uintptr_t stack)
{
    while (has_regions(recorder) &&
           recorder->regions->list[recorder->regions->count - 1].stack < stack &&
           end_one(recorder, stack))
        ;
}

/* How many are open down to the innermost one of this name, or function, with it; 0: none is. */
static uint32_t count_down_to(const struct fth_regions *regions, const char *name,
                              const void *function)
{
    for (uint32_t i = regions->count; i > 0; i--) {
        const struct region *region = &regions->list[i - 1];
        if (function
                ? region->function == function
                : !region->function && (!name || strncmp(region->text, name, LONGEST_NAME) == 0))
            return regions->count - i + 1;
    }
    return 0;
}

/* Ends the innermost one that is meant, and those inside of it. */
static void end_down_to(struct fth_recorder *recorder, uint32_t count, uintptr_t stack)
{
    while (count-- && end_one(recorder, stack))
        ;
}

FTH_PUBLIC void fth_mark_1_end(const char *name);
void fth_mark_1_end(const char *name)
{
    struct fth_recorder *recorder = fth_self;
    uintptr_t stack = (uintptr_t)__builtin_frame_address(0);
    if (!has_regions(recorder))
        return;
    if (recorder->regions->skipped) {
        recorder->regions->skipped--;
        return;
    }
    end_down_to(recorder, count_down_to(recorder->regions, name, NULL), stack);
}

/* Those that were skipped have been left without an end when what is around them was, or when the
 * stack is back above them. */
static bool was_skipped(struct fth_recorder *recorder, uintptr_t stack)
{
    struct fth_regions *regions = recorder->regions;
    if (!regions->skipped_functions)
        return false;
    if (recorder->depth < DEEPEST_FUNCTION || stack > regions->skipped_stack) {
        regions->skipped_functions = 0;
        return false;
    }
    regions->skipped_functions--;
    return true;
}

void fth_region_leave(const void *function, uintptr_t stack)
{
    struct fth_recorder *recorder = fth_self;
    if (!recorder || !recorder->regions || was_skipped(recorder, stack) || !has_regions(recorder))
        return;
    end_down_to(recorder, count_down_to(recorder->regions, NULL, function), stack);
}

/* ---- begin ---- */

static void copy_name(char to[LONGEST_NAME + 1], const char *name)
{
    size_t length = 0;
    for (; name && name[length] && length < LONGEST_NAME; length++)
        to[length] = name[length];
    to[length] = 0;
}

/* Those that a mended recorder has forgotten are open no more: depths grow from one to the next. */
static struct region *take_place(struct fth_regions *regions, uint32_t depth)
{
    while (regions->count && depth_of(&regions->list[regions->count - 1]) >= depth)
        regions->count--;
    regions->skipped = 0;
    return &regions->list[regions->count++];
}

/* After fth_begin_at. NULL: there is no memory for regions. */
static struct region *begin(struct fth_draft *call)
{
    struct fth_recorder *recorder = call->recorder;
    if (!recorder->regions)
        recorder->regions = fth_map_memory(sizeof *recorder->regions);
    if (!recorder->regions) {
        fth_pass(call);
        return NULL;
    }
    struct region *region = take_place(recorder->regions, (uint32_t)(call->head >> 16) & 0xff);
    region->head = call->head;
    region->context = call->context;
    region->stack = call->stack + 2 * sizeof(uintptr_t); /* behind what the call of us has pushed */
    recorder->frames[recorder->depth - 1].stack = NEVER_STALE;
    return region;
}

FTH_PUBLIC void fth_mark_1_begin(const char *name);
void fth_mark_1_begin(const char *name)
{
    struct fth_draft call;
    fth_phase_marked(name);
    if (!fth_begin(&call, FTH_CALL_mark_region, FTH_CONTEXT_mark_region)) {
        if (has_regions(fth_self) && fth_wanted[FTH_CALL_mark_region])
            fth_self->regions->skipped++;
        return;
    }
    struct region *region = begin(&call);
    if (!region)
        return;
    copy_name(region->name, name);
    region->text = region->name;
    region->function = NULL;
    region->site = NULL;
    fth_start(&call);
    region->begin = call.begin;
}

/* DEEPEST_FUNCTION, in words. */
static void note_depth(void)
{
    static bool noted;
    _Static_assert(DEEPEST_FUNCTION == 48, "the note");
    if (!__atomic_load_n(&noted, __ATOMIC_RELAXED) &&
        !__atomic_exchange_n(&noted, true, __ATOMIC_RELAXED))
        fth_process_note("unseen=", "functions as regions: those inside 48 others");
}

void fth_region_enter(const void *function, const char *name, uintptr_t stack)
{
    struct fth_draft call;
    struct fth_recorder *recorder = fth_self;
    if (recorder && recorder->depth >= DEEPEST_FUNCTION && recorder->regions) {
        if (!recorder->regions->skipped_functions++)
            recorder->regions->skipped_stack = stack;
        note_depth();
        return;
    }
    if (!fth_begin_at(&call, FTH_CALL_mark_region, FTH_CONTEXT_mark_region, stack))
        return;
    struct region *region = begin(&call);
    if (!region)
        return;
    call.recorder->regions->skipped_functions = 0;
    region->text = name;
    region->function = function;
    region->site = NULL;
    fth_start(&call);
    region->begin = call.begin;
}

/* ---- probes ---- */

/* Its row, in one of the plug-ins. False: it is in none, or none has been loaded yet. */
static bool find_row(struct fathom_probe_site *site)
{
    for (unsigned i = 0; i < fth_plugin_count(); i++) {
        const struct fth_plugin *plugin = fth_plugin_at(i);
        for (uint32_t k = 0; k < plugin->call_count; k++) {
            const struct fth_plugin_call *call = &plugin->calls[k];
            if (strcmp(call->name, site->name) != 0 || strcmp(call->layer, site->layer) != 0)
                continue;
            for (uint32_t layer = 0; layer < plugin->layer_count; layer++)
                if (strcmp(plugin->layers[layer], site->layer) == 0)
                    site->context = plugin->layer_bits[layer];
            __atomic_store_n(&site->function, plugin->first_call + k, __ATOMIC_RELEASE);
            return true;
        }
    }
    if (fth_self) /* it has begun, and does not know this one */
        __atomic_store_n(&site->function, UINT32_MAX, __ATOMIC_RELAXED);
    return false;
}

FTH_PUBLIC int fth_probe_1_begin(struct fathom_probe_site *site, const int64_t *values);
int fth_probe_1_begin(struct fathom_probe_site *site, const int64_t *values)
{
    struct fth_draft call;
    uint32_t function = __atomic_load_n(&site->function, __ATOMIC_ACQUIRE);
    if (FTH_UNLIKELY(!function)) {
        if (!find_row(site))
            return false;
        function = site->function;
    }
    if (function == UINT32_MAX || !fth_begin(&call, function, site->context))
        return false;
    if (fth_wanted[function] == FTH_FOLLOWED) {
        fth_pass(&call);
        return false;
    }
    struct region *region = begin(&call);
    if (!region)
        return false;
    memcpy(region->values, values, sizeof region->values);
    region->text = site->name;
    region->function = region->site = site;
    fth_start(&call);
    region->begin = call.begin;
    return true;
}

FTH_PUBLIC void fth_probe_1_end(struct fathom_probe_site *site, const int64_t *values);
void fth_probe_1_end(struct fathom_probe_site *site, const int64_t *values)
{
    struct fth_recorder *recorder = fth_self;
    if (!has_regions(recorder))
        return;
    struct fth_regions *regions = recorder->regions;
    uint32_t count = count_down_to(regions, NULL, site);
    if (count && values)
        memcpy(regions->list[regions->count - count].values, values, sizeof regions->list->values);
    end_down_to(recorder, count, (uintptr_t)__builtin_frame_address(0));
}

/* The upper 31 bits are those of this process: a hash of its number, of when it came here first and
 * of where its stack is, so that processes of other nodes have others. The lower ones count. */
FTH_PUBLIC int64_t fth_probe_1_identity(void);
int64_t fth_probe_1_identity(void)
{
    static uint64_t of_process;
    static pid_t process;
    static uint32_t count;
    pid_t here = getpid();
    if (!fth_self)
        return 0;
    if (__atomic_load_n(&process, __ATOMIC_ACQUIRE) != here) { /* also in a child of fork */
        const uint64_t words[] = {(uint64_t)here, fth_ticks(), (uintptr_t)&words};
        uint64_t hash = fth_hash_bytes(FTH_HASH_START, words, sizeof words);
        __atomic_store_n(&of_process, hash >> 33 << 32, __ATOMIC_RELAXED);
        __atomic_store_n(&process, here, __ATOMIC_RELEASE);
    }
    return (int64_t)(__atomic_load_n(&of_process, __ATOMIC_RELAXED) |
                     __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED));
}

/* ---- counters ---- */

FTH_PUBLIC void fth_mark_1_counter(const char *name, int64_t value);
void fth_mark_1_counter(const char *name, int64_t value)
{
    struct fth_draft call;
    char copy[LONGEST_NAME + 1];
    if (!fth_begin(&call, FTH_CALL_mark_counter, FTH_CONTEXT_mark_counter))
        return;
    fth_start(&call);
    fth_end(&call);
    copy_name(copy, name);
    call.worked = true;
    fth_keep(&call, fth_text(&call, copy));
    fth_keep(&call, value);
    fth_commit(&call);
}
