/* The page of a simulation. */
#include "cmd/simulate/simulate.h"
int fth_cmd_open_simulation(struct fth_writer *writer, const struct fth_cmd_simulation *request,
                            struct fth_error **error)
{
    const char *inputs[] = {request->program_path, request->cluster_path, NULL};
    if (fth_cmd_open_page(writer, &request->page, "fathom simulate", 2, inputs, error))
        return -1;
    fth_json_key_text(&writer->facts, "program", request->program_path);
    return 0;
}
