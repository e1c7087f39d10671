/* Intervals of a file as a treap: ordered by offset, a heap by a random number of each node. To
 * replace a range is to split the tree at both ends of it, to drop what lies between, and to join
 * the rest. */
#include "holders/intervals.h"

#include "base/memory.h"

struct fth_interval_node {
    struct fth_interval interval;
    uint32_t left, right;
    uint32_t rank; /* no node below has a greater one */
};

/* A well mixed number of each index (the finalizer of MurmurHash3, A. Appleby). */
static uint32_t rank_of(uint32_t index)
{
    index ^= index >> 16;
    index *= UINT32_C(0x85ebca6b);
    index ^= index >> 13;
    index *= UINT32_C(0xc2b2ae35);
    return index ^ index >> 16;
}

static uint32_t new_node(struct fth_intervals *intervals, const struct fth_interval *interval)
{
    uint32_t index = intervals->unused;
    if (index) {
        intervals->unused = intervals->nodes[index].left;
    } else {
        index = intervals->node_count ? intervals->node_count : 1;
        for (uint32_t count = intervals->node_count; count <= index; count++)
            FTH_GROW(intervals->nodes, count);
        intervals->node_count = index + 1;
    }
    intervals->nodes[index] =
        (struct fth_interval_node){.interval = *interval, .rank = rank_of(index)};
    intervals->count++;
    return index;
}

static void drop_node(struct fth_intervals *intervals, uint32_t index)
{
    intervals->nodes[index].left = intervals->unused;
    intervals->unused = index;
    intervals->count--;
}

static void drop_tree(struct fth_intervals *intervals, uint32_t root)
{
    while (root) {
        uint32_t right = intervals->nodes[root].right;
        drop_tree(intervals, intervals->nodes[root].left);
        drop_node(intervals, root);
        root = right;
    }
}

/* The nodes below `root` that begin before `offset` become the tree *before, the others *behind. */
static void split(struct fth_interval_node *nodes, uint32_t root, uint64_t offset, uint32_t *before,
                  uint32_t *behind)
{
    while (root) {
        if (nodes[root].interval.begin < offset) {
            *before = root;
            before = &nodes[root].right;
            root = *before;
        } else {
            *behind = root;
            behind = &nodes[root].left;
            root = *behind;
        }
    }
    *before = *behind = 0;
}

/* All nodes of `before` begin before those of `behind`. */
static uint32_t join(struct fth_interval_node *nodes, uint32_t before, uint32_t behind)
{
    uint32_t root = 0, *to = &root;
    while (before && behind) {
        if (nodes[before].rank > nodes[behind].rank) {
            *to = before;
            to = &nodes[before].right;
            before = *to;
        } else {
            *to = behind;
            to = &nodes[behind].left;
            behind = *to;
        }
    }
    *to = before ? before : behind;
    return root;
}

static uint32_t last_of(const struct fth_interval_node *nodes, uint32_t root)
{
    while (root && nodes[root].right)
        root = nodes[root].right;
    return root;
}

/* Splits at [begin, end) and drops what lies between. The tree is then *before and *behind. */
static void open_gap(struct fth_intervals *intervals, uint64_t begin, uint64_t end,
                     uint32_t *before, uint32_t *behind)
{
    uint32_t middle, rest;
    split(intervals->nodes, intervals->root, begin, before, &rest);
    split(intervals->nodes, rest, end, &middle, behind);
    uint32_t last = last_of(intervals->nodes, middle ? middle : *before);
    struct fth_interval reaching = {.end = 0};
    if (last)
        reaching = intervals->nodes[last].interval;
    uint32_t straddling = last_of(intervals->nodes, *before);
    if (straddling && intervals->nodes[straddling].interval.end > begin)
        intervals->nodes[straddling].interval.end = begin;
    drop_tree(intervals, middle);
    if (reaching.end > end) {
        reaching.place += end - reaching.begin;
        reaching.begin = end;
        uint32_t tail = new_node(intervals, &reaching);
        *behind = join(intervals->nodes, tail, *behind);
    }
}

/* Does `right` go on where `left` ends, in the file as in the buffer? */
static bool goes_on(const struct fth_interval *left, const struct fth_interval *right)
{
    return left->end == right->begin && left->owner == right->owner &&
           left->state == right->state && left->place + (left->end - left->begin) == right->place;
}

static void swallow_last(struct fth_intervals *intervals, uint32_t *before,
                         struct fth_interval *interval)
{
    uint32_t last = last_of(intervals->nodes, *before), alone;
    if (!last || !goes_on(&intervals->nodes[last].interval, interval))
        return;
    interval->begin = intervals->nodes[last].interval.begin;
    interval->place = intervals->nodes[last].interval.place;
    split(intervals->nodes, *before, interval->begin, before, &alone);
    drop_node(intervals, alone);
}

static void swallow_first(struct fth_intervals *intervals, struct fth_interval *interval,
                          uint32_t *behind)
{
    uint32_t first = *behind, alone;
    while (first && intervals->nodes[first].left)
        first = intervals->nodes[first].left;
    if (!first || !goes_on(interval, &intervals->nodes[first].interval))
        return;
    interval->end = intervals->nodes[first].interval.end;
    split(intervals->nodes, *behind, intervals->nodes[first].interval.begin + 1, &alone, behind);
    drop_node(intervals, alone);
}

void fth_intervals_put(struct fth_intervals *intervals, const struct fth_interval *interval)
{
    struct fth_interval whole = *interval;
    uint32_t before = 0, behind = 0;
    open_gap(intervals, whole.begin, whole.end, &before, &behind);
    swallow_last(intervals, &before, &whole);
    swallow_first(intervals, &whole, &behind);
    uint32_t node = new_node(intervals, &whole);
    intervals->root = join(intervals->nodes, join(intervals->nodes, before, node), behind);
}

void fth_intervals_cut(struct fth_intervals *intervals, uint64_t begin, uint64_t end)
{
    uint32_t before = 0, behind = 0;
    if (!intervals->root || begin >= end)
        return;
    open_gap(intervals, begin, end, &before, &behind);
    intervals->root = join(intervals->nodes, before, behind);
}

bool fth_intervals_find(const struct fth_intervals *intervals, uint64_t offset,
                        struct fth_interval *found)
{
    uint32_t at = intervals->root, best = 0;
    while (at) {
        const struct fth_interval_node *node = &intervals->nodes[at];
        if (node->interval.end > offset) {
            best = at;
            at = node->left;
        } else {
            at = node->right;
        }
    }
    if (best)
        *found = intervals->nodes[best].interval;
    return best != 0;
}

bool fth_intervals_before(const struct fth_intervals *intervals, uint64_t offset,
                          struct fth_interval *found)
{
    uint32_t at = intervals->root, best = 0;
    while (at) {
        const struct fth_interval_node *node = &intervals->nodes[at];
        if (node->interval.begin < offset) {
            best = at;
            at = node->right;
        } else {
            at = node->left;
        }
    }
    if (best)
        *found = intervals->nodes[best].interval;
    return best != 0;
}

bool fth_intervals_within(const struct fth_intervals *intervals, uint64_t begin, uint64_t end,
                          struct fth_interval *found)
{
    if (begin >= end || !fth_intervals_find(intervals, begin, found) || found->begin >= end)
        return false;
    if (found->begin < begin) {
        found->place += begin - found->begin;
        found->begin = begin;
    }
    if (found->end > end)
        found->end = end;
    return true;
}

uint64_t fth_intervals_end(const struct fth_intervals *intervals)
{
    uint32_t last = last_of(intervals->nodes, intervals->root);
    return last ? intervals->nodes[last].interval.end : 0;
}

void fth_intervals_free(struct fth_intervals *intervals)
{
    free(intervals->nodes);
    *intervals = (struct fth_intervals){.nodes = NULL};
}
