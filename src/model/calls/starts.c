/* Notes of starts become the calls that they stand in. Traces are not trusted: of more starts than
 * these nothing is known. */
#include "model/calls/starts.h"

#include "base/memory.h"
#include "trace/record/spill.h"

enum { MOST_OPEN = 1 << 20, MOST_KNOWN = 1 << 22 };

void fth_starts_take(struct fth_thread_starts *starts, struct fth_thread_reader *reader)
{
    for (size_t i = 0; i < reader->start_count; i++) {
        const struct fth_read_start *start = &reader->starts[i];
        if (start->note.is_followed) {
            starts->followed = start->note.number;
        } else if (starts->open_count < MOST_OPEN) {
            FTH_GROW(starts->open, starts->open_count);
            starts->open[starts->open_count++] = *start;
        }
    }
    reader->start_count = 0;
}

size_t fth_starts_close(struct fth_thread_starts *starts, uint32_t depth)
{
    size_t count = 0;
    while (starts->open_count && starts->open[starts->open_count - 1].depth > depth) {
        if (starts->closed_count < MOST_OPEN) {
            FTH_GROW(starts->closed, starts->closed_count);
            starts->closed[starts->closed_count++] =
                starts->open[starts->open_count - 1].note.number;
            count++;
        }
        starts->open_count--;
    }
    return count;
}

void fth_starts_forget(struct fth_thread_starts *starts)
{
    starts->closed_count = 0;
}

void fth_thread_starts_free(struct fth_thread_starts *starts)
{
    free(starts->open);
    free(starts->closed);
    *starts = (struct fth_thread_starts){0};
}

void fth_starts_add(struct fth_starts *starts, uint64_t number, struct fth_starter starter)
{
    uint32_t count = starts->numbers.count;
    if (count == MOST_KNOWN || fth_intern(&starts->numbers, &number, sizeof number) < count)
        return;
    FTH_GROW(starts->starters, count);
    starts->starters[count] = starter;
}

struct fth_starter fth_starts_find(const struct fth_starts *starts, uint64_t number)
{
    uint32_t at;
    if (number && fth_intern_find(&starts->numbers, &number, sizeof number, &at))
        return starts->starters[at];
    return (struct fth_starter){.call = FTH_NO_CALL};
}

void fth_starts_free(struct fth_starts *starts)
{
    fth_intern_free(&starts->numbers);
    free(starts->starters);
}

bool fth_share_has_starts(const struct fth_share *share)
{
    static const uint8_t text[] = FTH_START_CLASS;
    struct fth_bytes template = {0};
    struct fth_name name;
    uint32_t number;
    fth_name_split(text, sizeof text - 1, false, &template, &name);
    bool found = fth_intern_find(&share->part->strings, template.data, template.length, &number);
    fth_bytes_free(&template);
    return found;
}
