/* What sentences call a process. */
#include "trace/names/process_name.h"

#include "base/phrase.h"

#include <string.h>

void fth_process_put_name(struct fth_sink *sink, const struct fth_process *process, size_t proc)
{
    if (process->rank != FTH_NO_RANK) {
        fth_sink_text(sink, "rank ");
        fth_sink_text(sink, fth_phrase_rank(process->world, process->rank).text);
        return;
    }
    const char *name = process->executable, *slash = name ? strrchr(name, '/') : NULL;
    fth_sink_text(sink, "process ");
    fth_sink_unsigned(sink, proc);
    if (!name)
        return;
    fth_sink_text(sink, " (");
    fth_sink_text(sink, slash ? slash + 1 : name);
    fth_sink_char(sink, ')');
}
