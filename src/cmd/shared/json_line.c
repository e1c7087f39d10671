/* Whether what was printed has been written is known when the stream is flushed. */
#include "cmd/shared/json_line.h"

#include <stdio.h>

struct fth_json *fth_cmd_json_begin(struct fth_cmd_json_line *line)
{
    fth_sink_open_memory(&line->sink);
    fth_json_open(&line->json, &line->sink, 0);
    fth_json_begin_object(&line->json);
    return &line->json;
}

int fth_cmd_json_end(struct fth_cmd_json_line *line, struct fth_error **error)
{
    fth_json_end_object(&line->json);
    fth_json_end_document(&line->json);
    int result = fth_cmd_print(&line->sink, error);
    fth_sink_close_memory(&line->sink);
    return result;
}

int fth_cmd_print(const struct fth_sink *content, struct fth_error **error)
{
    if (fwrite(content->bytes, 1, content->used, stdout) != content->used || fflush(stdout))
        return fth_fail_errno(error, "cannot write to the standard output");
    return 0;
}
