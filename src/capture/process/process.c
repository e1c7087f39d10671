/* This process: what it says about itself. */
#include "capture/process/process.h"

#include "interpose/own/own_files.h"
#include "interpose/own/own_memory.h"
#include "interpose/own/put.h"
#include "interpose/reach/bind.h"

#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct fth_spill_process *fth_process;
static uint32_t not_started;
volatile uint32_t *fth_alive = &not_started;
__thread uint32_t fth_vforked __attribute__((tls_model("initial-exec")));
const char *fth_masked_names;

bool fth_is_prepared(void)
{
    return fth_alive != &not_started;
}

/* The child of a vfork that was not seen, because we came later, runs as a thread of its parent:
 * a process of its own in the same memory. */
bool fth_is_borrowed(void)
{
    return fth_is_attached && fth_process && syscall(SYS_getpid) != fth_process->pid;
}

/* ---- facts ---- */

static size_t reached; /* bytes of the file that blocks are behind */
/* Behind a filter of system calls no more can be had; but that there is one is noted. */
enum { FOR_THE_LAST = 512 };

void fth_process_begin(struct fth_spill_process *process, size_t bytes)
{
    fth_process = process;
    reached = bytes;
}

/* `start` and `rest` are one text, "key=value". */
static bool note(const char *start, const char *rest)
{
    struct fth_spill_process *process = fth_process;
    size_t bytes = strlen(start) + strlen(rest) + 1;
    size_t end = sizeof *process + process->text_bytes + bytes;
    size_t wanted = end + FOR_THE_LAST < FTH_SPILL_TEXTS ? end + FOR_THE_LAST : FTH_SPILL_TEXTS;
    if (end > FTH_SPILL_TEXTS || (!fth_file_reach(process, &reached, wanted) && end > reached)) {
        process->lost_texts++;
        return false;
    }
    fth_put_text(fth_put_text(process->text + process->text_bytes, start), rest);
    process->text_bytes += (uint32_t)bytes;
    return true;
}

static struct fth_lock note_lock;

bool fth_process_note(const char *start, const char *rest)
{
    if (!fth_process)
        return false;
    fth_lock(&note_lock);
    bool done = note(start, rest);
    fth_unlock(&note_lock);
    return done;
}

void fth_process_note_in_child(void)
{
    note_lock.owner = NULL;
}

void fth_process_read_link(const char *path, char *to, size_t room)
{
    ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, path, to, room - 1);
    to[length > 0 ? length : 0] = 0;
}

const char *fth_process_program(void)
{
    static char program[FTH_LONGEST_PATH];
    if (!*program)
        fth_process_read_link("/proc/self/exe", program, sizeof program);
    return program;
}

/* ---- what the system counts ---- */

static uint64_t written_before; /* there was a process file: to make it */

void fth_own_read(uint64_t bytes)
{
    if (!fth_process)
        return;
    __atomic_fetch_add(&fth_process->counted_own.read, bytes, __ATOMIC_RELAXED);
    __atomic_fetch_add(&fth_process->counted_own.reads, 1, __ATOMIC_RELAXED);
}

void fth_own_written(uint64_t bytes)
{
    if (!fth_process) {
        __atomic_fetch_add(&written_before, bytes, __ATOMIC_RELAXED);
        return;
    }
    __atomic_fetch_add(&fth_process->counted_own.written, bytes, __ATOMIC_RELAXED);
    __atomic_fetch_add(&fth_process->counted_own.writes, 1, __ATOMIC_RELAXED);
}

uint64_t fth_take_written_before(void)
{
    return __atomic_exchange_n(&written_before, 0, __ATOMIC_RELAXED);
}
