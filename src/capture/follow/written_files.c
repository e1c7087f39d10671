/* Files of programs and of the system are left out as long as the run only reads them. What some
 * process writes is data of the run: calls on it are recorded from then on, in all processes of the
 * node. Its path is kept as a number in the page that they share; the path behind links, too, and
 * what the system numbers it by, if it has several names. So are the paths of reads that were left
 * out, in a filter (Bloom, 1970): where such a file is written later, what was left out
 * before is noted as not seen. */
#include "capture/follow/written_files.h"

#include "base/hash.h"
#include "capture/process/process.h"
#include "capture/process/shared_page.h"
#include "interpose/own/put.h"

#include <string.h>

enum { PROBES = 16, MOST_NOTES = 8, DEEPEST = 64 };

static bool ends_part(char byte)
{
    return byte == '/' || !byte;
}

/* Of an absolute path without "." and ".."; links are not followed. */
static uint64_t number_of(const char *path)
{
    uint64_t at[DEEPEST]; /* by depth */
    unsigned depth = 0;
    at[0] = FTH_HASH_START;
    while (*path) {
        if (*path == '/') {
            path++;
        } else if (path[0] == '.' && ends_part(path[1])) {
            path++;
        } else if (path[0] == '.' && path[1] == '.' && ends_part(path[2])) {
            depth -= depth > 0;
            path += 2;
        } else {
            uint64_t hash = fth_hash_bytes(at[depth], "/", 1);
            for (; !ends_part(*path); path++)
                hash = fth_hash_bytes(hash, path, 1);
            depth += depth + 1 < DEEPEST;
            at[depth] = hash;
        }
    }
    return at[depth] | 1;
}

/* Of a file with several names. */
static uint64_t number_of_file(const struct fth_identity_known *file)
{
    uint64_t key[] = {file->device, file->inode};
    return fth_hash_bytes(FTH_HASH_START, (const char *)key, sizeof key) | 1;
}

/* Where the number is, or can go; NULL: nowhere. */
static uint64_t *place_of(uint64_t number)
{
    for (unsigned i = 0; i < PROBES; i++) {
        uint64_t *place = &fth_shared_page->written[((number >> 8) + i) % FTH_SPILL_WRITTEN];
        uint64_t there = __atomic_load_n(place, __ATOMIC_ACQUIRE);
        if (there == number || !there)
            return place;
    }
    return NULL;
}

/* ---- what was left out ---- */

static uint64_t *word_of(uint64_t number, uint64_t *bit)
{
    uint64_t at = (number >> 20) % (FTH_SPILL_LEFT_OUT * 64);
    *bit = UINT64_C(1) << at % 64;
    return &fth_shared_page->left_out[at / 64];
}

static void leave_out(uint64_t number)
{
    uint64_t bit, *word = word_of(number, &bit);
    if (!(__atomic_load_n(word, __ATOMIC_RELAXED) & bit))
        __atomic_fetch_or(word, bit, __ATOMIC_RELEASE);
}

static bool was_left_out(uint64_t number)
{
    uint64_t bit, *word = word_of(number, &bit);
    return __atomic_load_n(word, __ATOMIC_ACQUIRE) & bit;
}

static void note(const char *path, const char *when)
{
    static unsigned notes;
    static char text[512];
    size_t length = strlen(path);
    unsigned number = __atomic_fetch_add(&notes, 1, __ATOMIC_RELAXED);
    if (number > MOST_NOTES || length > sizeof text - 200)
        return;
    char *end = number < MOST_NOTES ? fth_put_text(fth_put_text(text, "accesses to "), path)
                                    : fth_put_text(text, "accesses to more files");
    end =
        fth_put_decimal(fth_put_text(fth_put_text(end, when), "pid "), (uint64_t)fth_process->pid);
    fth_put_text(end, " wrote to it: files of programs and of the system are left out as long as "
                      "they are only read (--program-files, --no-default-excludes)");
    fth_process_note("unseen=", text);
}

/* ---- what is written ---- */

static bool is_written(uint64_t number, const char *path, bool path_is_noted)
{
    uint64_t *place, empty = 0;
    if (!fth_process)
        return false;
    do {
        place = fth_shared_page ? place_of(number) : NULL;
        empty = 0;
        if (!place) {
            note(path, " at any time, though ");
            return false;
        }
        if (__atomic_load_n(place, __ATOMIC_ACQUIRE) == number)
            return true;
    } while (!__atomic_compare_exchange_n(place, &empty, number, false, __ATOMIC_ACQ_REL,
                                          __ATOMIC_ACQUIRE));
    __atomic_store_n(&fth_shared_page->writes, 1, __ATOMIC_RELEASE);
    if (path_is_noted)
        fth_process_note(FTH_WRITTEN_KEY "=", path);
    if (was_left_out(number))
        note(path, " before ");
    return true;
}

bool fth_file_is_written(const char *path)
{
    return is_written(number_of(path), path, true);
}

void fth_names_are_written(const struct fth_identity_known *file, const char *path)
{
    is_written(number_of_file(file), path, false);
}

static bool was_written(uint64_t number, bool reads)
{
    if (!fth_shared_page ||
        (!reads && !__atomic_load_n(&fth_shared_page->writes, __ATOMIC_ACQUIRE)))
        return false;
    if (reads)
        leave_out(number);
    if (!__atomic_load_n(&fth_shared_page->writes, __ATOMIC_ACQUIRE))
        return false;
    uint64_t *place = place_of(number);
    return place && __atomic_load_n(place, __ATOMIC_ACQUIRE) == number;
}

bool fth_file_was_written(const char *path, bool reads)
{
    return was_written(number_of(path), reads);
}

bool fth_names_were_written(const struct fth_identity_known *file)
{
    return was_written(number_of_file(file), true);
}
