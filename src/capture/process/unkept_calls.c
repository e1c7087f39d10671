/* Counting of calls that are not kept: where, and since when. See unkept_calls.h. */
#include "capture/process/unkept_calls.h"

#include "capture/process/process_clock.h"
#include "capture/process/process.h"
#include "capture/process/spill_folder.h"
#include "interpose/own/apart.h"
#include "interpose/own/own_files.h"
#include "interpose/own/own_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Where a process without a file counts; NULL: it has one. */
static struct fth_spill_unkept *elsewhere;

bool fth_process_is_unkept(void)
{
    return elsewhere != NULL;
}

static void note_reason(struct fth_spill_unkept *unkept, int error)
{
    uint32_t none = 0, reason = (uint32_t)(error ? error : EIO);
    if (!__atomic_compare_exchange_n(&unkept->error, &none, reason, false, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED))
        return;
    unkept->since = fth_clock_anchor();
}

void fth_unkept_since(int error)
{
    if (fth_process && !elsewhere)
        note_reason(&fth_process->unkept, error);
}

void fth_unkept_calls(uint64_t count)
{
    struct fth_spill_unkept *unkept = elsewhere     ? elsewhere
                                      : fth_process ? &fth_process->unkept
                                                    : NULL;
    if (unkept)
        __atomic_fetch_add(&unkept->calls, count, __ATOMIC_RELAXED);
}

/* ---- processes without a file ---- */

/* The page that `fathom record` made has its room: none is asked for, as no limit or full disk may
 * be in the way. */
static void map_page(void *argument)
{
    struct fth_spill_unkept **page = argument;
    int error, before = errno, file = fth_spill_open(FTH_SPILL_UNKEPT, O_RDWR, &error);
    if (file < 0)
        return;
    bool is_whole = syscall(SYS_lseek, file, 0, SEEK_END) >= FTH_SPILL_PAGE;
    void *memory = is_whole ? fth_map_memory(FTH_SPILL_PAGE) : NULL;
    if (memory && fth_file_map_over(file, 0, FTH_SPILL_PAGE, memory))
        *page = memory;
    fth_file_close(file);
    errno = before;
}

static struct fth_spill_unkept *counters(struct fth_spill_process *parent)
{
    struct fth_spill_unkept *page = NULL;
    if (parent && elsewhere)
        return elsewhere;
    if (parent)
        return &parent->forked;
    fth_apart_or_alone(map_page, &page);
    return page;
}

void fth_unkept_process_over(void)
{
    elsewhere = NULL;
}

/* That one counts in the page, if it can be reached. */
void fth_unkept_process_replaced(void)
{
    struct fth_spill_unkept *page = NULL;
    if (!elsewhere)
        return;
    fth_apart_or_alone(map_page, &page);
    if (page)
        fth_unmap(page, FTH_SPILL_PAGE);
    else
        elsewhere->uncounted = 1;
}

void fth_unkept_process_uncounted(struct fth_spill_process *parent, int error)
{
    struct fth_spill_unkept *counts = counters(parent);
    if (!counts)
        return;
    note_reason(counts, error);
    __atomic_fetch_add(&counts->processes, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&counts->uncounted, 1, __ATOMIC_RELAXED);
}

struct fth_spill_process *fth_unkept_process(struct fth_spill_process *parent, int error)
{
    struct fth_spill_unkept *counts = counters(parent);
    struct fth_spill_process *process = counts ? fth_map_memory(FTH_SPILL_TEXTS) : NULL;
    if (!process)
        return NULL;
    note_reason(counts, error);
    __atomic_fetch_add(&counts->processes, 1, __ATOMIC_RELAXED);
    process->stopped = (uint32_t)(error ? error : EIO);
    elsewhere = counts;
    return process;
}
