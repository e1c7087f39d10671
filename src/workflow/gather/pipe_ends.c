/* A pipe of which only one end was used in the trace: who has the other one was not recorded, or
 * did nothing with it. */
#include "workflow/gather/pipe_ends.h"

#include "base/keyed.h"
#include "base/memory.h"
#include "workflow/gather/file_uses.h"

#include <string.h>

struct end {
    uint32_t reader, writer; /* a step + 1; 0: none was seen */
};

static void count(struct fth_gathered_trace *gathering, const struct fth_cell *cells,
                  const struct fth_keyed *made, struct end *ends)
{
    const char *name = cells[FTH_USE_PATH].text;
    uint32_t at, step = gathering->owners[cells[FTH_USE_PROC].integer];
    if (!fth_keyed_number(made, name, strlen(name), &at))
        return;
    if (cells[FTH_USE_FIRST_READ].type != FTH_CELL_NULL)
        ends[at].reader = step + 1;
    if (cells[FTH_USE_FIRST_WRITE].type != FTH_CELL_NULL)
        ends[at].writer = step + 1;
}

void fth_pipe_ends_note(struct fth_gathered_trace *gathering, const struct fth_table *uses,
                        const struct fth_keyed *made)
{
    struct fth_workflow *workflow = gathering->workflow;
    uint32_t unseen = 0, example = 0, pipes = fth_keyed_count(made);
    struct end *ends = fth_new((size_t)pipes + 1, sizeof *ends);
    for (size_t row = 0; row < fth_table_rows(uses); row++)
        count(gathering, fth_table_row(uses, row), made, ends);
    for (uint32_t i = 0; i < pipes; i++)
        if (!ends[i].reader != !ends[i].writer && !unseen++)
            example = i;
    if (unseen) {
        bool writes = ends[example].writer != 0;
        uint32_t step = (writes ? ends[example].writer : ends[example].reader) - 1;
        workflow->incomplete = true;
        fth_workflow_note(workflow,
                          "which step %s a pipe that step %u ('%.60s') %s (%u such %s): none was "
                          "seen to. Steps that no data joins here may need each other",
                          writes ? "reads" : "writes to", step, workflow->steps[step].command,
                          writes ? "writes to" : "reads", unseen, unseen == 1 ? "pipe" : "pipes");
    }
    free(ends);
}
