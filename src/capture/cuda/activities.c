/* From CUPTI's records to calls of the layer `cuda`. Records of a buffer are in no order that one
 * may rely on, and may be of kinds that nobody asked for; each is read only as far as the buffer
 * goes. */
#include "calls.h"
#include "capture/cuda/cuda.h"
#include "capture/cuda/activity_rows.h"
#include "interpose/own/own_memory.h"

#include <string.h>

enum {
    LEAST_RECORD = 32, /* bytes: there are no more of them in a buffer than that gives */
    NAMES = 8192,      /* calls that are remembered until what they launched is reported */
    LONGEST_NAME = 4096,
};

/* A record and what all have in common. */
struct activity {
    const void *record;
    uint32_t kind, correlation;
    uint64_t start, end;
};

/* The names of calls by their correlation. They stand in CUPTI for good. */
static struct {
    uint32_t correlation;
    bool of_runtime;
    const char *name;
} names[NAMES];

static const char *name_of_call(uint32_t correlation)
{
    return names[correlation % NAMES].correlation == correlation ? names[correlation % NAMES].name
                                                                 : NULL;
}

static const char *api_name(const struct fth_cupti_api *record)
{
    const char *name = NULL;
    uint32_t domain =
        record->kind == FTH_CUPTI_RUNTIME ? FTH_CUPTI_DOMAIN_RUNTIME : FTH_CUPTI_DOMAIN_DRIVER;
    return fth_cupti.cuptiGetCallbackName(domain, record->cbid, &name) == 0 ? name : NULL;
}

/* What the runtime calls in the driver has the correlation of the runtime's call. */
static void remember_call(const struct activity *activity)
{
    uint32_t place = activity->correlation % NAMES;
    bool of_runtime = activity->kind == FTH_CUPTI_RUNTIME;
    if (names[place].correlation == activity->correlation && names[place].of_runtime && !of_runtime)
        return;
    names[place].correlation = activity->correlation;
    names[place].of_runtime = of_runtime;
    names[place].name = api_name(activity->record);
}

/* ---- reading ---- */

/* What is read of a record of this kind; 0: nothing. */
static size_t size_of(uint32_t kind)
{
    switch (kind) {
    case FTH_CUPTI_DRIVER:
    case FTH_CUPTI_RUNTIME:
        return sizeof(struct fth_cupti_api);
    case FTH_CUPTI_KERNEL:
    case FTH_CUPTI_CONCURRENT_KERNEL:
        return sizeof(struct fth_cupti_kernel);
    case FTH_CUPTI_MEMCPY:
        return sizeof(struct fth_cupti_copy);
    case FTH_CUPTI_MEMCPY_PEER:
        return sizeof(struct fth_cupti_peer);
    case FTH_CUPTI_MEMSET:
        return sizeof(struct fth_cupti_set);
    case FTH_CUPTI_SYNCHRONIZATION:
        return sizeof(struct fth_cupti_wait);
    default:
        return 0;
    }
}

static void read_common(struct activity *activity)
{
    switch (activity->kind) {
#define COMMON(structure)                                                                          \
    {                                                                                              \
        const struct structure *record = activity->record;                                         \
        activity->start = record->start;                                                           \
        activity->end = record->end;                                                               \
        activity->correlation = record->correlation;                                               \
    }                                                                                              \
    break
    case FTH_CUPTI_DRIVER:
    case FTH_CUPTI_RUNTIME:
        COMMON(fth_cupti_api);
    case FTH_CUPTI_MEMCPY:
        COMMON(fth_cupti_copy);
    case FTH_CUPTI_MEMCPY_PEER:
        COMMON(fth_cupti_peer);
    case FTH_CUPTI_MEMSET:
        COMMON(fth_cupti_set);
    case FTH_CUPTI_SYNCHRONIZATION:
        COMMON(fth_cupti_wait);
    default:
        COMMON(fth_cupti_kernel);
    }
}

/* How many of the buffer's records are of use. */
static size_t read_records(uint8_t *buffer, size_t used, struct activity *list)
{
    size_t count = 0, most = used / LEAST_RECORD;
    void *record = NULL;
    while (count < most && fth_cupti.cuptiActivityGetNextRecord(buffer, used, &record) == 0) {
        struct activity activity = {.record = record};
        if ((uint8_t *)record < buffer || (uint8_t *)record > buffer + used - LEAST_RECORD)
            break;
        memcpy(&activity.kind, record, sizeof activity.kind);
        size_t size = size_of(activity.kind);
        if (!size)
            continue;
        if (size > (size_t)(buffer + used - (uint8_t *)record)) {
            fth_cuda_lost(1);
            break;
        }
        read_common(&activity);
        if (!activity.start || activity.end < activity.start)
            fth_cuda_lost(1); /* its times were not measured */
        else
            list[count++] = activity;
    }
    return count;
}

/* ---- in order of their start ---- */

/* A heap sort: the library's allocates. */
static void sift(struct activity *list, size_t at, size_t count)
{
    struct activity moved = list[at];
    for (size_t below; (below = 2 * at + 1) < count; at = below) {
        if (below + 1 < count && list[below + 1].start > list[below].start)
            below++;
        if (list[below].start <= moved.start)
            break;
        list[at] = list[below];
    }
    list[at] = moved;
}

static void sort(struct activity *list, size_t count)
{
    for (size_t i = count / 2; i--;)
        sift(list, i, count);
    for (size_t left = count; left > 1;) {
        struct activity last = list[--left];
        list[left] = list[0];
        list[0] = last;
        sift(list, 0, left);
    }
}

/* ---- writing ---- */

static bool begin(struct fth_draft *draft, const struct activity *activity, uint32_t function,
                  uint32_t device, uint32_t context, uint32_t stream)
{
    return fth_cuda_begin(draft, (struct fth_cuda_row){device, context, stream}, function,
                          fth_cuda_ticks(activity->start), fth_cuda_ticks(activity->end));
}

static void keep_name(struct fth_draft *draft, const char *name)
{
    fth_keep(draft, name ? fth_bytes_as_text(draft, name, strnlen(name, LONGEST_NAME)) : 0);
}

static void end(struct fth_draft *draft, const struct activity *activity)
{
    keep_name(draft, name_of_call(activity->correlation));
    fth_keep(draft, activity->correlation);
    fth_commit(draft);
}

static void keep_place(struct fth_draft *draft, uint32_t device, uint32_t context, uint32_t stream)
{
    fth_keep(draft, device);
    fth_keep(draft, context);
    fth_keep(draft, stream);
}

/* "cudaLaunchKernel_v7000" without its version. */
static void keep_api_name(struct fth_draft *draft, const char *name)
{
    const char *version = name ? strstr(name, "_v") : NULL;
    bool digits = version && version[2] && strspn(version + 2, "0123456789") == strlen(version + 2);
    if (digits && version[3]) /* _v2 is a part of the names of the driver's functions */
        fth_keep(draft, fth_bytes_as_text(draft, name, (size_t)(version - name)));
    else
        keep_name(draft, name);
}

static void put_api(const struct activity *activity)
{
    struct fth_draft draft;
    const struct fth_cupti_api *record = activity->record;
    if (activity->kind == FTH_CUPTI_DRIVER &&
        names[activity->correlation % NAMES].correlation == activity->correlation &&
        names[activity->correlation % NAMES].of_runtime)
        return;
    if (!begin(&draft, activity, FTH_CALL_cuda_call, (uint32_t)FTH_CUDA_HOST, 0, record->thread))
        return;
    keep_api_name(&draft, api_name(record));
    fth_keep(&draft, record->correlation);
    fth_keep(&draft, record->result);
    fth_commit(&draft);
}

static void put_kernel(const struct activity *activity)
{
    struct fth_draft draft;
    const struct fth_cupti_kernel *record = activity->record;
    if (!begin(&draft, activity, FTH_CALL_cuda_kernel, record->device, record->context,
               record->stream))
        return;
    keep_name(&draft, record->name);
    keep_place(&draft, record->device, record->context, record->stream);
    fth_keep(&draft, fth_list(&draft, record->grid, 3, sizeof *record->grid));
    fth_keep(&draft, fth_list(&draft, record->block, 3, sizeof *record->block));
    fth_keep(&draft, (int64_t)record->static_shared + record->dynamic_shared);
    end(&draft, activity);
}

static void put_copy(const struct activity *activity)
{
    struct fth_draft draft;
    const struct fth_cupti_copy *record = activity->record;
    if (!begin(&draft, activity, FTH_CALL_cuda_memcpy, record->device, record->context,
               record->stream))
        return;
    fth_keep(&draft, record->copy);
    fth_keep(&draft, (int64_t)record->bytes);
    keep_place(&draft, record->device, record->context, record->stream);
    end(&draft, activity);
}

static void put_peer(const struct activity *activity)
{
    struct fth_draft draft;
    const struct fth_cupti_peer *record = activity->record;
    if (!begin(&draft, activity, FTH_CALL_cuda_memcpy_peer, record->device, record->context,
               record->stream))
        return;
    fth_keep(&draft, (int64_t)record->bytes);
    keep_place(&draft, record->device, record->context, record->stream);
    fth_keep(&draft, record->from_device);
    fth_keep(&draft, record->to_device);
    end(&draft, activity);
}

static void put_set(const struct activity *activity)
{
    struct fth_draft draft;
    const struct fth_cupti_set *record = activity->record;
    if (!begin(&draft, activity, FTH_CALL_cuda_memset, record->device, record->context,
               record->stream))
        return;
    fth_keep(&draft, (int64_t)record->bytes);
    keep_place(&draft, record->device, record->context, record->stream);
    end(&draft, activity);
}

/* What waits is the host, and its thread is not reported: all waits of a context are one thread. */
static void put_wait(const struct activity *activity)
{
    struct fth_draft draft;
    const struct fth_cupti_wait *record = activity->record;
    enum { WAITS = UINT32_MAX - 1 };
    if (!begin(&draft, activity, FTH_CALL_cuda_synchronize, (uint32_t)WAITS, record->context, 0))
        return;
    fth_keep(&draft, record->type);
    fth_keep(&draft, record->context);
    fth_keep(&draft, record->stream);
    end(&draft, activity);
}

static void put(const struct activity *activity)
{
    switch (activity->kind) {
    case FTH_CUPTI_DRIVER:
    case FTH_CUPTI_RUNTIME:
        put_api(activity);
        return;
    case FTH_CUPTI_MEMCPY:
        put_copy(activity);
        return;
    case FTH_CUPTI_MEMCPY_PEER:
        put_peer(activity);
        return;
    case FTH_CUPTI_MEMSET:
        put_set(activity);
        return;
    case FTH_CUPTI_SYNCHRONIZATION:
        put_wait(activity);
        return;
    default:
        put_kernel(activity);
    }
}

void fth_cuda_take(uint8_t *buffer, size_t size, size_t used)
{
    if (used > size)
        used = size;
    size_t room = used / LEAST_RECORD * sizeof(struct activity);
    struct activity *list = room ? fth_map_memory(room) : NULL;
    if (!list)
        return;
    size_t count = read_records(buffer, used, list);
    sort(list, count);
    for (size_t i = 0; i < count; i++)
        if (list[i].kind == FTH_CUPTI_DRIVER || list[i].kind == FTH_CUPTI_RUNTIME)
            remember_call(&list[i]);
    for (size_t i = 0; i < count; i++)
        put(&list[i]);
    fth_unmap(list, room);
}
