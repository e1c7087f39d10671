/* Going through the bytes of a shape (docs/format.md, SHAP) for the keys of its columns. */
#include "trace/file/column_keys.h"

#include "base/memory.h"
#include "catalog/consistency_meaning.h"
#include "trace/file/part.h"

/* The first number of an item. */
enum item_kind { IDENTITY, TEXT, SIGNATURE, SUM, PATHS, PATH_LINES };

enum { IDENTITY_NUMBERS = 13, SUM_NUMBERS = 4, LINE_NUMBERS = 3, PATH_SUMS = 4 };
#define NO_SLOT UINT64_MAX

struct keying {
    struct fth_column_keys *known;
    enum fth_sharing sharing;
    const struct fth_shape_terms *terms;
    struct fth_view shape;
    const int64_t *row; /* of a writer */
    struct fth_keyed_shape *keyed;
    struct fth_bytes item;
    uint32_t count, most;
    bool failed;
};

static void begin_item(struct keying *keying, enum item_kind kind)
{
    keying->item.length = 0;
    fth_bytes_varint(&keying->item, kind);
}

/* A number of the shape, which goes on to the other form of it, if there is one. */
static uint64_t pass(struct keying *keying)
{
    uint64_t number = fth_view_varint(&keying->shape);
    if (keying->sharing == FTH_SHARES_BY_SLOTS)
        fth_bytes_varint(&keying->keyed->bytes, number);
    return number;
}

static uint64_t pass_count(struct keying *keying, size_t least)
{
    uint64_t count = fth_view_count(&keying->shape, least);
    if (keying->sharing == FTH_SHARES_BY_SLOTS)
        fth_bytes_varint(&keying->keyed->bytes, count);
    return count;
}

/* One that is part of the item. */
static uint64_t take(struct keying *keying)
{
    uint64_t number = pass(keying);
    fth_bytes_varint(&keying->item, number);
    return number;
}

/* The block of the next turn of an item, which may be new. Where a shape shares with itself, an
 * item has the same keys each time that it comes. */
static uint32_t next_block(struct keying *keying, uint32_t item, uint32_t columns, uint32_t slot)
{
    struct fth_column_keys *known = keying->known;
    known->turns = fth_reach(known->turns, &known->turn_limit, item, sizeof *known->turns);
    struct fth_key_turns *turns = &known->turns[item];
    bool alone = keying->sharing == FTH_SHARES_WITH_ITSELF;
    if (turns->shape != known->shapes || alone)
        *turns = (struct fth_key_turns){.shape = known->shapes, .first = turns->first};
    uint32_t block = turns->last ? known->blocks[turns->last - 1].next : turns->first;
    if (!block) {
        FTH_GROW(known->blocks, known->block_count);
        known->blocks[known->block_count] = (struct fth_key_block){known->count, columns, slot, 0};
        known->count += columns - (slot < columns);
        block = ++known->block_count;
        *(turns->last ? &known->blocks[turns->last - 1].next : &turns->first) = block;
    }
    turns->last = block;
    return block - 1;
}

static uint32_t odd_key(struct fth_column_keys *known, uint32_t block, uint32_t column)
{
    const uint32_t key[] = {block, column};
    uint32_t before = known->odd.count, number = fth_intern(&known->odd, key, sizeof key);
    if (number == before) {
        FTH_GROW(known->odd_keys, before);
        known->odd_keys[number] = known->count++;
    }
    return known->odd_keys[number];
}

/* Columns of this item; that of number `slot` is the slot it is about. */
static void add_columns_of(struct keying *keying, uint32_t item, uint64_t columns, uint64_t slot)
{
    if (columns > keying->most - keying->count) {
        keying->failed = true;
        return;
    }
    uint32_t place = slot < columns ? (uint32_t)slot : UINT32_MAX;
    uint32_t number = next_block(keying, item, (uint32_t)columns, place);
    const struct fth_key_block block = keying->known->blocks[number];
    uint32_t *keys = keying->keyed->keys + keying->count;
    keying->count += (uint32_t)columns;
    for (uint32_t i = 0; i < columns; i++) {
        if (i == place)
            keys[i] = FTH_NO_KEY;
        else if (i < block.columns && i != block.slot)
            keys[i] = block.first_key + i - (i > block.slot);
        else
            keys[i] = odd_key(keying->known, number, i);
    }
}

static void add_columns(struct keying *keying, uint64_t columns, uint64_t slot)
{
    uint32_t item = fth_intern(&keying->known->items, keying->item.data, keying->item.length);
    add_columns_of(keying, item, columns, slot);
}

/* Numbers of the string that the shape names; part of the item. */
static unsigned take_string(struct keying *keying)
{
    uint64_t string = take(keying);
    struct fth_template template = {0};
    size_t length;
    if (keying->shape.failed || string >= keying->terms->strings->count) {
        keying->failed = true;
        return 0;
    }
    const uint8_t *bytes = fth_interned(keying->terms->strings, (uint32_t)string, &length);
    keying->failed |= !fth_template_read(&template, bytes, length, NULL);
    return template.count;
}

static void add_texts(struct keying *keying)
{
    uint64_t texts = pass_count(keying, 1);
    begin_item(keying, IDENTITY);
    add_columns(keying, IDENTITY_NUMBERS, NO_SLOT);
    for (uint64_t i = 0; i < texts && !keying->failed; i++) {
        begin_item(keying, TEXT);
        fth_bytes_varint(&keying->item, i);
        unsigned numbers = take_string(keying);
        add_columns(keying, numbers, NO_SLOT);
    }
}

/* Of a handle, or of what a note is about. */
static bool is_slot(const struct fth_row *row, const struct fth_value_plan *value)
{
    return value->part == FTH_PART_SLOT || (value->part == FTH_PART_INTEGER && value->field >= 0 &&
                                            strcmp(row->fields[value->field].name, "slot") == 0);
}

/* NULL: it is damaged. */
static struct fth_key_form *form_of(struct keying *keying, uint64_t number)
{
    struct fth_column_keys *known = keying->known;
    const struct fth_shape_terms *terms = keying->terms;
    struct fth_value_plan plan[FTH_MOST_VALUES];
    struct fth_signature signature;
    size_t length;
    if (keying->shape.failed || number >= terms->signatures->count)
        return NULL;
    known->forms =
        fth_reach(known->forms, &known->form_limit, (uint32_t)number, sizeof *known->forms);
    struct fth_key_form *form = &known->forms[number];
    if (form->count)
        return form;
    const uint8_t *bytes = fth_interned(terms->signatures, (uint32_t)number, &length);
    if (!fth_signature_read(terms->catalog, bytes, length, &signature))
        return NULL;
    const struct fth_row *row = &terms->catalog->rows[signature.function];
    fth_plan_values(terms->catalog, row, plan);
    form->count = signature.count;
    form->stands_here = ~(signature.mask | signature.apart);
    for (unsigned i = 0; i < signature.count; i++) {
        form->names |= (uint32_t)fth_is_name(plan[i].part) << i;
        form->name_count += fth_is_name(plan[i].part);
        form->slots |= (uint32_t)is_slot(row, &plan[i]) << i;
    }
    return form;
}

/* From the row to the bytes, or from there. */
static void move_slot(struct keying *keying, uint64_t column)
{
    uint64_t at = keying->count + column;
    if (at >= keying->most) {
        keying->failed = true;
        return;
    }
    int64_t slot = keying->row ? keying->row[at] : fth_view_signed(&keying->shape);
    if (keying->row)
        fth_bytes_signed(&keying->keyed->bytes, slot);
    keying->keyed->slots[at] = slot;
    fth_bytes_signed(&keying->item, slot);
}

static uint32_t signature_item(struct keying *keying, struct fth_key_form *form)
{
    bool is_known = !form->names && keying->sharing != FTH_SHARES_BY_SLOTS;
    if (is_known && form->item)
        return form->item - 1;
    uint32_t item = fth_intern(&keying->known->items, keying->item.data, keying->item.length);
    form->item = is_known ? item + 1 : 0;
    return item;
}

static void add_signature(struct keying *keying)
{
    uint64_t number = pass(keying), names = pass(keying), columns = 0, slot = NO_SLOT;
    struct fth_key_form *form = form_of(keying, number);
    if (!form) {
        keying->failed = true;
        return;
    }
    if (!form->item) {
        begin_item(keying, SIGNATURE);
        fth_bytes_varint(&keying->item, number);
    }
    for (unsigned i = 0; i < form->count && !keying->failed; i++) {
        bool stands_here = form->stands_here >> i & 1;
        unsigned numbers = 1;
        if (form->names >> i & 1)
            numbers = take_string(keying);
        else if (keying->sharing == FTH_SHARES_BY_SLOTS && stands_here && slot == NO_SLOT &&
                 form->slots >> i & 1)
            slot = columns;
        columns += stands_here ? numbers : 0;
    }
    if (slot != NO_SLOT && !keying->failed)
        move_slot(keying, slot);
    keying->failed |= names != form->name_count;
    if (!keying->failed)
        add_columns_of(keying, signature_item(keying, form), columns, slot);
}

static void pass_tracks(struct keying *keying)
{
    for (uint64_t tracks = pass_count(keying, 1); tracks; tracks--)
        for (uint64_t pieces = pass_count(keying, 1); pieces; pieces--)
            pass(keying);
}

static void add_sums(struct keying *keying)
{
    const struct fth_catalog *catalog = keying->terms->catalog;
    for (uint64_t sums = pass_count(keying, 2); sums && !keying->failed; sums--) {
        begin_item(keying, SUM);
        uint64_t function = take(keying);
        take(keying);
        if (function >= catalog->row_count || !catalog->rows[function].name)
            keying->failed = true;
        else
            add_columns(keying, SUM_NUMBERS - fth_row_polls(&catalog->rows[function]), NO_SLOT);
    }
}

static void add_paths(struct keying *keying)
{
    for (uint64_t groups = pass_count(keying, 5); groups && !keying->failed; groups--) {
        begin_item(keying, PATHS);
        unsigned numbers = take_string(keying);
        size_t length = keying->item.length;
        add_columns(keying, 1, NO_SLOT);
        keying->item.data[0] = PATH_LINES;
        for (unsigned i = 0; i < numbers + PATH_SUMS && !keying->failed; i++) {
            uint64_t lines = pass(keying);
            keying->item.length = length;
            fth_bytes_varint(&keying->item, i);
            if (lines > keying->most)
                keying->failed = true;
            else
                add_columns(keying, LINE_NUMBERS * lines, NO_SLOT);
        }
    }
}

bool fth_shape_key(struct fth_column_keys *known, enum fth_sharing sharing,
                   const struct fth_shape_terms *terms, const uint8_t *shape, size_t length,
                   uint32_t count, const int64_t *row, struct fth_keyed_shape *keyed)
{
    struct keying keying = {.known = known,
                            .sharing = sharing,
                            .terms = terms,
                            .shape = fth_view_of(shape, length),
                            .row = row,
                            .keyed = keyed,
                            .most = count};
    *keyed = (struct fth_keyed_shape){.keys = fth_new_rows(count, sizeof *keyed->keys)};
    if (sharing == FTH_SHARES_BY_SLOTS)
        keyed->slots = fth_new(count, sizeof *keyed->slots);
    known->shapes++;
    add_texts(&keying);
    for (uint64_t left = pass_count(&keying, 2); left && !keying.failed; left--)
        add_signature(&keying);
    pass_tracks(&keying);
    add_sums(&keying);
    add_paths(&keying);
    fth_bytes_free(&keying.item);
    return !keying.failed && !keying.shape.failed && keying.shape.at == keying.shape.end &&
           keying.count == count;
}

void fth_keyed_shape_free(struct fth_keyed_shape *keyed)
{
    fth_bytes_free(&keyed->bytes);
    free(keyed->keys);
    free(keyed->slots);
    *keyed = (struct fth_keyed_shape){0};
}

void fth_column_keys_free(struct fth_column_keys *known)
{
    fth_intern_free(&known->items);
    fth_intern_free(&known->odd);
    free(known->odd_keys);
    free(known->blocks);
    free(known->turns);
    free(known->forms);
    *known = (struct fth_column_keys){0};
}

void fth_shape_kin(const uint8_t *shape, size_t length, struct fth_bytes *kin)
{
    struct fth_view view = fth_view_of(shape, length);
    for (uint64_t texts = fth_view_count(&view, 1); texts; texts--)
        fth_bytes_varint(kin, fth_view_varint(&view));
    for (uint64_t signatures = fth_view_count(&view, 2); signatures; signatures--) {
        fth_view_varint(&view);
        for (uint64_t strings = fth_view_count(&view, 1); strings; strings--)
            fth_view_varint(&view);
    }
    fth_bytes_varint(kin, fth_view_varint(&view));
}
