/* Answers of HDF5 that are kept: see kept.h. */
#include "capture/hdf5/kept.h"

enum { PLACES_LOG = 10 };

struct answer {
    uint64_t changes; /* when it was asked for */
    int64_t value;
};

struct place {
    uint64_t writing; /* odd: somebody writes id and answers; it grows */
    uint64_t selected, changed;
    hid_t id; /* 0: of nobody */
    struct answer answers[FTH_HDF5_QUESTIONS];
} __attribute__((aligned(64)));

static struct place places[1 << PLACES_LOG];
static uint64_t all_changed;

static struct place *place_of(hid_t id)
{
    return &places[(uint64_t)id * 0x9E3779B97F4A7C15u >> (64 - PLACES_LOG)];
}

/* The sum of counters that only grow stays the same only if all of them do. Never 0. What happened
 * between two recordings nobody has seen. */
static uint64_t changes_of(const struct place *place, enum fth_hdf5_question question)
{
    uint64_t changes = 1 + fth_recordings + __atomic_load_n(&all_changed, __ATOMIC_ACQUIRE) +
                       __atomic_load_n(&place->changed, __ATOMIC_ACQUIRE);
    return question == FTH_HDF5_RANK
               ? changes
               : changes + __atomic_load_n(&place->selected, __ATOMIC_ACQUIRE);
}

uint64_t fth_hdf5_changes(hid_t id, enum fth_hdf5_question question)
{
    return changes_of(place_of(id), question);
}

bool fth_hdf5_kept(hid_t id, enum fth_hdf5_question question, int64_t *answer)
{
    struct place *place = place_of(id);
    uint64_t writing = __atomic_load_n(&place->writing, __ATOMIC_ACQUIRE);
    bool is_there = !(writing & 1) && __atomic_load_n(&place->id, __ATOMIC_RELAXED) == id &&
                    __atomic_load_n(&place->answers[question].changes, __ATOMIC_RELAXED) ==
                        changes_of(place, question);
    *answer = __atomic_load_n(&place->answers[question].value, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return is_there && __atomic_load_n(&place->writing, __ATOMIC_RELAXED) == writing;
}

void fth_hdf5_keep(hid_t id, enum fth_hdf5_question question, uint64_t changes, int64_t answer)
{
    struct place *place = place_of(id);
    uint64_t writing = __atomic_load_n(&place->writing, __ATOMIC_RELAXED);
    if ((writing & 1) || !__atomic_compare_exchange_n(&place->writing, &writing, writing + 1, false,
                                                      __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return;
    __atomic_thread_fence(__ATOMIC_RELEASE);
    if (place->id != id)
        for (int i = 0; i < FTH_HDF5_QUESTIONS; i++)
            __atomic_store_n(&place->answers[i].changes, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&place->id, id, __ATOMIC_RELAXED);
    __atomic_store_n(&place->answers[question].changes, changes, __ATOMIC_RELAXED);
    __atomic_store_n(&place->answers[question].value, answer, __ATOMIC_RELAXED);
    __atomic_store_n(&place->writing, writing + 2, __ATOMIC_RELEASE);
}

void fth_hdf5_selected(hid_t id)
{
    __atomic_fetch_add(&place_of(id)->selected, 1, __ATOMIC_RELEASE);
}

void fth_hdf5_changed(hid_t id)
{
    __atomic_fetch_add(&place_of(id)->changed, 1, __ATOMIC_RELEASE);
}

void fth_hdf5_all_changed(void)
{
    __atomic_fetch_add(&all_changed, 1, __ATOMIC_RELEASE);
}
