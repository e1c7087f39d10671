/* One map of a file: its rows double in size when an access is behind the last one, so that every
 * file fits from the start. */
#include "analysis/extents/file_map.h"

#include "base/memory.h"
#include "base/time_parts.h"

enum { LEAST_ROW = 512, MOST_STEPS = 4096 };

enum { PIECES = FTH_FILE_MAP_COLUMNS / FTH_FILE_MAP_PIECE };

static struct fth_file_map_cell *cell_at(struct fth_file_map *map, uint64_t row, size_t column)
{
    if (!map->rows[row])
        map->rows[row] = fth_new(1, sizeof **map->rows);
    struct fth_file_map_cell **piece = &map->rows[row]->pieces[column / FTH_FILE_MAP_PIECE];
    if (!*piece)
        *piece = fth_new(FTH_FILE_MAP_PIECE, sizeof **piece);
    return *piece + column % FTH_FILE_MAP_PIECE;
}

struct fth_file_map_cell fth_file_map_at(const struct fth_file_map *map, size_t row, size_t column)
{
    const struct fth_file_map_row *cells = map->rows[row];
    const struct fth_file_map_cell *piece =
        cells ? cells->pieces[column / FTH_FILE_MAP_PIECE] : NULL;
    return piece ? piece[column % FTH_FILE_MAP_PIECE] : (struct fth_file_map_cell){0};
}

void fth_file_map_add_row(struct fth_file_map *map, size_t row, struct fth_file_map_row *more)
{
    if (!map->rows[row]) {
        map->rows[row] = more;
        return;
    }
    for (size_t i = 0; more && i < PIECES; i++) {
        struct fth_file_map_cell **into = &map->rows[row]->pieces[i], *from = more->pieces[i];
        if (!*into) {
            *into = from;
            continue;
        }
        for (size_t j = 0; from && j < FTH_FILE_MAP_PIECE; j++) {
            (*into)[j].read += from[j].read;
            (*into)[j].written += from[j].written;
        }
        free(from);
    }
    free(more);
}

/* Each row of a share takes two of before. */
static void double_share(const struct fth_file_map_share *share)
{
    for (size_t i = 0; i < FTH_FILE_MAP_ROWS; i++) {
        struct fth_file_map_cell cell = share->rows[i];
        share->rows[i] = (struct fth_file_map_cell){0};
        share->rows[i / 2].read += cell.read;
        share->rows[i / 2].written += cell.written;
    }
}

void fth_file_map_double(struct fth_file_map *map)
{
    for (size_t i = 0; i < map->share_count; i++)
        double_share(&map->shares[i]);
    for (size_t i = 0; i < FTH_FILE_MAP_ROWS; i++) {
        struct fth_file_map_row *cells = map->rows[i];
        map->rows[i] = NULL;
        fth_file_map_add_row(map, i / 2, cells);
    }
    map->row_size *= 2;
}

static void reach(struct fth_file_map *map, uint64_t last)
{
    if (!map->row_size)
        map->row_size = LEAST_ROW;
    while (last / map->row_size >= FTH_FILE_MAP_ROWS)
        fth_file_map_double(map);
}

/* Bytes from `first` to `behind`, of which `bytes` were moved. */
static void put_bytes(struct fth_file_map *map, size_t column, uint64_t first, uint64_t behind,
                      uint64_t bytes, bool writes)
{
    reach(map, behind - 1);
    uint64_t from = first / map->row_size, to = (behind - 1) / map->row_size, left = bytes;
    for (uint64_t row = from; row <= to; row++) {
        uint64_t end = row == to ? behind : (row + 1) * map->row_size,
                 begin = row == from ? first : row * map->row_size;
        uint64_t part =
            row == to ? left
                      : (uint64_t)((unsigned __int128)bytes * (end - begin) / (behind - first));
        struct fth_file_map_cell *cell = cell_at(map, row, column);
        *(writes ? &cell->written : &cell->read) += part;
        left -= part;
    }
}

/* Long runs go in steps of some calls each: their bytes stay exact, and none is further from its
 * cell than a step. */
void fth_file_map_put(struct fth_file_map *map, int64_t begin, int64_t column_width,
                      const struct fth_file_map_run *run)
{
    uint64_t steps = run->calls < MOST_STEPS ? run->calls : MOST_STEPS;
    int64_t past = run->last - run->start;
    for (uint64_t i = 0; i < steps; i++) {
        uint64_t call = (uint64_t)((unsigned __int128)run->calls * i / steps),
                 next = (uint64_t)((unsigned __int128)run->calls * (i + 1) / steps);
        uint64_t first = run->first + (uint64_t)run->step * call,
                 behind = run->behind + (uint64_t)run->step * call;
        int64_t time = run->start + (int64_t)((__int128)past * (int64_t)call / (int64_t)run->calls);
        if (behind <= first)
            continue;
        put_bytes(map, fth_part_at(begin, column_width, FTH_FILE_MAP_COLUMNS, time), first, behind,
                  run->bytes * (next - call), run->writes);
    }
}

void fth_file_map_free(struct fth_file_map *map)
{
    for (size_t row = 0; row < FTH_FILE_MAP_ROWS; row++) {
        for (size_t i = 0; map->rows[row] && i < PIECES; i++)
            free(map->rows[row]->pieces[i]);
        free(map->rows[row]);
    }
    for (size_t i = 0; i < map->share_count; i++)
        free(map->shares[i].rows);
    free(map->shares);
    free(map->kept);
    free(map->path);
}

void fth_file_maps_free(struct fth_file_maps *maps)
{
    if (!maps)
        return;
    for (size_t i = 0; i < maps->count; i++)
        fth_file_map_free(&maps->list[i]);
    free(maps->list);
    free(maps);
}
