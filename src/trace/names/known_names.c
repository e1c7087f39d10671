/* A row for each template whose numbers lie close together, which is small enough for a cache; and
 * for all others an open hash table with the keys in it, where one place of memory is enough to
 * find a name. */
#include "trace/names/known_names.h"

#include "base/memory.h"

static struct fth_known_name *place_of(const struct fth_known_names *names,
                                       const struct fth_template *template, int64_t number)
{
    uint64_t mixed = ((uint64_t)number ^ (uintptr_t) template << 20) * 0x9E3779B97F4A7C15u;
    uint32_t mask = names->room - 1, at = (uint32_t)(mixed >> 32) & mask;
    while (names->places[at].template &&
           (names->places[at].template != template || names->places[at].number != number))
        at = (at + 1) & mask;
    return &names->places[at];
}

static void grow(struct fth_known_names *names)
{
    struct fth_known_names old = *names;
    names->room = old.room ? 2 * old.room : 16;
    names->places = fth_new_table(names->room, sizeof *names->places);
    for (uint32_t i = 0; i < old.room; i++)
        if (old.places[i].template)
            *place_of(names, old.places[i].template, old.places[i].number) = old.places[i];
    free(old.places);
}

/* ---- rows ---- */

/* A row is at most four times as long as there are names. */
static bool reaches(struct fth_known_row *row, uint64_t at)
{
    if (at < row->room)
        return true;
    if (at >= 4 * (uint64_t)row->count || at > UINT32_MAX / 4)
        return false;
    row->texts = fth_reach(row->texts, &row->room, (uint32_t)at, sizeof *row->texts);
    return true;
}

static struct fth_known_row *row_of(struct fth_known_names *names,
                                    const struct fth_template *template)
{
    names->rows = fth_reach(names->rows, &names->row_limit, template->number, sizeof *names->rows);
    return &names->rows[template->number];
}

/* NULL: it belongs into the table. */
static uint32_t *place_in_row(struct fth_known_row *row, int64_t number)
{
    uint32_t width = (uint32_t)number % FTH_NAME_WIDTHS;
    if (!row->count)
        row->width = width;
    if (number < 0 || row->width != width || !reaches(row, (uint64_t)number / FTH_NAME_WIDTHS))
        return NULL;
    uint32_t *text = &row->texts[number / FTH_NAME_WIDTHS];
    row->count += !*text;
    return text;
}

/* ---- all of them ---- */

/* *is_new: it was not there. */
static uint32_t *place_in_table(struct fth_known_names *names, const struct fth_template *template,
                                int64_t number, bool *is_new)
{
    if (names->count * 2 >= names->room)
        grow(names);
    struct fth_known_name *place = place_of(names, template, number);
    *is_new = !place->template;
    if (*is_new) {
        *place = (struct fth_known_name){template, number, 0};
        names->count++;
    }
    return &place->text;
}

uint32_t *fth_known_name(struct fth_known_names *names, const struct fth_template *template,
                         int64_t number)
{
    bool is_new;
    if (!template->number)
        return place_in_table(names, template, number, &is_new);
    struct fth_known_row *row = row_of(names, template);
    uint32_t *text = place_in_row(row, number);
    if (text)
        return text;
    text = place_in_table(names, template, number, &is_new);
    row->count += is_new;
    return text;
}

void fth_known_names_free(struct fth_known_names *names)
{
    for (uint32_t i = 0; i < names->row_limit; i++)
        free(names->rows[i].texts);
    free(names->rows);
    free(names->places);
    *names = (struct fth_known_names){0};
}
