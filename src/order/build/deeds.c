/* Lists of deeds and members. */
#include "order/build/deeds.h"
#include "base/intern.h"
#include "base/memory.h"

#include <string.h>

enum { FEWEST_LIKES = 1000 };

uint32_t fth_order_deeds_add(struct fth_order_deeds *deeds, struct fth_order_deed deed)
{
    if (deeds->deed_count == deeds->deed_room) {
        deeds->deed_room += deeds->deed_room / 2 + 64;
        deeds->deeds = fth_resize(deeds->deeds, deeds->deed_room, sizeof *deeds->deeds);
    }
    deed.next = FTH_NO_DEED;
    deeds->deeds[deeds->deed_count] = deed;
    return (uint32_t)deeds->deed_count++;
}

static struct fth_order_like like_of(const struct fth_order_deed *deed)
{
    bool ends = deed->end.strand != FTH_NO_STRAND;
    return (struct fth_order_like){.begin_strand = deed->begin.strand,
                                   .end_strand = deed->end.strand,
                                   .length = ends ? deed->end.step - deed->begin.step : 0,
                                   .member = deed->member,
                                   .peer = deed->peer,
                                   .tag = deed->tag,
                                   .function = deed->function,
                                   .kind = deed->kind,
                                   .flags = deed->flags};
}

void fth_order_deeds_pack(struct fth_order_deeds *deeds)
{
    struct fth_intern known = {0};
    struct fth_packed_deed *packed = fth_resize(NULL, deeds->deed_count + 1, sizeof *packed);
    size_t done = 0;
    for (; done < deeds->deed_count && known.count <= FEWEST_LIKES + done / 2; done++) {
        const struct fth_order_deed *deed = &deeds->deeds[done];
        const struct fth_order_like like = like_of(deed);
        packed[done] = (struct fth_packed_deed){
            deed->begin.step, fth_intern(&known, &like, sizeof like), deed->next, deed->call};
    }
    if (done == deeds->deed_count) {
        deeds->packed = packed;
        deeds->likes = fth_new((size_t)known.count + 1, sizeof *deeds->likes);
        if (known.count)
            memcpy(deeds->likes, known.store.data, known.store.length);
        free(deeds->deeds);
        deeds->deeds = NULL;
    } else { /* too few are alike */
        free(packed);
    }
    fth_intern_free(&known);
}

uint32_t fth_order_deeds_add_member(struct fth_order_deeds *deeds, enum fth_member_origin origin,
                                    const char *name)
{
    FTH_GROW(deeds->members, deeds->member_count);
    deeds->members[deeds->member_count] = (struct fth_member){
        .origin = origin,
        .handle = UINT64_MAX,
        .name = name ? strdup(name) : NULL,
        .rank = -1,
        .size = -1,
        .first = FTH_NO_DEED,
        .last = FTH_NO_DEED,
        .group = FTH_NO_GROUP,
    };
    return (uint32_t)deeds->member_count++;
}

void fth_order_deeds_chain(struct fth_order_deeds *deeds, uint32_t deed)
{
    struct fth_member *member = &deeds->members[deeds->deeds[deed].member];
    if (member->first == FTH_NO_DEED)
        member->first = deed;
    else
        deeds->deeds[member->last].next = deed;
    member->last = deed;
}

/* A program that repeats itself has the same ones again and again. */
uint32_t fth_order_deeds_add_counts(struct fth_order_deeds *deeds, struct fth_order_counts counts)
{
    const struct fth_order_counts *last =
        deeds->counts_count ? &deeds->counts[deeds->counts_count - 1] : NULL;
    size_t bytes = FTH_WORDS_OF_COUNTS(counts.size) * sizeof *counts.some;
    if (last && last->size == counts.size && last->of_members == counts.of_members &&
        memcmp(last->some, counts.some, bytes) == 0) {
        free(counts.some);
        return (uint32_t)deeds->counts_count - 1;
    }
    FTH_GROW(deeds->counts, deeds->counts_count);
    deeds->counts[deeds->counts_count++] = counts;
    return (uint32_t)deeds->counts_count - 1;
}

static bool are_terms(const struct fth_order_terms *terms, int64_t sent, int64_t received,
                      const char *operation)
{
    return terms->sent == sent && terms->received == received && !terms->operation == !operation &&
           (!operation || strcmp(terms->operation, operation) == 0);
}

/* There are few, and those that came last come again. */
uint32_t fth_order_deeds_add_terms(struct fth_order_deeds *deeds, int64_t sent, int64_t received,
                                   const char *operation)
{
    enum { LOOKED_AT = 16 };
    for (size_t i = deeds->terms_count; i > 0 && i + LOOKED_AT > deeds->terms_count; i--)
        if (are_terms(&deeds->terms[i - 1], sent, received, operation))
            return (uint32_t)i;
    if (deeds->terms_count == FTH_MOST_TERMS)
        return 0;
    FTH_GROW(deeds->terms, deeds->terms_count);
    deeds->terms[deeds->terms_count++] =
        (struct fth_order_terms){sent, received, operation ? strdup(operation) : NULL};
    return (uint32_t)deeds->terms_count;
}

struct fth_order_partitioned *fth_order_deeds_partitioned(const struct fth_order_deeds *deeds,
                                                          uint32_t deed)
{
    size_t low = 0, high = deeds->partitioned_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (deeds->partitioned[middle].deed < deed)
            low = middle + 1;
        else
            high = middle;
    }
    return low < deeds->partitioned_count && deeds->partitioned[low].deed == deed
               ? &deeds->partitioned[low]
               : NULL;
}

struct fth_topology *fth_order_deeds_add_topology(struct fth_order_deeds *deeds)
{
    FTH_GROW(deeds->topologies, deeds->topology_count);
    return deeds->topologies[deeds->topology_count++] = fth_new(1, sizeof **deeds->topologies);
}

static void free_topology(struct fth_topology *topology)
{
    if (topology->graph) {
        free(topology->graph->from.all);
        free(topology->graph->degrees.all);
        free(topology->graph->to.all);
        free(topology->graph->asked.all);
    }
    free(topology->graph);
    free(topology->sources);
    free(topology->dims);
    free(topology->periods);
    free(topology->remains);
    free(topology);
}

void fth_order_deeds_free(struct fth_order_deeds *deeds)
{
    for (size_t i = 0; i < deeds->member_count; i++)
        free(deeds->members[i].name);
    for (size_t i = 0; i < deeds->terms_count; i++)
        free(deeds->terms[i].operation);
    free(deeds->terms);
    for (size_t i = 0; i < deeds->topology_count; i++)
        free_topology(deeds->topologies[i]);
    free(deeds->topologies);
    for (size_t i = 0; i < deeds->node_count; i++)
        free(deeds->nodes[i].ranks);
    for (size_t i = 0; i < deeds->counts_count; i++)
        free(deeds->counts[i].some);
    free(deeds->counts);
    free(deeds->partitioned);
    free(deeds->parts);
    for (size_t i = 0; i < deeds->making_count; i++)
        free(deeds->makings[i].text);
    free(deeds->deeds);
    free(deeds->packed);
    free(deeds->likes);
    free(deeds->members);
    free(deeds->makings);
    for (uint32_t i = 0; i < deeds->file_count; i++)
        free(deeds->files[i]);
    free(deeds->files);
    free(deeds->locks);
    free(deeds->unbindings);
    for (uint32_t i = 0; i < deeds->pipe_count; i++)
        free(deeds->pipes[i].name), free(deeds->pipes[i].connection);
    free(deeds->pipes);
    for (uint32_t i = 0; i < deeds->tally_count; i++)
        free(deeds->tallies[i].key), free(deeds->tallies[i].called);
    free(deeds->tallies);
    free(deeds->ticks);
    free(deeds->pipe_makings);
    free(deeds->transfers);
    free(deeds->touches);
    free(deeds->pool);
    free(deeds->remotes);
    fth_intern_free(&deeds->names);
    free(deeds->name_uses);
    free(deeds->nodes);
    free(deeds->steps);
    free(deeds->starters);
    free(deeds->meetings);
    *deeds = (struct fth_order_deeds){.first_strand = deeds->first_strand,
                                      .strand_count = deeds->strand_count};
}
