/* A table beside the trace. */
#include "model/reading/matched_communicators.h"

#include "base/memory.h"
#include "model/reading/model.h"

struct key {
    uint64_t proc, handle;
};

void fth_communicators_add(struct fth_communicators *communicators, size_t proc, uint64_t handle,
                           const struct fth_communicator *communicator)
{
    const struct key key = {proc, handle};
    uint32_t number = fth_intern(&communicators->keys, &key, sizeof key);
    communicators->list =
        fth_reach(communicators->list, &communicators->limit, number, sizeof *communicators->list);
    communicators->list[number] = *communicator;
}

const struct fth_communicator *fth_communicators_find(const struct fth_communicators *communicators,
                                                      size_t proc, uint64_t handle)
{
    const struct key key = {proc, handle};
    uint32_t number;
    if (!communicators->keys.count ||
        !fth_intern_find(&communicators->keys, &key, sizeof key, &number))
        return NULL;
    return &communicators->list[number];
}

void fth_communicators_free(struct fth_communicators *communicators)
{
    fth_intern_free(&communicators->keys);
    free(communicators->list);
}

struct fth_communicators *fth_trace_communicators(struct fth_trace *trace)
{
    return &trace->communicators;
}
