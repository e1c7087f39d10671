/* Maps of the files with the most bytes: which bytes were accessed when. One by one where accesses
 * are few; else as a heat map, the stronger the more bytes were moved. */
#include "base/memory.h"
#include "base/phrase.h"
#include "views/pictures/frame.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_FILES = 6, HIGH = 150, STRENGTHS = 8 };

/* Bytes up to the last row with something in it. */
static uint64_t extent_of(const struct fth_file_map *map)
{
    size_t last = 0;
    for (size_t row = 0; row < FTH_FILE_MAP_ROWS; row++)
        for (size_t column = 0; map->rows[row] && column < FTH_FILE_MAP_COLUMNS; column++) {
            struct fth_file_map_cell cell = fth_file_map_at(map, row, column);
            if (cell.read || cell.written)
                last = row;
        }
    return (last + 1) * map->row_size;
}

struct panel {
    struct fth_svg *svg;
    const struct fth_file_maps *maps;
    const struct fth_file_map *map;
    struct fth_frame_axis time, bytes;
};

/* A range of bytes in a stretch of time: large enough to be seen. */
static void put_box(const struct panel *panel, double start, double end, double first,
                    double behind, double least)
{
    double left = fth_frame_at(&panel->time, start), right = fth_frame_at(&panel->time, end),
           bottom = fth_frame_at(&panel->bytes, first), top = fth_frame_at(&panel->bytes, behind);
    right = right - left < least ? left + least : right;
    right = right > panel->time.to ? panel->time.to : right;
    left = left > right - least ? right - least : left;
    top = bottom - top < least ? bottom - least : top;
    fth_svg_move(panel->svg, left, bottom);
    fth_svg_to(panel->svg, left, top);
    fth_svg_to(panel->svg, right, top);
    fth_svg_to(panel->svg, right, bottom);
    fth_svg_close(panel->svg);
}

/* ---- single accesses ---- */

static void put_accesses(const struct panel *panel, bool writes)
{
    const struct fth_file_map *map = panel->map;
    fth_svg_begin_path(panel->svg);
    for (size_t i = 0; i < map->access_count; i++)
        if (map->kept[i].writes == writes)
            put_box(panel, (double)map->kept[i].start, (double)map->kept[i].end,
                    (double)map->kept[i].first, (double)map->kept[i].behind, 1.5);
    fth_svg_end_path(panel->svg, writes ? FTH_PALETTE_WRITES : FTH_PALETTE_READS, 0);
}

/* ---- heat maps ---- */

static struct fth_file_map_cell most_of(const struct fth_file_map *map)
{
    struct fth_file_map_cell most = {0, 0};
    for (size_t row = 0; row < FTH_FILE_MAP_ROWS; row++)
        for (size_t column = 0; column < FTH_FILE_MAP_COLUMNS; column++) {
            struct fth_file_map_cell cell = fth_file_map_at(map, row, column);
            most.read = cell.read > most.read ? cell.read : most.read;
            most.written = cell.written > most.written ? cell.written : most.written;
        }
    return most;
}

/* 0: nothing; else 1 to STRENGTHS, on a scale of logarithms. */
static unsigned strength_of(uint64_t bytes, uint64_t most)
{
    if (!bytes)
        return 0;
    return 1 + (unsigned)lround((STRENGTHS - 1) * log1p((double)bytes) / log1p((double)most));
}

/* The colour of a cell with so much read and written: of the two as much as there is of each, on
 * paper as the stronger one says. `mixed` has room for 8. */
static void mix(unsigned read, unsigned written, char *mixed)
{
    char both[8];
    unsigned more = read > written ? read : written;
    fth_svg_mix(FTH_PALETTE_READS, FTH_PALETTE_WRITES, (double)read / (read + written), both);
    fth_svg_mix(both, FTH_PAPER_GROUND, 0.15 + 0.85 * more / STRENGTHS, mixed);
}

/* The strengths of each cell in one number: that of reading, and that of writing. */
static uint8_t *strengths_of(const struct fth_file_map *map)
{
    struct fth_file_map_cell most = most_of(map);
    uint8_t *strengths = fth_new(FTH_FILE_MAP_ROWS * FTH_FILE_MAP_COLUMNS, sizeof *strengths);
    for (size_t row = 0; row < FTH_FILE_MAP_ROWS; row++)
        for (size_t column = 0; column < FTH_FILE_MAP_COLUMNS; column++) {
            struct fth_file_map_cell cell = fth_file_map_at(map, row, column);
            strengths[row * FTH_FILE_MAP_COLUMNS + column] =
                (uint8_t)(strength_of(cell.read, most.read) << 4 |
                          strength_of(cell.written, most.written));
        }
    return strengths;
}

/* Cells of one colour are one path; neighbours in a row are one piece of it. */
static void put_colour(const struct panel *panel, const uint8_t *strengths, unsigned wanted)
{
    const struct fth_file_maps *maps = panel->maps;
    const double row_size = (double)panel->map->row_size;
    char colour[8];
    bool begun = false;
    for (size_t at = 0, behind; at < FTH_FILE_MAP_ROWS * FTH_FILE_MAP_COLUMNS; at = behind) {
        size_t row = at / FTH_FILE_MAP_COLUMNS, column = at % FTH_FILE_MAP_COLUMNS;
        behind = at + 1;
        if (strengths[at] != wanted)
            continue;
        while (behind % FTH_FILE_MAP_COLUMNS && strengths[behind] == wanted)
            behind++;
        if (!begun)
            fth_svg_begin_path(panel->svg);
        begun = true;
        double start = (double)maps->begin + (double)maps->column_width * (double)column,
               end = start + (double)maps->column_width * (double)(behind - at);
        put_box(panel, start, end < panel->time.end ? end : panel->time.end, (double)row * row_size,
                (double)(row + 1) * row_size, 0.5);
    }
    mix(wanted >> 4, wanted & 15, colour);
    if (begun)
        fth_svg_end_path(panel->svg, colour, 0);
}

static void put_heat(const struct panel *panel)
{
    uint8_t *strengths = strengths_of(panel->map);
    for (unsigned wanted = 1; wanted <= (STRENGTHS << 4 | STRENGTHS); wanted++)
        put_colour(panel, strengths, wanted);
    free(strengths);
}

/* ---- a file ---- */

static double put_file(const struct panel *panel, double y)
{
    const struct fth_file_map *map = panel->map;
    const struct fth_svg_datum data[] = {{"path", map->path, 0},
                                         {"read", NULL, map->read},
                                         {"written", NULL, map->written},
                                         {"accesses", NULL, map->accesses},
                                         {"unplaced", NULL, map->unplaced}};
    fth_svg_begin_data(panel->svg, map->path, data, sizeof data / sizeof *data);
    fth_svg_text(panel->svg, FTH_FRAME_LEFT, y, &fth_frame_heading, map->path,
                 FTH_FRAME_RIGHT - FTH_FRAME_LEFT - 20);
    char *facts =
        fth_text_format("%s read, %s written by %s%s%s", fth_phrase_bytes(map->read).text,
                        fth_phrase_bytes(map->written).text,
                        fth_phrase_several(map->accesses, "access", "accesses").text,
                        map->unplaced ? "; places in the file unknown: "
                        : map->all    ? ", each drawn"
                                      : ", the stronger the colour, the more bytes (logarithm)",
                        map->unplaced ? fth_phrase_count((int64_t)map->unplaced).text : "");
    fth_svg_text(panel->svg, FTH_FRAME_LEFT, y + 16, &fth_frame_quiet, facts, 0);
    free(facts);
    fth_frame_put_times(panel->svg, &panel->time, panel->bytes.to, panel->bytes.from);
    fth_frame_put_values(panel->svg, &panel->bytes, FTH_FRAME_LEFT, FTH_FRAME_RIGHT, true,
                         fth_frame_bytes);
    if (map->all) {
        put_accesses(panel, true);
        put_accesses(panel, false);
    } else {
        put_heat(panel);
    }
    fth_svg_end_group(panel->svg);
    return panel->bytes.from + 46;
}

static double draw(struct fth_svg *svg, const struct fth_pictured *pictured, double y)
{
    const struct fth_file_maps *maps = pictured->results->file_maps;
    if (!maps || !maps->count)
        return fth_frame_put_nothing(svg, "There are no accesses to files to show.", y);
    struct fth_frame_legend legend[] = {{FTH_PALETTE_READS, fth_text_copy("read")},
                                        {FTH_PALETTE_WRITES, fth_text_copy("written")}};
    y = fth_frame_put_legend(svg, legend, 2, y + 10) + 14;
    for (size_t i = 0; i < maps->count && i < MOST_FILES; i++) {
        const struct panel panel = {
            svg,
            maps,
            &maps->list[i],
            fth_frame_time(pictured->view->overview, FTH_FRAME_LEFT, FTH_FRAME_RIGHT),
            {0, (double)extent_of(&maps->list[i]), y + 26 + HIGH, y + 26}};
        y = put_file(&panel, y);
    }
    if (maps->count > MOST_FILES)
        y = fth_frame_put_note(svg, FTH_FRAME_LEFT,
                               fth_text_format("The %d files with the most bytes; `fathom report "
                                               "--html` has maps of others, too.",
                                               MOST_FILES),
                               y);
    return y;
}

const struct fth_picture_kind fth_picture_files = {
    "files", "Files over time",
    "Bytes of a file from bottom to top, time from left to right: which bytes were read and "
    "written "
    "by calls of the system, and when.",
    draw};
