/* Which file each handle of a process is of, for the order: two locks are on one file, or not,
 * whatever the names were that it was opened by. */
#include "verify/gather/handle_files.h"

#include "base/memory.h"

static int compare(const struct fth_opening *opening, uint32_t proc, uint64_t number)
{
    if (opening->proc != proc)
        return opening->proc < proc ? -1 : 1;
    return (opening->number > number) - (opening->number < number);
}

static int by_handle(const void *a, const void *b)
{
    const struct fth_opening *one = *(const struct fth_opening *const *)a,
                             *other = *(const struct fth_opening *const *)b;
    return compare(one, other->proc, other->number);
}

struct fth_handle_files fth_handle_files_of(const struct fth_run_accesses *accesses)
{
    struct fth_handle_files files = {
        .sorted = fth_new(accesses->opening_count + 1, sizeof(struct fth_opening *))};
    for (size_t i = 0; i < accesses->opening_count; i++)
        if (accesses->openings[i].number != FTH_NO_HANDLE)
            files.sorted[files.count++] = &accesses->openings[i];
    qsort(files.sorted, files.count, sizeof *files.sorted, by_handle);
    return files;
}

uint32_t fth_handle_file(void *context, uint32_t proc, uint64_t number)
{
    const struct fth_handle_files *files = context;
    size_t low = 0, high = files->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare(files->sorted[middle], files->first_proc + proc, number);
        if (order == 0)
            return files->sorted[middle]->file;
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return FTH_NO_FILE;
}

void fth_handle_files_free(struct fth_handle_files *files)
{
    free(files->sorted);
}
