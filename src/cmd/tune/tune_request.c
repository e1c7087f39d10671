/* The page between `fathom tune --live` and a program (trace/record/tunable_page.h): finding it,
 * asking for hints, waiting for files. What processes have written there is not believed to be
 * whole or true: numbers are looked at one by one, texts are copied with an end. */
#include "cmd/tune/tune_live.h"

#include "base/memory.h"
#include "cmd/shared/interrupted.h"
#include "cmd/view/follow.h"
#include "trace/spill/spill_files.h"
#include "trace/spill/spill_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    BETWEEN_LOOKS = 2,  /* ms */
    LOOKS_OF_LIFE = 50, /* after so many looks: does the program still run? */
};
/* After the last process has closed a file, nobody comes late. */
static const uint64_t LATE = 50000000; /* ns */

/* ---- which run ---- */

struct search {
    pid_t pid; /* 0: any that goes on */
    struct fth_cmd_tune_live *live;
    size_t found;
    bool is_of_it;
};

static void compare_pid(pid_t pid, void *context)
{
    struct search *search = context;
    search->is_of_it = search->is_of_it || pid == search->pid;
}

static bool is_tunable(const struct fth_cmd_run *run)
{
    return json_is_true(json_object_get(run->meta, "tunable"));
}

static void look_at_run(const struct fth_cmd_run *run, const char *trouble, void *context)
{
    struct search *search = context;
    search->is_of_it = !search->pid;
    if (trouble || (search->pid == 0 && (!is_tunable(run) || !fth_run_goes_on(run))))
        return;
    if (search->pid)
        fth_run_visit_living(run, compare_pid, search);
    if (search->is_of_it && search->found++ == 0)
        search->live->run.spill = fth_text_copy(run->spill);
}

static pid_t number_of(const char *text)
{
    char *end;
    long number = text ? strtol(text, &end, 10) : 0;
    return text && end > text && !*end && number > 0 && number < INT32_MAX ? (pid_t)number : 0;
}

static int find_folder(struct fth_cmd_tune_live *live, struct fth_error **error)
{
    struct search search = {.live = live, .pid = number_of(live->asked)};
    if (live->asked && !search.pid) {
        live->run.spill = fth_text_copy(live->asked);
        return 0;
    }
    fth_run_visit_left(NULL, look_at_run, &search);
    if (search.found == 1)
        return 0;
    if (search.pid)
        return fth_fail(error,
                        "process %d belongs to no recording in '%s': give its spill folder "
                        "(fathom record --spill)",
                        (int)search.pid, fth_run_default_parent());
    return search.found
               ? fth_fail(error,
                          "%zu recordings with --tunable go on: give the spill folder or a process "
                          "ID of the one that is meant",
                          search.found)
               : fth_fail(error,
                          "no recording with --tunable goes on in '%s': start the program with "
                          "`fathom record --tunable`, or give its spill folder",
                          fth_run_default_parent());
}

int fth_cmd_tune_find_run(struct fth_cmd_tune_live *live, struct fth_error **error)
{
    if (find_folder(live, error))
        return -1;
    char *folder = live->run.spill;
    live->run.spill = NULL;
    int result = fth_follow_is_folder(folder) ? fth_run_load(&live->run, folder, error)
                                              : fth_fail(error, "there is no folder '%s'", folder);
    if (!result && !is_tunable(&live->run))
        result = fth_fail(error,
                          "the recording in '%s' was not begun with --tunable, so its program "
                          "listens to nobody",
                          folder);
    free(folder);
    return result;
}

/* ---- the page ---- */

static struct fth_tunable_page *map_page(const char *folder)
{
    char *path = folder ? fth_text_format("%s/" FTH_TUNABLE_PAGE, folder) : NULL;
    int file = path ? open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) : -1;
    struct fth_tunable_page *page = MAP_FAILED;
    struct stat facts;
    if (file >= 0 && fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) &&
        facts.st_uid == geteuid() && facts.st_size >= (off_t)sizeof *page)
        page = mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0)
        close(file);
    free(path);
    if (page != MAP_FAILED &&
        __atomic_load_n(&page->magic, __ATOMIC_ACQUIRE) != FTH_TUNABLE_MAGIC) {
        munmap(page, sizeof *page);
        page = MAP_FAILED;
    }
    return page == MAP_FAILED ? NULL : page;
}

static struct fth_tunable_page *find_page(const struct fth_cmd_run *run)
{
    char *memory = fth_spill_memory_of(run->spill);
    struct fth_tunable_page *page = map_page(memory);
    free(memory);
    return page ? page : map_page(run->spill);
}

static uint64_t load(const uint64_t *word)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

/* Waits a moment. -1: the program has ended, or somebody has had enough. */
static int wait_a_moment(const struct fth_cmd_tune_live *live, unsigned *looks,
                         struct fth_error **error)
{
    const struct timespec pause = {.tv_nsec = BETWEEN_LOOKS * 1000000};
    if (fth_cmd_interrupted())
        return fth_fail(error, "interrupted: files get no hints from now on");
    if (++*looks % LOOKS_OF_LIFE == 0 && !fth_run_goes_on(&live->run) &&
        !fth_run_becomes_another(&live->run))
        return live->page && load(&live->page->apart)
                   ? fth_fail(error, "the program has ended. Its ranks could not agree on hints: "
                                     "not all of them were recorded together")
                   : fth_fail(error,
                              "the program has ended after %llu such files: too few to compare "
                              "hints",
                              (unsigned long long)live->seen);
    nanosleep(&pause, NULL);
    return 0;
}

int fth_cmd_tune_take_page(struct fth_cmd_tune_live *live, struct fth_error **error)
{
    unsigned looks = 0;
    while (!(live->page = find_page(&live->run)))
        if (wait_a_moment(live, &looks, error))
            return -1;
    uint64_t owner = load(&live->page->owner);
    bool taken = owner && fth_process_is_alive((int64_t)owner);
    if (!taken && __atomic_compare_exchange_n(&live->page->owner, &owner, (uint64_t)getpid(), false,
                                              __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return 0;
    munmap(live->page, sizeof *live->page);
    live->page = NULL;
    return fth_fail(error, "process %llu (`fathom tune --live`) tunes this program already",
                    (unsigned long long)owner);
}

void fth_cmd_tune_let_page_go(struct fth_cmd_tune_live *live)
{
    if (!live->page)
        return;
    __atomic_store_n(&live->page->owner, 0, __ATOMIC_RELEASE);
    munmap(live->page, sizeof *live->page);
    live->page = NULL;
}

/* Who made it is there before it. */
int fth_cmd_tune_request(struct fth_cmd_tune_live *live, uint64_t nodes, uint64_t buffer,
                         uint64_t *request, struct fth_error **error)
{
    uint64_t number = fth_tunable_number(load(&live->page->request)) + UINT64_C(1);
    if (number > FTH_TUNABLE_MOST_REQUESTS)
        return fth_fail(error, "%d requests have been made of this program: no more are possible",
                        FTH_TUNABLE_MOST_REQUESTS);
    *request = fth_tunable_pack(number, nodes, buffer >> 10);
    __atomic_store_n(&live->page->requester, number << 32 | (uint64_t)getpid(), __ATOMIC_RELEASE);
    __atomic_store_n(&live->page->request, *request, __ATOMIC_RELEASE);
    return 0;
}

/* ---- files ---- */

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * UINT64_C(1000000000) + (uint64_t)time.tv_nsec;
}

/* Copies the row; false: it is none, or not of a file that every process has closed. */
static bool read_row(const struct fth_tunable_open *row, struct fth_tunable_open *copy)
{
    uint64_t number = load(&row->number);
    if (!number || number & FTH_TUNABLE_IS_MADE)
        return false;
    uint32_t closed = __atomic_load_n(&row->closed, __ATOMIC_ACQUIRE);
    memcpy(copy, (const void *)row, sizeof *copy);
    copy->path[sizeof copy->path - 1] = 0;
    if (load(&row->number) != number || copy->number != number || !closed ||
        copy->closed != copy->opened || copy->end <= copy->begin || copy->ranks < 2)
        return false;
    return copy->opened >= copy->ranks || now() > copy->end + LATE;
}

static bool find_row(const struct fth_cmd_tune_live *live, uint64_t request, uint64_t name,
                     uint64_t after, struct fth_tunable_open *found)
{
    bool any = false;
    for (size_t i = 0; i < FTH_TUNABLE_OPENS; i++) {
        struct fth_tunable_open row;
        if (!read_row(&live->page->rows[i], &row) || row.request != request ||
            row.number <= after || (name && row.name != name) ||
            (any && row.number > found->number))
            continue;
        *found = row;
        any = true;
    }
    return any;
}

int fth_cmd_tune_await(struct fth_cmd_tune_live *live, uint64_t request, uint64_t name,
                       uint64_t *after, struct fth_tunable_open *found, struct fth_error **error)
{
    unsigned looks = 0;
    while (!find_row(live, request, name, *after, found))
        if (wait_a_moment(live, &looks, error))
            return -1;
    *after = found->number;
    return 0;
}
