/* The MPI library of this process as it stands: its functions, the world, whether it can be called,
 * and how our own calls of it stay out of the recording. */
#include "capture/life/begin.h"
#include "capture/mpi/profiling_interface.h"
#include "capture/process/process.h"

enum { LONGEST_VERSION = 8192, LONGEST_NOTE = 256 };

struct fth_pmpi fth_pmpi;
struct fth_mpi_world fth_mpi_world;
static bool up; /* as far as we know; asked again while not */
static bool finalized;

void fth_mpi_quiet_begin(struct fth_mpi_quiet *quiet)
{
    quiet->saved_errno = errno;
    quiet->recorder = fth_self;
    if (!quiet->recorder || !*fth_alive)
        quiet->recorder = fth_begin_rarely(0);
    if (!quiet->recorder)
        return;
    quiet->busy = quiet->recorder->busy;
    quiet->lost = quiet->recorder->live->lost;
    quiet->recorder->busy = FTH_BUSY_ELSEWHERE;
}

void fth_mpi_quiet_end(const struct fth_mpi_quiet *quiet)
{
    if (quiet->recorder) {
        quiet->recorder->live->lost = quiet->lost;
        quiet->recorder->busy = quiet->busy;
    }
    errno = quiet->saved_errno;
}

bool fth_mpi_is_up(void)
{
    int flag = 0;
    if (!up && !finalized && fth_pmpi.Initialized(&flag) == 0 && flag)
        up = true;
    return up;
}

void fth_mpi_came_up(void)
{
    up = true;
}

void fth_mpi_went_down(void)
{
    up = false;
    finalized = true;
}

/* "MPICH Version:\t4.0.2\n..." -> "MPICH Version: 4.0.2" */
void fth_mpi_note_version(void)
{
    static char version[LONGEST_VERSION + 1];
    int length = 0;
    if (fth_pmpi.Get_library_version(version, &length) != 0)
        return;
    char *to = version;
    for (const char *at = version; *at && *at != '\n'; at++) {
        bool space = *at == ' ' || *at == '\t';
        if (!space || (to > version && to[-1] != ' '))
            *to++ = space ? ' ' : *at;
    }
    *to = 0;
    if (to - version > LONGEST_NOTE)
        version[LONGEST_NOTE] = 0;
    fth_process_note("mpi=", version);
    fth_process_note("mpi_abi=", fth_mpi_abi.name);
}

/* Called with every session: a program may use them instead of MPI_Init. It has no world then. */
void fth_mpi_session_was_made(void)
{
    if (!up && !fth_mpi_world.is_up)
        fth_mpi_note_version();
    up = true;
}
