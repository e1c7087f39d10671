/* Maps of files: which bytes were accessed when, and by which process. For pictures.
 *
 * A map divides a file in FTH_FILE_MAP_ROWS rows of the same size, a power of two, and the time of
 * the run in FTH_FILE_MAP_COLUMNS columns. As long as a file has few accesses, they are kept one by
 * one, too. Only calls of the system count: what reached the file. */
#ifndef FTH_ANALYSIS_FILE_MAP_H
#define FTH_ANALYSIS_FILE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    FTH_FILE_MAP_ROWS = 128,
    FTH_FILE_MAP_COLUMNS = 256,
    FTH_FILE_MAP_PIECE = 16,     /* columns */
    FTH_FILE_MAPS = 64,          /* of the run, those of the files with the most bytes moved */
    FTH_FILE_MAP_ACCESSES = 512, /* of a process on a file that are kept one by one */
    FTH_FILE_MAP_KEPT = 4096,    /* of all processes */
};

struct fth_file_map_cell {
    uint64_t read, written; /* bytes */
};

/* Most files are accessed for a short time: a row has pieces where something is. */
struct fth_file_map_row {
    struct fth_file_map_cell *pieces[FTH_FILE_MAP_COLUMNS / FTH_FILE_MAP_PIECE]; /* NULL: empty */
};

/* Of a call, or of one that stands for some that were gone through in one go. */
struct fth_file_map_access {
    uint32_t proc, thread;
    uint64_t number; /* of the call in its thread */
    int64_t start, end;
    uint64_t first, behind; /* bytes of the file; with holes in between if it is not contiguous */
    bool writes;
};

/* What a process accessed, in rows of the map. */
struct fth_file_map_share {
    uint32_t proc;
    struct fth_file_map_cell *rows; /* FTH_FILE_MAP_ROWS */
};

struct fth_file_map {
    char *path;             /* "NODE:PATH" where nodes have files of their own */
    uint64_t read, written; /* bytes */
    uint64_t accesses;
    uint64_t unplaced; /* of these, of which it is not known where in the file they were */
    uint64_t row_size; /* bytes */
    struct fth_file_map_row *rows[FTH_FILE_MAP_ROWS]; /* NULL: empty */
    size_t share_count;                               /* in order of processes */
    struct fth_file_map_share *shares;
    bool all; /* accesses are kept one by one */
    size_t access_count;
    struct fth_file_map_access *kept;
};

struct fth_file_maps {
    int64_t begin, column_width; /* ns since the start of the run */
    size_t count;                /* the most bytes first */
    struct fth_file_map *list;
    uint64_t left_out; /* accesses to files without a map */
};

void fth_file_map_free(struct fth_file_map *map);
void fth_file_maps_free(struct fth_file_maps *maps);

/* `calls` accesses of `bytes` each, the first from `first` to `behind`, each `step` behind the one
 * before; they began evenly from `start` to `last`. */
struct fth_file_map_run {
    uint64_t first, behind, bytes, calls;
    int64_t step, start, last;
    bool writes;
};
void fth_file_map_put(struct fth_file_map *map, int64_t begin, int64_t column_width,
                      const struct fth_file_map_run *run);
/* What is in a cell. */
struct fth_file_map_cell fth_file_map_at(const struct fth_file_map *map, size_t row, size_t column);
/* Adds the cells of another map's row, which is freed; NULL: empty. */
void fth_file_map_add_row(struct fth_file_map *map, size_t row, struct fth_file_map_row *more);
/* Rows of twice the size. */
void fth_file_map_double(struct fth_file_map *map);

#endif
