/* One object of JSON on a line of the standard output: what a command says with --json beside the
 * files that it writes. */
#ifndef FTH_CMD_SHARED_JSON_LINE_H
#define FTH_CMD_SHARED_JSON_LINE_H

#include "base/error.h"
#include "base/json.h"
#include "base/sink.h"

struct fth_cmd_json_line {
    struct fth_sink sink;
    struct fth_json json;
};

/* The writer of the object, which is open. */
struct fth_json *fth_cmd_json_begin(struct fth_cmd_json_line *line);
/* Closes and prints it. 0, or -1 with *error set: it could not be written. */
int fth_cmd_json_end(struct fth_cmd_json_line *line, struct fth_error **error);
/* All bytes of a sink in memory go to the standard output. 0, or -1 with *error set. */
int fth_cmd_print(const struct fth_sink *content, struct fth_error **error);

#endif
