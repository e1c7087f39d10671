/* The page of a recording that is tunable, on the side of the program: files that several ranks
 * have opened together, each with its time. */
#include "capture/mpi/tunable_rows.h"

#include "base/hash.h"
#include "capture/process/process_clock.h"
#include "capture/process/spill_folder.h"
#include "interpose/own/apart.h"
#include "interpose/own/own_files.h"
#include "interpose/own/own_memory.h"
#include "trace/record/spill.h"

#include <fcntl.h>
#include <string.h>

enum {
    MOST_FILES = 64, /* open at a time, whose time is measured */
    PATIENCE = 1000, /* looks at a row that another process makes */
    PAGE = (sizeof(struct fth_tunable_page) + FTH_SPILL_PAGE - 1) / FTH_SPILL_PAGE * FTH_SPILL_PAGE
};

/* ---- the page ---- */

struct fth_tunable_page *fth_tunable_page;

static void map_page(void *unused)
{
    static const char *const names[] = {FTH_SPILL_MEMORY "/" FTH_TUNABLE_PAGE, FTH_TUNABLE_PAGE};
    (void)unused;
    for (size_t i = 0; i < 2 && !fth_tunable_page; i++) {
        int error, file = fth_spill_open(names[i], O_RDWR | O_CREAT, &error);
        if (file < 0)
            continue;
        fth_tunable_page = fth_file_map(file, 0, PAGE, &error);
        fth_file_close(file);
    }
    if (fth_tunable_page)
        __atomic_store_n(&fth_tunable_page->magic, FTH_TUNABLE_MAGIC, __ATOMIC_RELEASE);
}

void fth_tunable_map_page(void)
{
    fth_apart(map_page, NULL);
}

void fth_tunable_raise(uint64_t *word, uint64_t value)
{
    uint64_t is = __atomic_load_n(word, __ATOMIC_RELAXED);
    while (is < value && !__atomic_compare_exchange_n(word, &is, value, false, __ATOMIC_RELAXED,
                                                      __ATOMIC_RELAXED))
        continue;
}

/* ---- how long it is open ---- */

static void fill_row(struct fth_tunable_open *row, const struct fth_tunable_agreed *agreed,
                     int ranks, const char *path)
{
    size_t length = strlen(path), kept = sizeof row->path - 1;
    uint64_t name = FTH_HASH_START;
    for (const char *at = path; *at; at++)
        if (*at < '0' || *at > '9')
            name = fth_hash_bytes(name, at, 1);
    row->image = agreed->image;
    row->request = agreed->request;
    row->name = name;
    row->begin = fth_clock_ns();
    row->end = 0;
    row->ranks = (uint32_t)ranks;
    row->opened = row->closed = row->failed = 0;
    memset(row->path, 0, sizeof row->path);
    memcpy(row->path, length > kept ? path + length - kept : path, length > kept ? kept : length);
    __atomic_store_n(&row->number, agreed->number, __ATOMIC_RELEASE);
}

static bool is_row_of(const struct fth_tunable_open *row, const struct fth_tunable_agreed *agreed)
{
    return __atomic_load_n(&row->number, __ATOMIC_ACQUIRE) == agreed->number &&
           row->image == agreed->image;
}

static struct fth_tunable_open *row_at(uint64_t number)
{
    return fth_tunable_page ? &fth_tunable_page->rows[number % FTH_TUNABLE_OPENS] : NULL;
}

/* The first process of the node makes the row. */
void fth_tunable_begin(const struct fth_tunable_agreed *agreed, int ranks, const char *path)
{
    struct fth_tunable_open *row = row_at(agreed->number);
    if (!row)
        return;
    uint64_t is = __atomic_load_n(&row->number, __ATOMIC_ACQUIRE);
    if (is < agreed->number &&
        __atomic_compare_exchange_n(&row->number, &is, agreed->number | FTH_TUNABLE_IS_MADE, false,
                                    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        fill_row(row, agreed, ranks, path);
    for (int i = 0; i < PATIENCE && is == (agreed->number | FTH_TUNABLE_IS_MADE); i++)
        is = __atomic_load_n(&row->number, __ATOMIC_ACQUIRE);
}

static struct {
    uint64_t handle; /* of the file; 0: the place is free */
    struct fth_tunable_agreed agreed;
    struct fth_tunable_open *row;
} files[MOST_FILES];
static struct fth_lock files_lock;

static void remember(uint64_t handle, const struct fth_tunable_agreed *agreed,
                     struct fth_tunable_open *row)
{
    fth_lock(&files_lock);
    for (int i = 0; i < MOST_FILES; i++)
        if (!files[i].handle) {
            files[i].handle = handle;
            files[i].agreed = *agreed;
            files[i].row = row;
            break;
        }
    fth_unlock(&files_lock);
}

void fth_tunable_opened(const struct fth_tunable_agreed *agreed, uint64_t handle)
{
    struct fth_tunable_open *row = row_at(agreed->number);
    if (!row || !is_row_of(row, agreed))
        return;
    __atomic_fetch_add(&row->opened, 1, __ATOMIC_RELAXED);
    if (handle) {
        remember(handle, agreed, row);
        return;
    }
    __atomic_fetch_add(&row->failed, 1, __ATOMIC_RELAXED);
    fth_tunable_closed(row);
}

struct fth_tunable_open *fth_tunable_take(uint64_t handle)
{
    struct fth_tunable_open *row = NULL;
    if (!handle)
        return NULL;
    fth_lock(&files_lock);
    for (int i = 0; i < MOST_FILES && !row; i++)
        if (files[i].handle == handle) {
            files[i].handle = 0;
            if (is_row_of(files[i].row, &files[i].agreed))
                row = files[i].row;
        }
    fth_unlock(&files_lock);
    return row;
}

void fth_tunable_closed(struct fth_tunable_open *row)
{
    if (!row)
        return;
    fth_tunable_raise(&row->end, fth_clock_ns());
    __atomic_fetch_add(&row->closed, 1, __ATOMIC_RELEASE);
}
