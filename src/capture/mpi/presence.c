/* What ranks let each other know without MPI, in shared memory.
 *
 * Is the tracer in every rank of this world? Ranks that have it may act together; where one rank
 * lacks it (a static program, a cleared environment, `fathom record` in front of some ranks only),
 * a collective call of ours would wait for that rank forever, or meet a collective call of the
 * program's. MPI cannot be asked without that danger, so the ranks of a node count themselves, in a
 * page of the spill folder that all of them map: when as many have come as the launcher started
 * here, they are together. After a while without that they are apart for good. Either is decided
 * once, by one atomic word.
 *
 * What is on other nodes is not known here: there, too, ranks wait for the ranks of their node
 * only.
 *
 * In MPI_Finalize, ranks that share a node add up what they have recorded in the same page. For
 * little, messages and all that they set up would cost more than what `fathom record` has to do
 * when nothing was merged. */
#include "base/hash.h"
#include "base/launchers.h"
#include "base/settings.h"
#include "capture/mpi/profiling_interface.h"
#include "capture/process/environment.h"
#include "capture/process/spill_folder.h"
#include "interpose/own/apart.h"
#include "interpose/own/own_files.h"
#include "interpose/own/put.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    PATIENCE_SECONDS = 3, /* between the first and the last rank that comes out of MPI_Init */
    MOST_WORLDS = 64,     /* that ranks of one launcher make one after the other */
    PATIENCE_AT_END = 10, /* seconds between ranks that come to MPI_Finalize */
    NAP_NS = 500000,      /* between looks there */
    MUCH = 16 << 20,      /* bytes of spill, of all ranks */
};

enum decision { UNDECIDED, TOGETHER, APART };

struct page {
    uint32_t decision, present;
    uint32_t to_merge, arrived; /* a decision, too; ranks in MPI_Finalize */
    uint64_t spilled;
    uint8_t is_here[]; /* by rank */
};

/* ---- which world? ---- */

struct process {
    int64_t pid, parent;
    unsigned long long born;
    char name[32];
};

struct reading {
    const char *path;
    char *text;
    size_t size;
    ssize_t length;
};

static void read_it(void *argument)
{
    struct reading *reading = argument;
    int file = fth_file_open(reading->path);
    reading->length = file < 0 ? -1 : syscall(SYS_read, file, reading->text, reading->size - 1);
    if (file >= 0)
        fth_file_close(file);
}

static bool read_file(const char *path, char *text, size_t size)
{
    struct reading reading = {path, text, size, -1};
    fth_apart(read_it, &reading);
    text[reading.length > 0 ? reading.length : 0] = 0;
    return reading.length > 0;
}

static bool find_process(int64_t pid, struct process *process)
{
    char path[64], text[1024];
    long long parent;
    snprintf(path, sizeof path, "/proc/%lld/stat", (long long)pid);
    *process = (struct process){.pid = pid};
    if (!read_file(path, text, sizeof text))
        return false;
    char *name = strchr(text, '('), *end = strrchr(text, ')');
    if (!name || !end ||
        sscanf(end + 1,
               " %*c %lld %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu",
               &parent, &process->born) != 2)
        return false;
    *end = 0;
    snprintf(process->name, sizeof process->name, "%s", name + 1);
    process->parent = parent;
    return true;
}

static const char *rank_variable(void)
{
    for (unsigned i = 0; i < fth_launcher_count; i++)
        if (fth_launchers[i].starts_mpi && getenv(fth_launchers[i].rank))
            return fth_launchers[i].rank;
    return NULL;
}

/* Was the process started with this variable? Then it is a script of one rank. */
static bool has_variable(int64_t pid, const char *name)
{
    static char text[64 << 10];
    char path[64];
    size_t length = strlen(name);
    snprintf(path, sizeof path, "/proc/%lld/environ", (long long)pid);
    if (!read_file(path, text, sizeof text))
        return false;
    for (const char *at = text; *at; at += strlen(at) + 1)
        if (strncmp(at, name, length) == 0 && at[length] == '=')
            return true;
    return false;
}

/* The ranks of a world on this node have one launcher, above the scripts that may be around each
 * rank. It may start several worlds (MPI_Comm_spawn); Open MPI then names them in the environment,
 * and others start a launcher for each. */
static uint64_t name_world(int size)
{
    struct process launcher = {0};
    struct stat namespace = {0};
    const char *variable = rank_variable(), *job = getenv("PMIX_NAMESPACE");
    int64_t pid = getppid();
    while (find_process(pid, &launcher) && pid > 1 && !fth_is_launcher(launcher.name) && variable &&
           has_variable(pid, variable))
        pid = launcher.parent;
    stat("/proc/self/ns/pid", &namespace);
    const uint64_t all[] = {(uint64_t)pid, launcher.born, namespace.st_ino, (uint64_t)size};
    uint64_t hash = fth_hash_bytes(FTH_HASH_START, all, sizeof all);
    return fth_hash_words(hash, job) | 1; /* 0: none */
}

/* ---- how many? ---- */

static int ranks_on_node(int size)
{
    int32_t ranks = 0;
    for (unsigned i = 0; i < fth_launcher_count && ranks <= 0; i++)
        if (fth_launchers[i].starts_mpi)
            ranks = fth_launcher_local_size(&fth_launchers[i]);
    return ranks > 0 && ranks < size ? ranks : size;
}

/* ---- the page ---- */

struct mapping {
    uint64_t world;
    size_t bytes;
    struct page *page;
};

static void map_it(void *argument)
{
    struct mapping *mapping = argument;
    char name[32];
    int error;
    fth_put_text(fth_put_image(name, mapping->world), ".world");
    int file = fth_spill_open(name, O_RDWR | O_CREAT, &error);
    if (file < 0)
        return;
    mapping->page = fth_file_map(file, 0, mapping->bytes, &error);
    fth_file_close(file);
}

static struct page *map_page(uint64_t world, size_t bytes)
{
    struct mapping mapping = {.world = world, .bytes = bytes};
    fth_apart(map_it, &mapping);
    return mapping.page;
}

/* A rank that is there already belongs to a world before: ranks of one launcher may come up again,
 * in another program. */
static struct page *enter(uint64_t *world, int rank, size_t bytes)
{
    for (int number = 0; number < MOST_WORLDS; number++, *world += 2) {
        struct page *page = map_page(*world, bytes);
        if (!page || !__atomic_exchange_n(&page->is_here[rank], 1, __ATOMIC_RELAXED))
            return page;
        munmap(page, bytes);
    }
    return NULL;
}

static void decide(uint32_t *word, enum decision decision)
{
    uint32_t nothing = UNDECIDED;
    if (__atomic_compare_exchange_n(word, &nothing, (uint32_t)decision, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
        syscall(SYS_futex, word, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

static void await_decision(struct page *page)
{
    const int64_t end = (int64_t)fth_clock_ns() + PATIENCE_SECONDS * INT64_C(1000000000);
    while (__atomic_load_n(&page->decision, __ATOMIC_ACQUIRE) == UNDECIDED) {
        int64_t left = end - (int64_t)fth_clock_ns();
        if (left <= 0) {
            decide(&page->decision, APART);
            return;
        }
        struct timespec time = {.tv_sec = left / 1000000000, .tv_nsec = left % 1000000000};
        syscall(SYS_futex, &page->decision, FUTEX_WAIT, UNDECIDED, &time, NULL, 0);
    }
}

static void note_absent(const struct page *page, uint32_t expected)
{
    char text[256];
    uint32_t present = __atomic_load_n(&page->present, __ATOMIC_ACQUIRE);
    if (present >= expected)
        return;
    snprintf(text, sizeof text,
             "%u of %u ranks of an MPI program on this node: the tracer did not start in them, so "
             "the others were merged after the run",
             expected - present, expected);
    fth_process_note("unseen=", text);
}

static struct page *of_world; /* when it has no ranks elsewhere */

static int first_on_page(const struct page *page, int size)
{
    int first = 0;
    while (first < size - 1 && !page->is_here[first])
        first++;
    return first;
}

bool fth_mpi_is_everybody_here(struct fth_mpi_world *world)
{
    size_t bytes = sizeof(struct page) + (size_t)world->size;
    uint32_t expected = (uint32_t)ranks_on_node(world->size);
    world->on_one_node = expected == (uint32_t)world->size;
    if (world->size == 1)
        return true;
    world->number = name_world(world->size);
    struct page *page = enter(&world->number, world->rank, bytes);
    if (!page)
        return false;
    if (__atomic_add_fetch(&page->present, 1, __ATOMIC_ACQ_REL) == expected)
        decide(&page->decision, TOGETHER);
    else
        await_decision(page);
    bool together = __atomic_load_n(&page->decision, __ATOMIC_ACQUIRE) == TOGETHER;
    if (together)
        world->first_on_node = first_on_page(page, world->size);
    else
        note_absent(page, expected);
    if (together && world->on_one_node)
        of_world = page;
    else
        munmap(page, bytes);
    return together;
}

/* ---- the end ---- */

static uint64_t much(void)
{
    const char *given = fth_setting(FTH_SETTING_NAME(MERGE_ABOVE));
    return given ? strtoull(given, NULL, 10) : MUCH;
}

/* MPI is kept going meanwhile: what this rank has sent may still be on its way, to a rank that will
 * not come here without it. */
static void keep_going(void)
{
    struct fth_mpi_own_status status;
    struct timespec nap = {.tv_nsec = NAP_NS};
    int flag;
    fth_pmpi.Iprobe(0, 0, fth_mpi_handle(fth_mpi_abi.comm_self), &flag, &status);
    syscall(SYS_futex, &of_world->to_merge, FUTEX_WAIT, UNDECIDED, &nap, NULL, 0);
}

bool fth_mpi_is_worth_merging(uint64_t spilled)
{
    const uint64_t end = fth_clock_ns() + PATIENCE_AT_END * UINT64_C(1000000000);
    if (!of_world)
        return spilled > much();
    uint64_t all = __atomic_add_fetch(&of_world->spilled, spilled, __ATOMIC_ACQ_REL);
    if (__atomic_add_fetch(&of_world->arrived, 1, __ATOMIC_ACQ_REL) == (uint32_t)fth_mpi_world.size)
        decide(&of_world->to_merge, all > much() ? TOGETHER : APART);
    while (__atomic_load_n(&of_world->to_merge, __ATOMIC_ACQUIRE) == UNDECIDED) {
        if (fth_clock_ns() >= end)
            decide(&of_world->to_merge, APART);
        else
            keep_going();
    }
    return of_world->to_merge == TOGETHER;
}
