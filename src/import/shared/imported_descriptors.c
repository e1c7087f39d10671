/* Tables of descriptors of imported processes: see the header. */
#include "import/shared/imported_descriptors.h"

#include "base/memory.h"

static uint32_t generations;

struct fth_imported_table *fth_imported_table_new(void)
{
    struct fth_imported_table *table = fth_new(1, sizeof *table);
    table->users = 1;
    return table;
}

static void forget(struct fth_imported_descriptor *descriptor)
{
    if (!descriptor->description)
        return;
    if (--descriptor->description->users == 0)
        free(descriptor->description);
    free(descriptor->path);
    free(descriptor->real);
    *descriptor = (struct fth_imported_descriptor){0};
}

static void share(struct fth_imported_descriptor *to, struct fth_imported_descriptor *from)
{
    *to = *from;
    to->description->users++;
    to->path = fth_text_copy(from->path);
    to->real = from->real ? fth_text_copy(from->real) : NULL;
    to->generation = ++generations;
    to->is_shared = from->is_shared = true;
    to->is_reported = false;
}

struct fth_imported_table *fth_imported_table_copy(struct fth_imported_table *from)
{
    struct fth_imported_table *table = fth_imported_table_new();
    table->count = from->count;
    table->list = fth_new(from->count + 1, sizeof *table->list);
    for (uint32_t i = 0; i < from->count; i++)
        if (from->list[i].description) {
            share(&table->list[i], &from->list[i]);
            table->list[i].is_inherited = true;
        }
    return table;
}

void fth_imported_table_release(struct fth_imported_table *table)
{
    if (--table->users)
        return;
    for (uint32_t i = 0; i < table->count; i++)
        forget(&table->list[i]);
    free(table->list);
    free(table);
}

void fth_imported_table_exec(struct fth_imported_table *table)
{
    for (uint32_t i = 0; i < table->count; i++) {
        struct fth_imported_descriptor *descriptor = &table->list[i];
        if (descriptor->close_on_exec)
            forget(descriptor);
        if (!descriptor->description)
            continue;
        descriptor->generation = ++generations;
        descriptor->is_shared = descriptor->is_inherited = true;
        descriptor->is_reported = false;
    }
}

struct fth_imported_descriptor *fth_imported_descriptor(struct fth_imported_table *table,
                                                        int64_t number)
{
    return number >= 0 && number < table->count && table->list[number].description
               ? &table->list[number]
               : NULL;
}

static struct fth_imported_descriptor *place(struct fth_imported_table *table, int64_t number)
{
    if (number < 0 || number >= FTH_IMPORTED_DESCRIPTORS)
        return NULL;
    table->list = fth_reach(table->list, &table->count, (uint32_t)number, sizeof *table->list);
    forget(&table->list[number]);
    return &table->list[number];
}

struct fth_imported_descriptor *fth_imported_open(struct fth_imported_table *table, int64_t number,
                                                  const char *path, size_t length, int flags)
{
    struct fth_imported_descriptor *made = place(table, number);
    if (!made)
        return NULL;
    made->description = fth_new(1, sizeof *made->description);
    made->description->users = 1;
    made->path = fth_text_part(path, length);
    made->generation = ++generations;
    made->flags = flags;
    return made;
}

struct fth_imported_descriptor *fth_imported_dup(struct fth_imported_table *table, int64_t number,
                                                 int64_t of)
{
    if (number == of)
        return fth_imported_descriptor(table, number);
    struct fth_imported_descriptor *made = place(table, number);
    struct fth_imported_descriptor *from = fth_imported_descriptor(table, of);
    if (!made || !from)
        return NULL;
    bool is_inherited = from->is_inherited;
    share(made, from);
    made->is_inherited = is_inherited;
    made->close_on_exec = false;
    return made;
}

void fth_imported_close(struct fth_imported_table *table, int64_t number)
{
    struct fth_imported_descriptor *descriptor = fth_imported_descriptor(table, number);
    if (descriptor)
        forget(descriptor);
}
