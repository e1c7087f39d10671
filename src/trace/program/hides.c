/* Which blind spots matter to a verdict. A trace keeps them as sentences. Those that hide no access
 * begin in one of a few ways; every other one, also one that a later tracer adds, is taken to hide
 * accesses, so that nothing is called safe because a sentence was not understood. */
#include "trace/program/hides.h"

#include "base/text.h"

#include <string.h>

static const struct {
    const char *text;
    bool anywhere; /* else at the beginning */
    enum fth_hides hides;
} known[] = {
    {"functions as regions: ", false, FTH_HIDES_NO_ACCESS},
    {"the lines of Python: ", false, FTH_HIDES_NO_ACCESS},
    {"the samples of ", false, FTH_HIDES_NO_ACCESS},
    {"kernels and copies of CUDA: ", false, FTH_HIDES_NO_ACCESS},
    {"the last activities of CUDA: ", false, FTH_HIDES_NO_ACCESS},
    {"what /proc tells ", false, FTH_HIDES_NO_ACCESS},
    {"how long ", false, FTH_HIDES_NO_ACCESS},
    {"the date of the run: ", false, FTH_HIDES_NO_ACCESS},
    {"this run was simulated: ", false, FTH_HIDES_BELOW_A_LIBRARY},
    {"hdf5 calls of ", false, FTH_HIDES_A_LIBRARY},
    {"hdf5_hl calls of ", false, FTH_HIDES_A_LIBRARY},
    {"netcdf calls of ", false, FTH_HIDES_A_LIBRARY},
    {"pnetcdf calls of ", false, FTH_HIDES_A_LIBRARY},
    {"MPI calls of ", false, FTH_HIDES_A_LIBRARY},
    {"calls of the plug-in ", false, FTH_HIDES_A_LIBRARY},
    {": linked statically with ", true, FTH_HIDES_A_LIBRARY},
};

static bool any_begins(const char *const *sentences, size_t count, const char *beginning)
{
    for (size_t i = 0; i < count; i++)
        if (fth_text_begins(sentences[i], beginning))
            return true;
    return false;
}

bool fth_blind_spots_hide_order(const char *const *sentences, size_t count)
{
    return any_begins(sentences, count, FTH_ARCHIVE_OF_OTF2) ||
           any_begins(sentences, count, FTH_PROJECT_OF_HDTRACE) ||
           fth_blind_spots_lack(sentences, count);
}

const char *fth_blind_spots_lack(const char *const *sentences, size_t count)
{
    if (any_begins(sentences, count, FTH_LOG_OF_DARSHAN))
        return "opens, closes and syncs, which the imported trace does not have";
    if (any_begins(sentences, count, FTH_TRACE_OF_RECORDER))
        return "results of calls, which the imported trace does not have";
    return NULL;
}

enum fth_hides fth_blind_spot_hides(const char *sentence)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const char *at = strstr(sentence, known[i].text);
        if (at && (known[i].anywhere || at == sentence))
            return known[i].hides;
    }
    return FTH_HIDES_ACCESSES;
}
