/* Reading the table of functions. An object may say anything in it, so all is read within the parts
 * that the object has. */
#include "prefix/code_functions.h"

#include <string.h>

/* The only encodings that linkers write: four bytes, relative to themselves, as they are, or
 * relative to the table. */
enum { TO_ITSELF = 0x1b, PLAIN = 0x03, TO_TABLE = 0x3b };

struct head {
    uint8_t version, frames_encoding, count_encoding, table_encoding;
    int32_t frames;
    uint32_t count;
};

struct row {
    int32_t function, frame;
};

/* false: the object does not have these bytes. */
static bool read_bytes(const struct fth_code *code, uintptr_t at, void *to, size_t bytes)
{
    for (size_t i = 0; i < code->part_count; i++) {
        const ElfW(Phdr) *part = &code->parts[i];
        uintptr_t within = at - (code->base + part->p_vaddr);
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_R) || within > part->p_filesz ||
            bytes > part->p_filesz - within)
            continue;
        memcpy(to, (const void *)at, bytes);
        return true;
    }
    return false;
}

static bool find_table(const struct fth_code *code, uintptr_t *table, struct head *head)
{
    for (size_t i = 0; i < code->part_count; i++)
        if (code->parts[i].p_type == PT_GNU_EH_FRAME) {
            *table = code->base + code->parts[i].p_vaddr;
            return read_bytes(code, *table, head, sizeof *head) && head->version == 1 &&
                   head->frames_encoding == TO_ITSELF && head->count_encoding == PLAIN &&
                   head->table_encoding == TO_TABLE;
        }
    return false;
}

static bool read_row(const struct fth_code *code, uintptr_t table, uint32_t number, struct row *row)
{
    return read_bytes(code, table + sizeof(struct head) + number * sizeof *row, row, sizeof *row);
}

/* The number of the last function that begins at or before `at`. */
static bool find_row(const struct fth_code *code, uintptr_t table, uint32_t count, uintptr_t at,
                     uint32_t *found)
{
    uint32_t low = 0, high = count;
    struct row row;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (!read_row(code, table, middle, &row))
            return false;
        if (table + (uintptr_t)(intptr_t)row.function <= at)
            low = middle + 1;
        else
            high = middle;
    }
    *found = low - 1;
    return low != 0;
}

/* What the frame says of its function's length. false: its addresses are written in another way. */
static bool read_length(const struct fth_code *code, uintptr_t frame, uintptr_t function,
                        uint32_t *length)
{
    struct {
        uint32_t bytes, common;
        int32_t function;
        uint32_t length;
    } found;
    if (!read_bytes(code, frame, &found, sizeof found) || found.bytes == UINT32_MAX)
        return false;
    *length = found.length;
    return frame + 8 + (uintptr_t)(intptr_t)found.function == function;
}

/* As far as the frame says; false: it does not say it. */
static bool read_function(const struct fth_code *code, uintptr_t table, uint32_t number,
                          struct fth_code_piece *function)
{
    struct row row;
    uint32_t length;
    if (!read_row(code, table, number, &row))
        return false;
    uintptr_t begin = table + (uintptr_t)(intptr_t)row.function,
              frame = table + (uintptr_t)(intptr_t)row.frame;
    if (!read_length(code, frame, begin, &length))
        return false;
    function->begin = (const uint8_t *)begin;
    function->end = function->begin + length;
    function->is_function = true;
    return true;
}

struct fth_code_piece fth_code_piece_at(const struct fth_code *code, const ElfW(Phdr) * part,
                                        const uint8_t *at)
{
    uintptr_t table;
    struct head head;
    uint32_t number;
    const uint8_t *first = (const uint8_t *)(code->base + part->p_vaddr);
    struct fth_code_piece piece, between = {first, first + part->p_filesz, false};
    if (!find_table(code, &table, &head))
        return between;
    bool has_before = find_row(code, table, head.count, (uintptr_t)at, &number);
    if (has_before && read_function(code, table, number, &piece)) {
        if (at < piece.end)
            return piece.end <= between.end ? piece : between;
        if (piece.end > between.begin)
            between.begin = piece.end;
    }
    if (read_function(code, table, has_before ? number + 1 : 0, &piece) && piece.begin > at &&
        piece.begin < between.end)
        between.end = piece.begin;
    return between;
}
