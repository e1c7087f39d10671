/* Puts many small arrays; then a child reads them, while the file is still open, or flushed (steps
 * flush) or closed (steps close) before. */
#include "bp.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PUTS = 400, BYTES = 100 };

static char data[BYTES];

static int read_all(void)
{
    bp_engine *engine = bp_open("data.bp", BP_READ);
    int failed = 0;
    for (int i = 0; i < PUTS; i++)
        failed |= bp_get(engine, "v", data, BYTES);
    return failed | bp_close(engine);
}

int main(int count, char **words)
{
    const char *way = count > 1 ? words[1] : "";
    bp_set_parameter("NumAggregators", "1");
    bp_engine *engine = bp_open("data.bp", BP_WRITE);
    bp_begin_step(engine);
    for (int i = 0; i < PUTS; i++)
        bp_put(engine, "v", data, BYTES);
    bp_perform_puts(engine);
    bp_end_step(engine);
    if (strcmp(way, "flush") == 0)
        bp_flush(engine);
    if (strcmp(way, "close") == 0)
        bp_close(engine);
    pid_t child = fork();
    if (child == 0)
        _exit(read_all());
    int status = 1;
    waitpid(child, &status, 0);
    if (strcmp(way, "close") != 0)
        bp_close(engine);
    return status != 0 || bp_remove("data.bp");
}
