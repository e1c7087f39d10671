/* Cells of rows. */
#include "export/shared/batch.h"

#include "base/memory.h"
#include "export/shared/valid_text.h"

void fth_batch_begin(struct fth_batch *batch, const struct fth_batch_column *columns, size_t count)
{
    *batch = (struct fth_batch){.columns = columns, .column_count = count};
    batch->cells = fth_new(count, sizeof *batch->cells);
}

void fth_batch_grow(struct fth_batch_cells *cells)
{
    uint32_t values = cells->limit;
    cells->values = fth_reach(cells->values, &values, cells->count, sizeof *cells->values);
    cells->rows = fth_reach(cells->rows, &cells->limit, cells->count, sizeof *cells->rows);
}

void fth_batch_end(struct fth_batch *batch)
{
    for (size_t i = 0; i < batch->column_count; i++) {
        free(batch->cells[i].values);
        free(batch->cells[i].rows);
        free(batch->cells[i].numbered);
        fth_intern_free(&batch->cells[i].texts);
    }
    free(batch->cells);
}

void fth_batch_forget_numbers(struct fth_batch *batch, size_t column)
{
    struct fth_batch_cells *cells = &batch->cells[column];
    if (cells->numbered_limit)
        memset(cells->numbered, 0, cells->numbered_limit * sizeof *cells->numbered);
}

void fth_batch_empty(struct fth_batch *batch)
{
    for (size_t i = 0; i < batch->column_count; i++) {
        struct fth_batch_cells *cells = &batch->cells[i];
        fth_intern_empty(&cells->texts);
        fth_batch_forget_numbers(batch, i);
        cells->count = 0;
    }
    batch->rows = 0;
}

void fth_batch_real(struct fth_batch *batch, size_t column, double value)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    fth_batch_integer(batch, column, bits);
}

void fth_batch_text(struct fth_batch *batch, size_t column, const char *text)
{
    if (text)
        fth_batch_integer(batch, column, fth_intern_valid(&batch->cells[column].texts, text));
}

void fth_batch_name(struct fth_batch *batch, size_t column, const char *name)
{
    char *made = batch->names ? fth_pseudonym_of_object(batch->names, name) : NULL;
    fth_batch_text(batch, column, made ? made : name);
    free(made);
}

void fth_batch_numbered_text(struct fth_batch *batch, size_t column, uint32_t number,
                             const char *text)
{
    struct fth_batch_cells *cells = &batch->cells[column];
    cells->numbered =
        fth_reach(cells->numbered, &cells->numbered_limit, number, sizeof *cells->numbered);
    if (!cells->numbered[number])
        cells->numbered[number] = fth_intern_valid(&cells->texts, text) + 1;
    fth_batch_integer(batch, column, cells->numbered[number] - 1);
}
