/* The system counts for each process what it reads and writes by read, write and their kin, on
 * files, pipes and sockets alike (proc(5), /proc/PID/io): also what the dynamic linker reads, what
 * the recorder itself does, and, once they were waited for, what its children did and theirs. Not
 * what io_uring and io_submit do, splice, send and recv, and stores to mapped files. So of what a
 * process has in the end is taken off: what it had when it started; what was recorded, or seen and
 * left out; what the recorder did; and what its children had in the end, whether they were waited
 * for or not. What is left was moved by nobody who was seen. It is a lower bound. Of a process that
 * was killed the last call may be counted and not be recorded: nothing is known of it, nor of a
 * process that may have waited for it.
 *
 * A process is a chain of images, each but the last replaced by exec; it goes on counting. Between
 * two of them the dynamic linker reads. */
#include "trace/merge/counted_bytes.h"

#include "base/intern.h"
#include "base/memory.h"
#include "base/phrase.h"
#include "base/saturating.h"
#include "trace/program/own_calls.h"
#include "trace/record/builtin.h"
#include "trace/state/call_meaning.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What libc and the dynamic linker do by themselves stays below this: of 45 programs (shells,
 * compilers, Python, Java, Node, git, rsync, LAMMPS under Open MPI, MPICH's launcher) none wrote
 * more than 200 bytes that were not seen. Of each library that a program loads the linker reads the
 * first 832 bytes, by one read (mpirun: 68,000 bytes): so many are taken off for each read that was
 * not seen, and nothing was left then. Of a program whose own code seems to make system calls, all
 * counts that is not exactly what the linker reads. */
enum { LEAST_WRITTEN = 16 << 10, LEAST_READ = 16 << 10, LOADER_READ = 1024, LIBRARY_READ = 832 };

bool fth_counted_add_sums(struct fth_spill_counted *to, const struct fth_part_process *process)
{
    bool complete = true;
    for (size_t i = 0; i < process->sum_count; i++) {
        const struct fth_sum *sum = &process->sums[i];
        const struct fth_meaning *meaning = fth_builtin_meaning(sum->function);
        const struct fth_row *row = meaning->row;
        if (!fth_layer_is(row->layer, FTH_LAYER_SYSTEM) || row->flags & FTH_CALL_UNCOUNTED)
            continue;
        if (!meaning->reads && !meaning->writes) {
            complete &= !(row->flags & FTH_CALL_NONBLOCKING) || strcmp(row->kind, "start") != 0;
            continue;
        }
        to->read += sum->bytes_read;
        to->written += sum->bytes_written;
        to->reads += meaning->reads ? sum->calls : 0;
        to->writes += meaning->writes ? sum->calls : 0;
    }
    return complete;
}

/* ---- chains ---- */

#define NOBODY SIZE_MAX

struct chain {
    size_t first, last;           /* images, linked by `next` */
    size_t parent;                /* chain, or NOBODY */
    int64_t end;                  /* ns since 1970; INT64_MAX: not known */
    bool has_children;            /* that were recorded, or that nobody saw */
    bool is_vague;                /* what one of them had in the end is not known */
    int64_t read, written, reads; /* by its children, as far as they may be in what it has */
};

struct chains {
    const struct fth_counted_image *images; /* in order of start */
    size_t image_count;
    size_t *chain_of, *next; /* of images */
    struct chain *list;
    size_t count;
};

static const char *text_of(const struct fth_spill_process *process, const char *key)
{
    const char *text = fth_spill_text(process, key, NULL);
    return text ? text : "";
}

static bool is_of_one_node(const struct fth_spill_process *one,
                           const struct fth_spill_process *other)
{
    return strcmp(text_of(one, "host"), text_of(other, "host")) == 0;
}

static void begin_chain(struct chains *chains, size_t image, size_t parent)
{
    chains->chain_of[image] = chains->count;
    FTH_GROW(chains->list, chains->count);
    chains->list[chains->count++] = (struct chain){.first = image, .last = image, .parent = parent};
    if (parent != NOBODY)
        chains->list[parent].has_children = true;
}

/* The image that it comes from: of the same process, it has taken its place; else it forked it, or
 * is what is known of those in between. */
static void place_image(struct chains *chains, size_t image, size_t previous)
{
    const struct fth_counted_image *images = chains->images;
    if (previous == NOBODY || previous >= image ||
        !is_of_one_node(images[image].process, images[previous].process)) {
        begin_chain(chains, image, NOBODY);
        return;
    }
    size_t number = chains->chain_of[previous];
    struct chain *chain = &chains->list[number];
    bool replaces =
        images[image].process->pid == images[previous].process->pid && chain->last == previous;
    if (!replaces) {
        begin_chain(chains, image, number);
        return;
    }
    chains->chain_of[image] = number;
    chains->next[previous] = image;
    chain->last = image;
}

static void make_chains(struct chains *chains)
{
    struct fth_intern numbers = {0};
    for (size_t i = 0; i < chains->image_count; i++) {
        const struct fth_spill_process *process = chains->images[i].process;
        uint32_t previous;
        bool found = process->previous && fth_intern_find(&numbers, &process->previous,
                                                          sizeof process->previous, &previous);
        chains->next[i] = NOBODY;
        place_image(chains, i, found ? previous : NOBODY);
        fth_intern(&numbers, &process->image, sizeof process->image);
        struct chain *chain = &chains->list[chains->chain_of[i]];
        chain->end = process->ended ? process->last.realtime : INT64_MAX;
        chain->has_children |= *text_of(process, "program") || *text_of(process, "locked_out");
    }
    fth_intern_free(&numbers);
}

/* ---- what is not explained ---- */

static int64_t less(uint64_t all, uint64_t part)
{
    const int64_t most = INT64_MAX / 4; /* three of these add up */
    int64_t difference = (int64_t)(all - part);
    return difference > most ? most : difference < -most ? -most : difference;
}

/* What the image was counted for, less what is known of it; false: that is not known. */
static bool add_unexplained(const struct fth_counted_image *image, struct chain *rest)
{
    const struct fth_spill_process *process = image->process;
    const struct fth_spill_counted *first = &process->counted_first, *last = &process->counted_last,
                                   *own = &process->counted_own;
    if (!image->complete || process->counted != (FTH_COUNTED_FIRST | FTH_COUNTED_LAST))
        return false;
    FTH_ADD_SATURATING(rest->read, less(last->read, first->read) - less(image->seen.read, 0) -
                                       less(own->read, 0));
    FTH_ADD_SATURATING(rest->written, less(last->written, first->written) -
                                          less(image->seen.written, 0) - less(own->written, 0));
    FTH_ADD_SATURATING(rest->reads, less(last->reads, first->reads) - less(image->seen.reads, 0) -
                                        less(own->reads, 0));
    return true;
}

/* What the system had counted for it in the end, or, where it was killed, at least so much. */
static void add_whole(const struct chains *chains, const struct chain *chain, struct chain *parent)
{
    const struct fth_counted_image *image = &chains->images[chain->last];
    const struct fth_spill_process *process = image->process;
    struct fth_spill_counted whole = process->counted_last;
    if (!(process->counted & FTH_COUNTED_LAST)) {
        parent->is_vague = true;
        whole = process->counted & FTH_COUNTED_FIRST ? process->counted_first
                                                     : (struct fth_spill_counted){0};
        whole.read += image->seen.read + process->counted_own.read;
        whole.written += image->seen.written + process->counted_own.written;
        whole.reads += image->seen.reads + process->counted_own.reads;
        whole.read += chain->read > 0 ? (uint64_t)chain->read : 0;
        whole.written += chain->written > 0 ? (uint64_t)chain->written : 0;
        whole.reads += chain->reads > 0 ? (uint64_t)chain->reads : 0;
    }
    FTH_ADD_SATURATING(parent->read, less(whole.read, 0));
    FTH_ADD_SATURATING(parent->written, less(whole.written, 0));
    FTH_ADD_SATURATING(parent->reads, less(whole.reads, 0));
}

/* ---- what is said ---- */

/* Processes of one program are said together: ranks are many. */
struct difference {
    char *program;
    const struct fth_spill_process *process; /* the first one */
    size_t processes;
    bool has_children;
    uint64_t read, written; /* 0: nothing to say of it */
    bool is_much;           /* for libc and the dynamic linker */
};

struct differences {
    struct difference *list;
    size_t count;
    struct fth_intern programs; /* that were looked at: paths */
    bool *make_own_calls;
};

static bool makes_own_calls(struct differences *all, const struct fth_spill_process *process)
{
    const char *exe = text_of(process, "exe");
    size_t known = all->programs.count;
    uint32_t number = fth_intern(&all->programs, exe, strlen(exe));
    if (number == known) {
        FTH_GROW(all->make_own_calls, known);
        all->make_own_calls[number] = fth_makes_own_calls(exe);
    }
    return all->make_own_calls[number];
}

static const char *program_of(const struct fth_spill_process *process)
{
    const char *exe = text_of(process, "exe"), *slash = strrchr(exe, '/');
    return slash ? slash + 1 : *exe ? exe : "?";
}

static void add_difference(struct differences *all, const struct fth_spill_process *process,
                           const struct chain *rest, bool has_children)
{
    int64_t reads = rest->reads > 0 ? rest->reads : 0;
    int64_t read = fth_saturating_sum(rest->read, -fth_saturating_product(reads, LOADER_READ));
    bool is_odd = rest->written > 0 ||
                  (rest->read > 0 && rest->read != fth_saturating_product(reads, LIBRARY_READ));
    if (!is_odd)
        return;
    bool counts_all = makes_own_calls(all, process);
    uint64_t much_read =
        rest->read > 0 && (counts_all || read >= LEAST_READ) ? (uint64_t)rest->read : 0;
    uint64_t much_written = rest->written > 0 && (counts_all || rest->written >= LEAST_WRITTEN)
                                ? (uint64_t)rest->written
                                : 0;
    if (!much_read && !much_written)
        return;
    const char *program = program_of(process);
    size_t at = 0;
    while (at < all->count &&
           (strcmp(all->list[at].program, program) != 0 || !all->list[at].read != !much_read ||
            !all->list[at].written != !much_written))
        at++;
    if (at == all->count) {
        FTH_GROW(all->list, all->count);
        all->list[all->count++] =
            (struct difference){.program = fth_text_copy(program), .process = process};
    }
    struct difference *difference = &all->list[at];
    difference->processes++;
    difference->has_children |= has_children;
    difference->is_much |= much_written || read >= LEAST_READ;
    difference->read += much_read;
    difference->written += much_written;
}

/* libc reads a few bytes by itself, too: the number of processors, say. */
static const char *how(const struct difference *difference)
{
    if (!fth_makes_own_calls(text_of(difference->process, "exe")))
        return "";
    return difference->is_much
               ? "; its code seems to make system calls directly"
               : "; that was its code, which seems to make system calls directly, or libc and the "
                 "dynamic linker, which read so few by themselves";
}

/* "dd (process 1234) wrote 4.00 MiB ..." */
static void say(const struct difference *difference, struct fth_blind_spots *spots)
{
    char who[64], what[128], *sentence;
    const struct fth_spill_process *process = difference->process;
    if (difference->processes == 1)
        snprintf(who, sizeof who, "process %" PRId64, process->pid);
    else
        snprintf(who, sizeof who, "%zu processes", difference->processes);
    snprintf(what, sizeof what, "%s%s%s%s%s", difference->written ? "wrote " : "",
             difference->written ? fth_phrase_bytes(difference->written).text : "",
             difference->written && difference->read ? " and " : "",
             difference->read ? "read " : "",
             difference->read ? fth_phrase_bytes(difference->read).text : "");
    sentence = fth_text_format(
        "%s (%s)%s %s that no recorded call moved: the kernel counted that many more bytes%s",
        difference->program, who,
        difference->has_children ? ", or a program that it waited for," : "", what,
        how(difference));
    struct fth_blind_spot *spot = fth_blind_spots_add(spots, FTH_UNSEEN_BYTES, sentence);
    if (spot->program)
        return;
    spot->program = fth_text_copy(difference->program);
    spot->image = difference->processes == 1 ? process->image : 0;
    spot->since = process->start.realtime;
    spot->bytes_read = (int64_t)difference->read;
    spot->bytes_written = (int64_t)difference->written;
}

/* ---- the whole ---- */

static void compare_chain(struct chains *chains, size_t number, struct differences *differences)
{
    struct chain *chain = &chains->list[number];
    struct chain rest = {.read = fth_saturating_product(chain->read, -1),
                         .written = fth_saturating_product(chain->written, -1),
                         .reads = fth_saturating_product(chain->reads, -1)};
    bool known = !chain->is_vague;
    for (size_t i = chain->first; i != NOBODY && known; i = chains->next[i])
        known = add_unexplained(&chains->images[i], &rest);
    if (known)
        add_difference(differences, chains->images[chain->first].process, &rest,
                       chain->has_children);
    /* a child that ended later was waited for by somebody else */
    struct chain *parent = chain->parent == NOBODY ? NULL : &chains->list[chain->parent];
    if (parent && (chain->end <= parent->end || chain->end == INT64_MAX))
        add_whole(chains, chain, parent);
}

static int by_start(const void *one, const void *other)
{
    int64_t a = ((const struct fth_counted_image *)one)->process->start.realtime;
    int64_t b = ((const struct fth_counted_image *)other)->process->start.realtime;
    return a < b ? -1 : a > b;
}

size_t fth_counted_compare(struct fth_counted_image *images, size_t count,
                           struct fth_blind_spots *spots)
{
    struct differences differences = {0};
    struct chains chains = {.images = images,
                            .image_count = count,
                            .chain_of = fth_new(count, sizeof(size_t)),
                            .next = fth_new(count, sizeof(size_t))};
    if (count)
        qsort(images, count, sizeof *images, by_start);
    make_chains(&chains);
    for (size_t i = chains.count; i > 0; i--) /* who forks starts before those that it forks */
        compare_chain(&chains, i - 1, &differences);
    for (size_t i = differences.count; i > 0; i--) {
        say(&differences.list[i - 1], spots);
        free(differences.list[i - 1].program);
    }
    free(differences.list);
    free(differences.make_own_calls);
    fth_intern_free(&differences.programs);
    free(chains.chain_of);
    free(chains.next);
    free(chains.list);
    return chains.count;
}
