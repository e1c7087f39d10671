/* Tables: cells row by row in one block, texts in an arena that dies with the table, and an
 * open-addressed index from keys to rows that exists only once something is grouped. */
#include "table/table.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/saturating.h"

#include <stdlib.h>
#include <string.h>

#define ARENA_BLOCK ((size_t)1 << 16)

struct block {
    struct block *next;
    size_t used, capacity;
    char bytes[];
};

struct fth_table {
    const struct fth_shape *shape;
    struct fth_cell *cells;
    size_t rows, row_capacity;
    struct block *texts;
    size_t *index; /* row + 1; 0: free. A power of two of them, at most half full */
    size_t index_size, indexed;
    bool failed, keeps_nothing;
};

struct fth_table *fth_table_new(const struct fth_shape *shape)
{
    struct fth_table *table = calloc(1, sizeof *table);
    if (table)
        table->shape = shape;
    return table;
}

void fth_table_free(struct fth_table *table)
{
    if (!table)
        return;
    for (struct block *block = table->texts, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    free(table->index);
    free(table->cells);
    free(table);
}

const struct fth_shape *fth_table_shape(const struct fth_table *table)
{
    return table->shape;
}

size_t fth_table_rows(const struct fth_table *table)
{
    return table->rows;
}

static struct fth_cell *cells_of(const struct fth_table *table, size_t row)
{
    return table->cells + row * table->shape->column_count;
}

const struct fth_cell *fth_table_row(const struct fth_table *table, size_t row)
{
    return cells_of(table, row);
}

size_t fth_table_column(const struct fth_table *table, const char *name)
{
    for (size_t i = 0; i < table->shape->column_count; i++)
        if (!strcmp(table->shape->columns[i].name, name))
            return i;
    return SIZE_MAX;
}

bool fth_table_failed(const struct fth_table *table)
{
    return table->failed;
}

static size_t fail(struct fth_table *table)
{
    table->failed = true;
    return FTH_NO_ROW;
}

void fth_table_keep_nothing(struct fth_table *table)
{
    table->keeps_nothing = true;
}

size_t fth_table_add_row(struct fth_table *table)
{
    if (table->keeps_nothing)
        return FTH_NO_ROW;
    size_t row_size = table->shape->column_count * sizeof *table->cells;
    if (table->rows == table->row_capacity) {
        size_t capacity = table->row_capacity ? 2 * table->row_capacity : 16;
        struct fth_cell *cells = realloc(table->cells, capacity * row_size);
        if (!cells)
            return fail(table);
        table->cells = cells;
        table->row_capacity = capacity;
    }
    size_t row = table->rows++;
    for (size_t i = 0; i < table->shape->column_count; i++)
        cells_of(table, row)[i] = fth_cell_null();
    return row;
}

static const char *keep_text(struct fth_table *table, const char *text)
{
    size_t size = strlen(text) + 1;
    struct block *block = table->texts;
    if (!block || block->capacity - block->used < size) {
        size_t capacity = size > ARENA_BLOCK ? size : ARENA_BLOCK;
        block = malloc(sizeof *block + capacity);
        if (!block)
            return NULL;
        *block = (struct block){.next = table->texts, .capacity = capacity};
        table->texts = block;
    }
    char *kept = block->bytes + block->used;
    block->used += size;
    return memcpy(kept, text, size);
}

void fth_table_set(struct fth_table *table, size_t row, size_t column, struct fth_cell cell)
{
    if (row == FTH_NO_ROW)
        return;
    if (cell.type == FTH_CELL_TEXT) {
        cell = fth_cell_text(keep_text(table, cell.text));
        table->failed |= cell.type == FTH_CELL_NULL;
    }
    cells_of(table, row)[column] = cell;
}

void fth_table_increase(struct fth_table *table, size_t row, size_t column, uint64_t by)
{
    if (row == FTH_NO_ROW)
        return;
    struct fth_cell *cell = &cells_of(table, row)[column];
    int64_t before = cell->type == FTH_CELL_INTEGER ? cell->integer : 0;
    *cell = fth_cell_integer(fth_saturating_sum(before, by < INT64_MAX ? (int64_t)by : INT64_MAX));
}

/* FNV-1a over texts, a multiplicative mix over integers: keys are short and trusted. */
static uint64_t hash_key(const struct fth_cell *key, size_t count)
{
    uint64_t hash = FTH_HASH_START;
    for (size_t i = 0; i < count; i++) {
        if (key[i].type == FTH_CELL_TEXT)
            hash = fth_hash_words(hash, key[i].text);
        else if (key[i].type == FTH_CELL_INTEGER)
            hash = (hash ^ (uint64_t)key[i].integer) * UINT64_C(0x9e3779b97f4a7c15);
        hash = (hash ^ (hash >> 29) ^ key[i].type) * UINT64_C(0x9e3779b97f4a7c15);
    }
    return hash ^ (hash >> 32);
}

static bool same_cell(const struct fth_cell *a, const struct fth_cell *b)
{
    if (a->type != b->type)
        return false;
    switch (a->type) {
    case FTH_CELL_NULL:
        return true;
    case FTH_CELL_INTEGER:
        return a->integer == b->integer;
    case FTH_CELL_REAL:
        return a->real == b->real;
    case FTH_CELL_TEXT:
        return !strcmp(a->text, b->text);
    }
    return false;
}

static bool same_key(const struct fth_cell *a, const struct fth_cell *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!same_cell(a + i, b + i))
            return false;
    return true;
}

/* Where the row of this key is in the index, or the free place where it belongs. */
static size_t *find_place(const struct fth_table *table, const struct fth_cell *key)
{
    size_t count = table->shape->key_count, mask = table->index_size - 1;
    size_t at = (size_t)hash_key(key, count) & mask;
    while (table->index[at] && !same_key(cells_of(table, table->index[at] - 1), key, count))
        at = (at + 1) & mask;
    return &table->index[at];
}

static bool grow_index(struct fth_table *table)
{
    size_t old_size = table->index_size, *old = table->index;
    size_t size = old_size ? 2 * old_size : 64;
    size_t *index = calloc(size, sizeof *index);
    if (!index)
        return false;
    table->index = index;
    table->index_size = size;
    for (size_t i = 0; i < old_size; i++)
        if (old[i])
            *find_place(table, cells_of(table, old[i] - 1)) = old[i];
    free(old);
    return true;
}

size_t fth_table_group(struct fth_table *table, const struct fth_cell *key)
{
    if (table->keeps_nothing)
        return FTH_NO_ROW;
    if (2 * (table->indexed + 1) > table->index_size && !grow_index(table))
        return fail(table);
    size_t *place = find_place(table, key);
    if (*place)
        return *place - 1;
    size_t row = fth_table_add_row(table);
    for (size_t i = 0; i < table->shape->key_count; i++)
        fth_table_set(table, row, i, key[i]);
    if (row == FTH_NO_ROW || table->failed)
        return FTH_NO_ROW;
    *place = row + 1;
    table->indexed++;
    return row;
}

bool fth_table_shows(const struct fth_table *table, size_t column)
{
    enum fth_show show = table->shape->columns[column].show;
    if (show == FTH_SHOW_ALWAYS)
        return true;
    const struct fth_cell *first = NULL;
    for (size_t row = 0; row < table->rows; row++) {
        const struct fth_cell *cell = &cells_of(table, row)[column];
        if (cell->type == FTH_CELL_NULL)
            continue;
        if (show == FTH_SHOW_UNLESS_NULL)
            return true;
        if (show == FTH_SHOW_UNLESS_ZERO && !(cell->type == FTH_CELL_INTEGER && !cell->integer))
            return true;
        if (show == FTH_SHOW_UNLESS_SAME && first && !same_cell(cell, first))
            return true;
        first = cell;
    }
    return false;
}

bool *fth_table_shown_columns(const struct fth_table *table)
{
    size_t count = table->shape->column_count;
    bool *shown = fth_new(count + 1, sizeof *shown);
    for (size_t i = 0; i < count; i++)
        shown[i] = fth_table_shows(table, i);
    return shown;
}

/* Sorting: row numbers are sorted, ties by number, which makes any sort a stable one; then the
 * cells follow. */
struct order {
    const struct fth_table *table;
    const size_t *columns;
    size_t count;
    bool by_sum;
};

/* A row to be sorted. */
struct sorted {
    size_t row;
    uint64_t sum; /* if it is what they are sorted by */
};

static int compare_cells(const struct fth_cell *a, const struct fth_cell *b)
{
    if (a->type != b->type)
        return a->type == FTH_CELL_NULL ? 1 : b->type == FTH_CELL_NULL ? -1 : 0;
    switch (a->type) {
    case FTH_CELL_NULL:
        return 0;
    case FTH_CELL_INTEGER:
        return (a->integer > b->integer) - (a->integer < b->integer);
    case FTH_CELL_REAL:
        return (a->real > b->real) - (a->real < b->real);
    case FTH_CELL_TEXT:
        return strcmp(a->text, b->text);
    }
    return 0;
}

static uint64_t sum_of(const struct order *order, size_t row)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < order->count; i++) {
        const struct fth_cell *cell = &cells_of(order->table, row)[order->columns[i]];
        /* two of them, at most, and neither is negative */
        sum += cell->type == FTH_CELL_INTEGER ? (uint64_t)cell->integer : 0;
    }
    return sum;
}

static int compare_rows(const void *left, const void *right, void *context)
{
    const struct order *order = context;
    const struct sorted *a = left, *b = right;
    int result = (a->sum < b->sum) - (a->sum > b->sum);
    for (size_t i = 0; !order->by_sum && !result && i < order->count; i++)
        result = compare_cells(&cells_of(order->table, a->row)[order->columns[i]],
                               &cells_of(order->table, b->row)[order->columns[i]]);
    return result ? result : (a->row > b->row) - (a->row < b->row);
}

/* Row number rows[i].row becomes row number i: one circle of rows that take each other's places
 * after the other. `spare`: a row. */
static void permute(struct fth_table *table, struct sorted *rows, struct fth_cell *spare)
{
    size_t size = table->shape->column_count * sizeof *spare;
    for (size_t begin = 0; begin < table->rows; begin++) {
        size_t at = begin;
        memcpy(spare, cells_of(table, begin), size);
        for (size_t from; (from = rows[at].row) != begin; at = from) {
            memcpy(cells_of(table, at), cells_of(table, from), size);
            rows[at].row = at;
        }
        memcpy(cells_of(table, at), spare, size);
        rows[at].row = at;
    }
}

static void sort(struct fth_table *table, const struct order *order)
{
    if (table->rows < 2)
        return;
    struct sorted *rows = malloc(table->rows * sizeof *rows);
    struct fth_cell *spare = malloc(table->shape->column_count * sizeof *spare);
    if (rows && spare) {
        for (size_t i = 0; i < table->rows; i++)
            rows[i] = (struct sorted){i, order->by_sum ? sum_of(order, i) : 0};
        qsort_r(rows, table->rows, sizeof *rows, compare_rows, (void *)order);
        permute(table, rows, spare);
    }
    table->failed |= !rows || !spare;
    free(rows);
    free(spare);
    free(table->index);
    table->index = NULL;
    table->index_size = table->indexed = 0;
}

void fth_table_sort(struct fth_table *table, const size_t *columns, size_t count)
{
    sort(table, &(struct order){table, columns, count, false});
}

void fth_table_sort_by_sum(struct fth_table *table, const size_t *columns, size_t count)
{
    sort(table, &(struct order){table, columns, count, true});
}

struct fth_table *fth_table_kept_rows(const struct fth_table *table, const bool *kept)
{
    const struct fth_shape *shape = fth_table_shape(table);
    struct fth_table *copy = fth_table_new(shape);
    for (size_t row = 0; copy && row < fth_table_rows(table); row++) {
        const struct fth_cell *cells = fth_table_row(table, row);
        size_t at = kept[row] ? fth_table_add_row(copy) : FTH_NO_ROW;
        for (size_t i = 0; at != FTH_NO_ROW && i < shape->column_count; i++)
            fth_table_set(copy, at, i, cells[i]);
    }
    if (!copy || !fth_table_failed(copy))
        return copy;
    fth_table_free(copy);
    return NULL;
}
