/* The file of this process in the spill folder: made, also after a fork, and filled with what does
 * not change. */
#include "capture/process/process_file.h"

#include "base/mask.h"
#include "base/settings.h"
#include "capture/process/budget.h"
#include "capture/process/catalogue.h"
#include "capture/process/process_clock.h"
#include "capture/process/system_counts.h"
#include "capture/process/environment.h"
#include "capture/process/placement.h"
#include "capture/process/process.h"
#include "capture/process/shared_page.h"
#include "capture/process/spill_folder.h"
#include "capture/process/unkept_calls.h"
#include "interpose/own/apart.h"
#include "interpose/own/own_files.h"
#include "interpose/own/put.h"
#include "interpose/reach/bind.h"
#include "trace/record/time_mode.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static uint64_t image;

uint64_t fth_process_image(void)
{
    return image;
}

/* One thread starts a process; what it needs for that need not be on its stack. */
static char text[FTH_SPILL_TEXTS / 2], masked[sizeof text];

static char names_of_secrets[FTH_LONGEST_TEXT]; /* the program may change its environment */

static void choose_mask(void)
{
    const char *names = fth_setting(FTH_SETTING_NAME(MASK));
    fth_masked_names = names ? names_of_secrets : NULL;
    if (names && strlen(names) < sizeof names_of_secrets)
        fth_put_text(names_of_secrets, names);
}

/* ---- arguments ---- */

/* Where the kernel has put them, one behind the other; NULL: not known. */
static const char *first_argument, *behind_arguments;

void fth_process_started_with(int count, char **arguments)
{
    if (count < 1 || !arguments || !arguments[0])
        return;
    const char *at = arguments[0];
    for (int i = 0; i < count; i++) {
        if (arguments[i] != at) /* the program, or what it loads, has put others there */
            return;
        at += strlen(at) + 1;
    }
    first_argument = arguments[0];
    behind_arguments = at;
}

static void read_arguments(void *length)
{
    int file = fth_file_open("/proc/self/cmdline");
    if (file < 0)
        return;
    *(ssize_t *)length = syscall(SYS_read, file, text, sizeof text - 1);
    fth_own_read(*(ssize_t *)length > 0 ? (uint64_t) * (ssize_t *)length : 0);
    fth_file_close(file);
}

/* A program that shows something else instead of its arguments (setproctitle) may write beyond
 * them; then the kernel is asked, as for those of a program that runs already. */
static ssize_t take_arguments(void)
{
    ssize_t length = behind_arguments - first_argument;
    if (!first_argument || behind_arguments[-1] || (size_t)length >= sizeof text) {
        length = 0;
        fth_apart_or_alone(read_arguments, &length);
    } else {
        memcpy(text, first_argument, (size_t)length);
    }
    length = length > 0 ? length : 0;
    text[length] = 0;
    return length;
}

static void note_arguments(void)
{
    struct fth_mask mask = {.names = fth_masked_names};
    const char *end = text + take_arguments();
    for (const char *at = text; at < end; at += strlen(at) + 1) {
        if (fth_masked_names)
            fth_mask(&mask, at, masked, sizeof masked);
        fth_process_note("arg=", fth_masked_names ? masked : at);
    }
}

/* How times are to be kept: --time. */
static char times[FTH_LONGEST_TIME_MODE];

/* Without /proc, which makes entries for a process when it is asked first; but that has a text for
 * folders that are removed, or out of reach, too. */
static void read_directory(void)
{
    if (syscall(SYS_getcwd, text, FTH_LONGEST_PATH) <= 0 || *text != '/')
        fth_process_read_link("/proc/self/cwd", text, FTH_LONGEST_PATH);
}

static void note_facts(void)
{
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    fth_process_note("host=", host);
    fth_process_note("exe=", fth_process_program());
    read_directory();
    fth_process_note("cwd=", text);
    fth_process_note("time=", times);
    note_arguments();
}

/* The same for all processes of a node, and hardly ever for those of two. */
static uint64_t number_of_node(void)
{
    char host[256] = "";
    uint64_t number = 0xCBF29CE484222325u; /* FNV-1a */
    gethostname(host, sizeof host - 1);
    for (const char *at = host; *at; at++)
        number = (number ^ (uint8_t)*at) * 0x100000001B3u;
    return number * 0x9E3779B97F4A7C15u >> 22;
}

/* By its pid and its start, so that a trace that has both has its image (docs/format.md, PRCS). */
static uint64_t make_image(const struct fth_spill_anchor *start)
{
    return (start->ticks + number_of_node()) << 22 | ((uint64_t)getpid() & FTH_IMAGE_PID);
}

struct process_file {
    char name[64];
    struct fth_spill_process *process; /* NULL: there is none, because of */
    int error;
    size_t reached;
    bool forked; /* the system counts from there */
    bool is_counted;
    struct fth_spill_counted counted; /* until now */
};

static void map_process_file_in(enum fth_spill_place place, struct process_file *made)
{
    int file = fth_spill_open_in(place, made->name, O_RDWR | O_CREAT | O_EXCL, &made->error);
    if (file < 0)
        return;
    made->process = fth_file_map_some(file, 0, FTH_SPILL_TEXTS, &made->reached, &made->error);
    fth_file_close(file);
    if (!made->process && place == FTH_SPILL_IN_MEMORY)
        fth_spill_remove_from(place, made->name);
}

static void map_process_file(void *argument)
{
    struct process_file *made = argument;
    uint64_t took;
    made->is_counted = made->forked || fth_counted_read_here(&made->counted, &took);
    int entered = fth_node_enter();
    fth_put_text(fth_put_image(made->name, image), ".process");
    if (!made->forked)
        fth_shared_page_start();
    bool is_allowed = fth_budget_take(FTH_SPILL_TEXTS);
    made->error = FTH_NO_BUDGET;
    for (unsigned place = 0; is_allowed && !made->process && place < FTH_SPILL_PLACES; place++)
        map_process_file_in(place, made);
    if (is_allowed && !made->process)
        fth_budget_give(FTH_SPILL_TEXTS);
    if (made->process)
        fth_node_entered();
    if (entered >= 0)
        fth_file_close(entered);
}

static void map_process_file_over(void *done)
{
    char name[64];
    fth_put_text(fth_put_image(name, image), ".process");
    int error, file = fth_spill_open(name, O_RDWR, &error);
    if (file < 0)
        return;
    *(bool *)done = fth_file_map_over(file, 0, FTH_SPILL_TEXTS, fth_process);
    fth_file_close(file);
}

bool fth_process_remap(void)
{
    bool done = false;
    if (fth_process && !fth_process_is_unkept())
        fth_apart_or_alone(map_process_file_over, &done);
    return done;
}

/* The program has a limit of memory that it may need all of: what a recorder takes of it, some MiB
 * and more for each thread, would be missing there. */
static bool memory_is_scarce(void)
{
    const rlim_t least = 16 << 20;
    struct rlimit limit;
    return getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur < least;
}

bool fth_process_file_make(uint64_t forked_from, const struct fth_spill_anchor *forked_at,
                           struct fth_spill_process *parent, int *error)
{
    struct fth_spill_anchor now = fth_clock_anchor(),
                            start = forked_at && forked_at->ticks ? *forked_at : now;
    struct process_file made = {.forked = forked_at != NULL};
    if (!fth_is_attached && memory_is_scarce()) {
        fth_unkept_process_uncounted(parent, *error = ENOMEM);
        return false;
    }
    image = make_image(&start);
    fth_apart_or_alone(map_process_file, &made);
    struct fth_spill_process *process = made.process;
    *error = made.error;
    if (process)
        fth_unkept_process_over();
    else if (!fth_is_attached)
        process = fth_unkept_process(parent, made.error);
    if (!process)
        return false;
    process->catalog = fth_catalog_hash;
    process->image = image;
    process->previous = forked_from;
    process->pid = getpid();
    process->parent_pid = syscall(SYS_getppid); /* whose function has a wrapper */
    process->start = start;
    process->last = now;
    process->ticks_are_ns = fth_ticks_are_ns;
    process->rank = process->size = -1;
    process->counted = made.is_counted ? FTH_COUNTED_FIRST : 0;
    process->counted_first = made.counted;
    process->counted_own.written = fth_take_written_before();
    fth_node_take_rank(process);
    fth_process_begin(process, made.process ? made.reached : FTH_SPILL_TEXTS);
    fth_environment_name_image(image);
    note_facts();
    atomic_signal_fence(memory_order_seq_cst);
    process->magic = FTH_SPILL_PROCESS_MAGIC;
    return true;
}

void fth_process_file_settings(void)
{
    const char *wanted = fth_setting(FTH_SETTING_NAME(TIME));
    if (wanted && strlen(wanted) < sizeof times)
        fth_put_text(times, wanted);
    fth_budget_start();
    choose_mask();
}

void fth_name_stream_file(char *name, unsigned number, const char *ending)
{
    fth_put_text(fth_put_decimal(fth_put_text(fth_put_image(name, image), "."), number), ending);
}

void fth_process_touch(void)
{
    if (fth_process)
        fth_process->last = fth_clock_anchor();
}
