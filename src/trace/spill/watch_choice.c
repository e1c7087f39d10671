/* The choice of the slowest processes of a phase. O(places * slowest). */
#include "trace/spill/watch_choice.h"

#include <stddef.h>

enum { WORD = 64 };

static uint64_t load(const uint64_t *from)
{
    return __atomic_load_n(from, __ATOMIC_RELAXED);
}

/* Phases begin anew when a program has the page to itself: what the one before it has left is no
 * choice of its own. */
static void begin_anew(struct fth_watch_page *page, const struct fth_watch_place *own)
{
    size_t used = load(&page->used);
    for (size_t i = 0; i < used && i < FTH_WATCH_PLACES; i++)
        if (&page->places[i] != own && load(&page->places[i].image))
            return;
    for (size_t i = 0; i < FTH_WATCH_KEPT; i++) {
        __atomic_store_n(&page->choices[i].phase, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&page->choices[i].claimed, 0, __ATOMIC_RELAXED);
    }
}

struct fth_watch_place *fth_watch_take_place(struct fth_watch_page *page, uint64_t image)
{
    for (size_t i = 0; i < FTH_WATCH_PLACES; i++) {
        uint64_t none = 0;
        struct fth_watch_place *place = &page->places[i];
        if (load(&place->image) || !__atomic_compare_exchange_n(&place->image, &none, image, false,
                                                                __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            continue;
        for (uint64_t used = load(&page->used); used < i + 1;)
            if (__atomic_compare_exchange_n(&page->used, &used, i + 1, false, __ATOMIC_RELAXED,
                                            __ATOMIC_RELAXED))
                break;
        begin_anew(page, place);
        return place;
    }
    return NULL;
}

/* Ticks that the process took in this phase, as far as it is known. One that was killed stays
 * behind the others, and one that has
 * never met them stays in phase 0: they do not count. */
static uint64_t time_of(const struct fth_watch_place *place, uint64_t phase, bool stragglers)
{
    uint64_t in = load(&place->phase);
    if (!load(&place->image) || in >= phase + FTH_WATCH_KEPT)
        return 0;
    if (in >= phase)
        return load(&place->time[phase % FTH_WATCH_KEPT]);
    return stragglers && in && in + 2 >= phase ? load(&place->time[in % FTH_WATCH_KEPT]) : 0;
}

static bool has(const uint64_t *bits, size_t i)
{
    return bits[i / WORD] >> i % WORD & 1;
}

/* Sets the bits of the slowest; returns what the last one of them took. Of two that took as long,
 * the first one counts as slower. */
static uint64_t find_slowest(const struct fth_watch_page *page, uint64_t phase, uint64_t slowest,
                             bool stragglers, uint64_t bits[FTH_WATCH_PLACES / WORD])
{
    size_t used = load(&page->used);
    uint64_t least = 0;
    used = used < FTH_WATCH_PLACES ? used : FTH_WATCH_PLACES;
    for (size_t word = 0; word < FTH_WATCH_PLACES / WORD; word++)
        bits[word] = 0;
    for (; slowest; slowest--) {
        size_t best = used;
        uint64_t most = 0;
        for (size_t i = 0; i < used; i++) {
            uint64_t time = has(bits, i) ? 0 : time_of(&page->places[i], phase, stragglers);
            if (time > most) {
                most = time;
                best = i;
            }
        }
        if (best == used) /* nobody else was in a call */
            break;
        bits[best / WORD] |= UINT64_C(1) << best % WORD;
        least = most;
    }
    return least;
}

/* May this process choose for all? */
static bool claims(struct fth_watch_choice *choice, uint64_t next)
{
    uint64_t claimed = load(&choice->claimed);
    return claimed < next && __atomic_compare_exchange_n(&choice->claimed, &claimed, next, false,
                                                         __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

struct fth_watch_chosen fth_watch_choose(struct fth_watch_page *page,
                                         const struct fth_watch_place *place, uint64_t next,
                                         uint64_t slowest, bool stragglers)
{
    struct fth_watch_choice *choice = &page->choices[next % FTH_WATCH_KEPT];
    uint64_t own[FTH_WATCH_PLACES / WORD], *bits = own;
    size_t number = (size_t)(place - page->places);
    uint64_t least;
    if (__atomic_load_n(&choice->phase, __ATOMIC_ACQUIRE) == next) {
        return (struct fth_watch_chosen){has(choice->chosen, number), choice->least};
    }
    bool for_all = claims(choice, next);
    if (for_all)
        bits = choice->chosen;
    least = find_slowest(page, next - 1, slowest, stragglers, bits);
    if (for_all) {
        choice->least = least;
        __atomic_store_n(&choice->phase, next, __ATOMIC_RELEASE);
    }
    return (struct fth_watch_chosen){has(bits, number), least};
}
