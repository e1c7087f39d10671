/* What wrappers do when recording begins and ends. */
#include "capture/life/life.h"
#include "capture/process/process.h"
#include "capture/record/recorder_notes.h"
#include "capture/wrap/contents.h"
#include "capture/wrap/queues.h"
#include "capture/wrap/open_regions.h"
#include "capture/wrap/stdio.h"
#include "capture/wrap/threads.h"

static void recording_has_begun(void)
{
    if (!fth_stdio_see())
        fth_process_note(
            "unseen=",
            "reads and writes of stdio below its streams: this C library has another layout");
}

static void nothing_is_recorded(void)
{
    fth_stdio_see();
}

static void in_child(void)
{
    fth_threads_in_child();
    fth_uring_in_child();
}

static void thread_begins(struct fth_recorder *recorder)
{
    if (fth_start_of_thread())
        fth_record_start(recorder, false, fth_start_of_thread());
}

const struct fth_wrapper_events fth_wrapper_events = {
    .recording_begins = fth_contents_start,
    .recording_has_begun = recording_has_begun,
    .nothing_is_recorded = nothing_is_recorded,
    .in_child = in_child,
    .thread_begins = thread_begins,
    .thread_ends = fth_regions_end_all,
    .frames_left = fth_regions_left,
};
