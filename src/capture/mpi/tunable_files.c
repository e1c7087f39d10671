/* Files whose hints `fathom tune --live` may set while the program runs (`fathom record
 * --tunable`).
 *
 * The ranks that open a file together agree inside MPI_File_open on the newest request that any
 * of them has seen (trace/record/tunable_page.h), with one reduction over the communicator of the
 * call; so all of them give the file the same hints. These go into an info object of ours, a copy
 * of the program's. What was set is recorded, inside the call. From there until the file is closed
 * its time is measured.
 *
 * The reduction needs all ranks: where the tracer is not in all ranks of the world, or the
 * communicator has processes of another world, nothing is done. */
#include "base/settings.h"
#include "calls.h"
#include "capture/mpi/fortran_arguments.h"
#include "capture/mpi/profiling_interface.h"
#include "capture/mpi/tunable_rows.h"
#include "capture/process/environment.h"
#include "interpose/own/own_memory.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    PIECE = 256, /* ranks that are looked up at once */
    LONGEST_VALUE = 24,
    UNDEFINED = -32766, /* MPI_UNDEFINED, in all three ABIs */
};

/* ---- is it wanted? ---- */

static bool is_tunable(void)
{
    static struct fth_lock lock;
    static enum { NOT_ASKED, NO, YES } answer;
    if (FTH_LIKELY(__atomic_load_n(&answer, __ATOMIC_ACQUIRE) != NOT_ASKED))
        return answer == YES;
    fth_lock(&lock);
    if (answer == NOT_ASKED) {
        bool wanted = fth_setting(FTH_SETTING_NAME(TUNABLE)) != NULL;
        if (wanted)
            fth_tunable_map_page();
        __atomic_store_n(&answer, wanted ? YES : NO, __ATOMIC_RELEASE);
    }
    fth_unlock(&lock);
    return answer == YES;
}

static void count(uint64_t *counter)
{
    __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

/* ---- who opens it ---- */

/* Are all processes of the communicator ranks of our world? */
static bool is_inside_world(uint64_t comm, int size)
{
    uint64_t group = 0, world = 0;
    int ranks[PIECE], there[PIECE];
    bool inside = true;
    if (comm == fth_mpi_abi.comm_world)
        return true;
    if (!fth_pmpi.Comm_group || !fth_pmpi.Group_translate_ranks || !fth_pmpi.Group_free ||
        fth_pmpi.Comm_group(fth_mpi_handle(comm), &group) != 0)
        return false;
    if (fth_pmpi.Comm_group(fth_mpi_handle(fth_mpi_abi.comm_world), &world) != 0) {
        fth_pmpi.Group_free(&group);
        return false;
    }
    for (int first = 0; first < size && inside; first += PIECE) {
        int length = size - first < PIECE ? size - first : PIECE;
        for (int i = 0; i < length; i++)
            ranks[i] = first + i;
        inside = fth_pmpi.Group_translate_ranks(fth_mpi_handle(group), length, ranks,
                                                fth_mpi_handle(world), there) == 0;
        for (int i = 0; i < length && inside; i++)
            inside = there[i] != UNDEFINED;
    }
    fth_pmpi.Group_free(&group);
    fth_pmpi.Group_free(&world);
    return inside;
}

static bool can_agree(uint64_t comm, int size)
{
    int between = 1; /* an intercommunicator opens no file */
    return fth_mpi_world.is_up && fth_pmpi.Allreduce && fth_mpi_abi.max && fth_mpi_abi.uint64 &&
           fth_pmpi.Comm_test_inter &&
           fth_pmpi.Comm_test_inter(fth_mpi_handle(comm), &between) == 0 && !between &&
           is_inside_world(comm, size);
}

/* ---- agreement ---- */

enum { AGREED_WORDS = sizeof(struct fth_tunable_agreed) / sizeof(uint64_t) };

struct opening {
    struct fth_tunable_agreed agreed;
    int ranks;
};

static uint64_t load(const uint64_t *word)
{
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}

/* A tuner that was killed has left what it was about to try. */
static bool is_abandoned(const struct fth_tunable_page *page)
{
    uint64_t owner = load(&page->owner);
    int of_program = errno;
    bool gone = owner && syscall(SYS_kill, (pid_t)owner, 0) != 0 && errno == ESRCH;
    errno = of_program;
    return gone;
}

/* A rank without the page takes part, too. */
static bool agree_on(struct opening *opening, uint64_t comm)
{
    struct fth_tunable_agreed mine = {.image = fth_process ? fth_process->image : 0};
    if (fth_tunable_page) {
        mine.request = is_abandoned(fth_tunable_page) ? 0 : load(&fth_tunable_page->request);
        mine.requester = load(&fth_tunable_page->requester);
        mine.number = load(&fth_tunable_page->opens) + 1;
    }
    if (fth_pmpi.Allreduce(&mine, &opening->agreed, AGREED_WORDS,
                           fth_mpi_handle(fth_mpi_abi.uint64), fth_mpi_handle(fth_mpi_abi.max),
                           fth_mpi_handle(comm)) != 0)
        return false;
    if (fth_tunable_page)
        fth_tunable_raise(&fth_tunable_page->opens, opening->agreed.number);
    return true;
}

static bool agree(struct opening *opening, uint64_t comm)
{
    struct fth_mpi_quiet quiet;
    if (!comm || comm == fth_mpi_abi.null[FTH_CLASS_comm] || !fth_mpi_is_up())
        return false;
    fth_mpi_quiet_begin(&quiet);
    bool agreed = false, known = fth_pmpi.Comm_size(fth_mpi_handle(comm), &opening->ranks) == 0;
    if (known && opening->ranks == 1) {
        if (fth_tunable_page)
            count(&fth_tunable_page->alone);
    } else if (known && can_agree(comm, opening->ranks)) {
        agreed = agree_on(opening, comm);
    } else if (known && fth_tunable_page) {
        count(&fth_tunable_page->apart);
    }
    fth_mpi_quiet_end(&quiet);
    return agreed;
}

/* ---- hints ---- */

static void record_hint(const struct fth_tunable_agreed *agreed, const char *key, const char *value)
{
    struct fth_draft call;
    if (!fth_begin(&call, FTH_CALL_tuned_hint, FTH_CONTEXT_tuned_hint))
        return;
    fth_start(&call);
    fth_end(&call);
    call.worked = true;
    fth_keep(&call, fth_text(&call, key));
    fth_keep(&call, fth_text(&call, value));
    fth_keep(&call, fth_tunable_number(agreed->request));
    fth_keep(&call, (int64_t)(agreed->requester & UINT32_MAX));
    fth_keep(&call, 0);
    fth_commit(&call);
}

struct hint {
    const char *key;
    char value[LONGEST_VALUE];
};
enum { MOST_HINTS = 3 };

static int hints_of(uint64_t request, struct hint hints[MOST_HINTS])
{
    int count = 0;
    uint32_t nodes = fth_tunable_nodes(request);
    uint64_t buffer = fth_tunable_buffer(request);
    if (nodes) {
        hints[count].key = "cb_nodes";
        snprintf(hints[count++].value, LONGEST_VALUE, "%u", nodes);
        /* else ROMIO takes one process of a node at most */
        hints[count++] = (struct hint){"cb_config_list", "*:*"};
    }
    if (buffer) {
        hints[count].key = "cb_buffer_size";
        snprintf(hints[count++].value, LONGEST_VALUE, "%llu", (unsigned long long)buffer);
    }
    return count;
}

static bool make_info(uint64_t theirs, const struct hint *hints, int count, uint64_t *own)
{
    bool has_one = theirs && theirs != fth_mpi_abi.null[FTH_CLASS_info];
    if (!fth_pmpi.Info_dup || !fth_pmpi.Info_create || !fth_pmpi.Info_set || !fth_pmpi.Info_free ||
        (has_one ? fth_pmpi.Info_dup(fth_mpi_handle(theirs), own) : fth_pmpi.Info_create(own)) != 0)
        return false;
    for (int i = 0; i < count; i++)
        fth_pmpi.Info_set(fth_mpi_handle(*own), hints[i].key, hints[i].value);
    return true;
}

/* An info with the hints of the request, to be given up with drop_info; 0: the program's is to be
 * taken. */
static uint64_t own_info(const struct opening *opening, uint64_t theirs)
{
    struct hint hints[MOST_HINTS];
    struct fth_mpi_quiet quiet;
    uint64_t own = 0;
    int count = hints_of(opening->agreed.request, hints);
    if (!count)
        return 0;
    fth_mpi_quiet_begin(&quiet);
    bool made = make_info(theirs, hints, count, &own);
    fth_mpi_quiet_end(&quiet);
    for (int i = 0; made && i < count; i++)
        record_hint(&opening->agreed, hints[i].key, hints[i].value);
    return made ? own : 0;
}

static void drop_info(uint64_t own)
{
    struct fth_mpi_quiet quiet;
    if (!own)
        return;
    fth_mpi_quiet_begin(&quiet);
    fth_pmpi.Info_free(&own);
    fth_mpi_quiet_end(&quiet);
}

/* ---- from C ---- */

int fth_around_MPI_File_open(fth_real_open *real, MPI_Comm comm, const char *filename, int amode,
                             MPI_Info info, MPI_File *fh)
{
    struct opening opening;
    if (FTH_LIKELY(!is_tunable()) ||
        !agree(&opening, fth_mpi_value(FTH_CLASS_comm, (uintptr_t)comm)))
        return real(comm, filename, amode, info, fh);
    uint64_t own = own_info(&opening, fth_mpi_value(FTH_CLASS_info, (uintptr_t)info));
    fth_tunable_begin(&opening.agreed, opening.ranks, filename); /* its time begins */
    int result = real(comm, filename, amode, own ? fth_mpi_handle(own) : info, fh);
    fth_tunable_opened(&opening.agreed, result == 0 ? fth_mpi_at(FTH_CLASS_mpi_file, fh) : 0);
    drop_info(own);
    return result;
}

int fth_around_MPI_File_close(fth_real_close *real, MPI_File *fh)
{
    struct fth_tunable_open *row =
        is_tunable() ? fth_tunable_take(fth_mpi_at(FTH_CLASS_mpi_file, fh)) : NULL;
    int result = real(fh);
    fth_tunable_closed(row);
    return result;
}

/* ---- from Fortran ---- */

static uint64_t handle_at(uint32_t handle_class, const void *integer)
{
    return fth_mpi_value(handle_class, (uintptr_t)fth_fortran_handle(handle_class, integer));
}

void fth_around_fortran_MPI_File_open(fth_real_fortran_open *real, void *comm, void *filename,
                                      void *amode, void *info, void *fh, void *ierror,
                                      size_t length)
{
    struct opening opening;
    struct fth_fortran_text path;
    if (FTH_LIKELY(!is_tunable()) || !fth_pmpi.Info_c2f ||
        !agree(&opening, handle_at(FTH_CLASS_comm, comm))) {
        real(comm, filename, amode, info, fh, ierror, length);
        return;
    }
    uint64_t own = own_info(&opening, handle_at(FTH_CLASS_info, info));
    int integer = own ? fth_pmpi.Info_c2f(fth_mpi_handle(own)) : 0;
    const char *name = fth_fortran_text(&path, filename, length);
    fth_tunable_begin(&opening.agreed, opening.ranks, name);
    real(comm, filename, amode, own ? &integer : info, fh, ierror, length);
    int result = *(const int *)ierror;
    fth_tunable_opened(&opening.agreed, result == 0 ? handle_at(FTH_CLASS_mpi_file, fh) : 0);
    drop_info(own);
}

void fth_around_fortran_MPI_File_close(fth_real_fortran_close *real, void *fh, void *ierror)
{
    struct fth_tunable_open *row =
        is_tunable() ? fth_tunable_take(handle_at(FTH_CLASS_mpi_file, fh)) : NULL;
    real(fh, ierror);
    fth_tunable_closed(row);
}
