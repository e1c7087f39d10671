/* Lists of counts: which symbols have one, and what is in it. */
#include "trace/grammar/counts.h"

#include <string.h>

enum {
    PATIENCE =
        /* surprises, less what came as before, until a symbol is counted: a mistake costs next to
         * nothing */
    8,
    ENTRIES_OF_LIST = 8
};

static uint32_t lists_for(uint32_t limit)
{
    return limit / ENTRIES_OF_LIST;
}

static uint32_t table_for(uint32_t limit)
{
    uint32_t size = 1;
    while (size < 2 * lists_for(limit))
        size *= 2;
    return size;
}

size_t fth_counts_bytes(uint32_t limit)
{
    return limit * sizeof *((struct fth_counts *)0)->entries +
           lists_for(limit) * sizeof(struct fth_count_list) + table_for(limit) * sizeof(uint32_t);
}

void fth_counts_place(struct fth_counts *counts, void *memory, uint32_t limit)
{
    counts->limit = limit;
    counts->list_limit = lists_for(limit);
    counts->table_mask = table_for(limit) - 1;
    counts->entries = memory;
    counts->lists = (struct fth_count_list *)(counts->entries + limit);
    counts->table = (uint32_t *)(counts->lists + counts->list_limit);
}

void fth_counts_reset(struct fth_counts *counts)
{
    memset(counts->table, 0, ((size_t)counts->table_mask + 1) * sizeof *counts->table);
    memset(counts->habits, 0, sizeof counts->habits);
    counts->used = counts->list_count = counts->loop_count = 0;
    counts->some = 0;
}

static uint32_t hash_of(uint32_t symbol)
{
    return symbol * 0x9E3779B1u >> 7;
}

static uint64_t bit_of(uint32_t symbol)
{
    return UINT64_C(1) << (hash_of(symbol) >> 19);
}

/* Where the symbol stands in the table, or where it would go. */
static uint32_t place_of(const struct fth_counts *counts, uint32_t symbol)
{
    uint32_t at = hash_of(symbol) & counts->table_mask;
    while (counts->table[at] && counts->lists[counts->table[at] - 1].symbol != symbol)
        at = (at + 1) & counts->table_mask;
    return at;
}

int64_t fth_counts_find(const struct fth_counts *counts, uint32_t symbol)
{
    return counts->some & bit_of(symbol) ? (int64_t)counts->table[place_of(counts, symbol)] - 1
                                         : -1;
}

int64_t fth_counts_begin(struct fth_counts *counts, uint32_t symbol)
{
    uint32_t at = place_of(counts, symbol);
    if (!counts->table[at]) {
        if (counts->list_count == counts->list_limit)
            return -1;
        counts->lists[counts->list_count] = (struct fth_count_list){.symbol = symbol};
        counts->table[at] = ++counts->list_count;
        counts->some |= bit_of(symbol);
    }
    return (int64_t)counts->table[at] - 1;
}

int64_t fth_counts_judge(struct fth_counts *counts, uint32_t symbol, uint32_t length)
{
    int64_t list = fth_counts_find(counts, symbol);
    if (list >= 0 || !counts->limit)
        return list;
    struct fth_count_habit *habit = &counts->habits[hash_of(symbol) % FTH_COUNT_HABITS];
    if (habit->symbol != symbol)
        *habit = (struct fth_count_habit){symbol, length, 0};
    else if (habit->last != length)
        habit->score++;
    else if (habit->score)
        habit->score--;
    habit->last = length;
    return habit->score < PATIENCE ? -1 : fth_counts_begin(counts, symbol);
}

void fth_counts_put(struct fth_counts *counts, uint32_t list, uint32_t count)
{
    struct fth_count_list *of = &counts->lists[list];
    counts->entries[counts->used].count = count;
    counts->entries[counts->used++].next = 0;
    if (of->last)
        counts->entries[of->last - 1].next = counts->used;
    else
        of->first = counts->used;
    of->last = counts->used;
    of->length++;
}

void fth_counts_empty(struct fth_counts *counts)
{
    for (uint32_t i = 0; i < counts->list_count; i++)
        counts->lists[i].length = counts->lists[i].first = counts->lists[i].last = 0;
    counts->used = 0;
}
