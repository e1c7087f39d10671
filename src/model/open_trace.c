/* Opening a trace: what is in the file is read, then what only its calls show of all processes. */
#include "base/error.h"
#include "base/memory.h"
#include "model/calls/process_exits.h"
#include "model/reading/model.h"

#include <fathom/trace.h>

struct fth_trace *fth_trace_open(const char *path, struct fth_error **error)
{
    struct fth_trace *trace = fth_new(1, sizeof *trace);
    pthread_mutex_init(&trace->lock, NULL);
    trace->path = fth_text_copy(path);
    if (fth_model_read(trace, error) == 0) {
        fth_model_find_signals(trace);
        return trace;
    }
    fth_fail_in(error, "cannot read trace '%s'", path);
    fth_trace_close(trace);
    return NULL;
}
