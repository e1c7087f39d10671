/* Recording stops, and all recorders of this process with it. */
#include "capture/record/stop.h"

#include "capture/process/process.h"
#include "capture/process/unkept_calls.h"
#include "interpose/own/own_files.h"
#include "interpose/own/own_memory.h"
#include "interpose/own/sandbox.h"

struct fth_lock fth_recorders_lock;
struct fth_recorder *fth_recorders;

static void stop_recorders(void)
{
    fth_lock(&fth_recorders_lock);
    for (struct fth_recorder *recorder = fth_recorders; recorder; recorder = recorder->next_made)
        __atomic_store_n(&recorder->end, (uint32_t *)(recorder->live + 1), __ATOMIC_RELEASE);
    fth_unlock(&fth_recorders_lock);
}

void fth_recording_stops(int error)
{
    if (!fth_process || fth_process->stopped)
        return;
    fth_unkept_since(error);
    fth_process->stopped = (uint32_t)(error ? error : EIO);
    stop_recorders();
}

/* What went wrong ends the recording, unless it will pass. */
bool fth_recording_fails(int error)
{
    if (fth_error_is_passing(error) || error == FTH_NO_BUDGET)
        fth_unkept_since(error);
    else
        fth_recording_stops(error);
    return false;
}

/* That will pass, too; behind a filter of system calls none is asked for, and recording has
 * ended. */
bool fth_recording_lacks_memory(void)
{
    return fth_is_filtered ? false : fth_recording_fails(ENOMEM);
}
