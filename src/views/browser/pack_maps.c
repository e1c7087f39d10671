/* Maps of files as the page of a run wants them. */
#include "views/browser/pack.h"

#include "base/json.h"
#include "base/memory.h"

static void put_map(struct fth_json *json, const struct fth_file_map *map)
{
    fth_json_begin_object(json);
    fth_json_key_text(json, "path", map->path);
    fth_json_key_unsigned(json, "read", map->read);
    fth_json_key_unsigned(json, "written", map->written);
    fth_json_key_unsigned(json, "accesses", map->accesses);
    fth_json_key_unsigned(json, "unplaced", map->unplaced);
    fth_json_key_unsigned(json, "row_size", map->row_size);
    fth_json_key_boolean(json, "all", map->all);
    fth_json_end_object(json);
}

void fth_views_pack_maps(struct fth_sink *to, const struct fth_file_maps *maps)
{
    struct fth_json json;
    fth_json_open(&json, to, 0);
    fth_json_begin_object(&json);
    fth_json_key_integer(&json, "begin", maps->begin);
    fth_json_key_integer(&json, "column_width", maps->column_width);
    fth_json_key_unsigned(&json, "columns", FTH_FILE_MAP_COLUMNS);
    fth_json_key_unsigned(&json, "rows", FTH_FILE_MAP_ROWS);
    fth_json_key_unsigned(&json, "left_out", maps->left_out);
    fth_json_key(&json, "files");
    fth_json_begin_array(&json);
    for (size_t i = 0; i < maps->count; i++)
        put_map(&json, &maps->list[i]);
    fth_json_end_array(&json);
    fth_json_end_object(&json);
}

/* ---- cells ---- */

/* How many cells are not empty; columns of how many empty ones are before each, of bytes read, of
 * bytes written. `share`: of a process, else of all of them. */
static void put_cells(struct fth_sink *to, const struct fth_file_map *map,
                      const struct fth_file_map_share *share)
{
    size_t places = share ? FTH_FILE_MAP_ROWS : FTH_FILE_MAP_ROWS * FTH_FILE_MAP_COLUMNS;
    size_t count = 0, empty = 0;
    struct fth_file_map_cell *cells = fth_new(places + 1, sizeof *cells);
    uint64_t *gaps = fth_new(places + 1, sizeof *gaps);
    for (size_t i = 0; i < places; i++) {
        struct fth_file_map_cell cell =
            share ? share->rows[i]
                  : fth_file_map_at(map, i / FTH_FILE_MAP_COLUMNS, i % FTH_FILE_MAP_COLUMNS);
        if (!cell.read && !cell.written) {
            empty++;
            continue;
        }
        gaps[count] = empty;
        cells[count++] = cell;
        empty = 0;
    }
    fth_views_pack(to, count);
    for (size_t listed = 0; listed < count; listed++)
        fth_views_pack(to, gaps[listed]);
    for (size_t listed = 0; listed < count; listed++)
        fth_views_pack(to, cells[listed].read);
    for (size_t listed = 0; listed < count; listed++)
        fth_views_pack(to, cells[listed].written);
    free(gaps);
    free(cells);
}

static void put_accesses(struct fth_sink *to, const struct fth_file_map *map, int64_t begin)
{
    const struct fth_file_map_access *kept = map->kept;
    size_t count = map->all ? map->access_count : 0;
    fth_views_pack(to, count);
    for (size_t i = 0; i < count; i++) {
        int64_t start = kept[i].start > begin ? kept[i].start - begin : 0;
        fth_views_pack(to, kept[i].proc);
        fth_views_pack(to, (uint64_t)kept[i].thread * 2 + kept[i].writes);
        fth_views_pack(to, kept[i].number);
        fth_views_pack(to, (uint64_t)start);
        fth_views_pack(to,
                       (uint64_t)(kept[i].end > kept[i].start ? kept[i].end - kept[i].start : 0));
        fth_views_pack(to, kept[i].first);
        fth_views_pack(to, kept[i].behind - kept[i].first);
    }
}

void fth_views_pack_cells(struct fth_sink *to, const struct fth_file_maps *maps)
{
    for (size_t i = 0; i < maps->count; i++) {
        const struct fth_file_map *map = &maps->list[i];
        put_cells(to, map, NULL);
        fth_views_pack(to, map->share_count);
        for (size_t share = 0; share < map->share_count; share++) {
            fth_views_pack(to, map->shares[share].proc);
            put_cells(to, map, &map->shares[share]);
        }
        put_accesses(to, map, maps->begin);
    }
}
