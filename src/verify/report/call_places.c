/* Reads each trace once more, for the processes only that findings name. */
#include "verify/report/call_places.h"

#include "base/memory.h"

#include <string.h>

static char *copy(const char *text)
{
    return text ? strcpy(fth_new(strlen(text) + 1, 1), text) : NULL;
}

/* Those of one process. What cannot be read is left without a place: whoever asks has read it
 * before. */
static void find_in(const struct fth_run *run, size_t proc,
                    const struct fth_order_finding *findings, size_t count, char **places)
{
    struct fth_error *error = NULL;
    struct fth_calls *calls = fth_calls_open(run->trace, proc, &error);
    struct fth_call call;
    size_t left = 0;
    for (size_t i = 0; i < count; i++)
        left += findings[i].proc == proc;
    while (calls && left && fth_calls_next(calls, &call, &error) > 0)
        for (size_t i = 0; call.depth == 0 && i < count; i++)
            if (findings[i].proc == proc && findings[i].thread == call.thread &&
                findings[i].call == call.number && !places[i]) {
                places[i] = copy(call.source);
                left--;
            }
    fth_calls_close(calls);
    fth_error_free(error);
}

char **fth_finding_places(const struct fth_run *run)
{
    size_t count;
    const struct fth_order_finding *findings = fth_order_findings(run->order, &count);
    char **places = fth_new(count + 1, sizeof *places);
    for (size_t i = 0; i < count; i++) {
        size_t earlier = 0;
        while (findings[earlier].proc != findings[i].proc)
            earlier++;
        if (earlier == i)
            find_in(run, findings[i].proc, findings, count, places);
    }
    return places;
}

void fth_finding_places_free(char **places, const struct fth_run *run)
{
    size_t count;
    fth_order_findings(run->order, &count);
    for (size_t i = 0; places && i < count; i++)
        free(places[i]);
    free(places);
}
