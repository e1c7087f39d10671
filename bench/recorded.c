/* Ranks one after the other in one process. Each begins like the child of a fork: with the page
 * behind fth_alive wiped, its first call makes it a process of its own, with a spill file and a
 * recorder of its own (src/capture/life/life.c). Between two ranks nothing is wanted, so that what
 * this program does for itself is not recorded. */
#include "recorded.h"

#include "fake/mpi.h"
#include "fake/play.h"

#include "capture/process/process_file.h"
#include "capture/record/runtime.h"
#include "trace/file/container.h"
#include "trace/record/builtin.h"
#include "trace/record/spill.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static uint8_t wanted[sizeof fth_wanted];
static const char world[] = "11";

static void fail(const char *what)
{
    const char *folder = getenv("FATHOM_SPILL");
    fprintf(stderr, "scale: %s; spill files stay in %s\n", what, folder ? folder : "no folder");
    exit(1);
}

/* ---- the folder ---- */

static void remove_files(uint64_t image, unsigned streams)
{
    char path[512];
    const char *folder = getenv("FATHOM_SPILL");
    for (unsigned i = 0; i < streams; i++) {
        snprintf(path, sizeof path, "%s/%016" PRIx64 ".%u.stream", folder, image, i);
        unlink(path);
        snprintf(path, sizeof path, "%s/%016" PRIx64 ".%u.sealed", folder, image, i);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/%016" PRIx64 ".process", folder, image);
    unlink(path);
}

void recorded_prepare(char **argv)
{
    static const char marker[] = "FATHOM_BENCH_SCALE";
    char folder[] = "/dev/shm/fathom-scale-XXXXXX";
    if (getenv(marker))
        return;
    if (!mkdtemp(folder))
        fail("cannot make a folder in /dev/shm");
    setenv(marker, "1", 1);
    setenv("FATHOM_SPILL", folder, 1);
    setenv("FATHOM_CLOCK", "monotonic", 1); /* that of fake/libc.c */
    setenv("FATHOM_APART", world, 1);       /* the merge is ours */
    execv("/proc/self/exe", argv);
    fail("cannot start itself");
}

static bool keep_block(void *context, const void *bytes, size_t length, struct fth_error **error)
{
    struct recorded *recorded = context;
    (void)error;
    fth_bytes_put(&recorded->frames, bytes, length);
    return true;
}

void recorded_open(struct recorded *recorded)
{
    static struct fth_part none;
    if (!fth_process)
        fail("the tracer does not record");
    memcpy(wanted, fth_wanted, sizeof wanted);
    memset(fth_wanted, FTH_NOT_WANTED, sizeof fth_wanted);
    fth_part_init(&none, fth_builtin_catalog());
    *recorded = (struct recorded){.launcher = fth_process->image};
    fth_time_mode_parse(NULL, &recorded->gather.times);
    fth_image_walk_open(&recorded->image, &none, keep_block, recorded);
}

void recorded_close(struct recorded *recorded)
{
    char path[512];
    const char *folder = getenv("FATHOM_SPILL");
    remove_files(recorded->launcher, 1);
    snprintf(path, sizeof path, "%s/" FTH_SPILL_SHARED, folder);
    unlink(path);
    if (rmdir(folder))
        fail("cannot remove its folder");
    fth_image_walk_close(&recorded->image);
    fth_gather_free(&recorded->gather);
    fth_bytes_free(&recorded->frames);
    fth_bytes_free(&recorded->facts);
}

/* ---- a rank ---- */

static void play_rank(const struct recorded *recorded, const struct model *model, struct rank *rank)
{
    int number;
    play = (struct play){.is_on = true, .rank = (int)rank->rank, .ranks = (int)rank->ranks};
    memcpy(fth_wanted, wanted, sizeof wanted);
    *fth_alive = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &number);
    MPI_Comm_size(MPI_COMM_WORLD, &number);
    model->run(rank);
    MPI_Finalize();
    fth_process_touch();
    fth_process->ended = FTH_END_EXIT;
    fth_process->previous = recorded->launcher;
    memset(fth_wanted, FTH_NOT_WANTED, sizeof fth_wanted);
    play.is_on = false;
}

static void gather(struct recorded *recorded, struct fth_part *part)
{
    struct fth_spill_folder folder;
    struct fth_error *error = NULL;
    recorded->frames.length = recorded->facts.length = 0;
    recorded->image.walk.part = part;
    if (fth_spill_folder_open_one(&folder, getenv("FATHOM_SPILL"), fth_process->image, &error))
        fail(fth_error_text(error));
    struct fth_clock *clock = fth_clocks_of(folder.images, 1);
    if (fth_gather_process(&recorded->gather, &recorded->image, &folder, folder.images, clock,
                           &recorded->facts, &error))
        fail(fth_error_text(error));
    if (recorded->gather.problem_count)
        fail(recorded->gather.problems[0]);
    free(clock);
    fth_spill_folder_close(&folder);
}

void recorded_rank(struct recorded *recorded, const struct model *model, struct rank *rank,
                   struct fth_part *part)
{
    play_rank(recorded, model, rank);
    gather(recorded, part);
    remove_files(fth_process->image, fth_process->streams);
}
