/* Sentences about what was recorded, and what was only watched. */
#include "views/sentences/coverage.h"

#include "base/memory.h"
#include "base/phrase.h"

#include <stdlib.h>

char *fth_views_coverage(const struct fth_phase_coverage *coverage)
{
    char *unknown =
        coverage->unknown
            ? fth_text_format("; of %s the times are not known",
                              fth_phrase_several(coverage->unknown, "more", "more").text)
            : fth_text_copy("");
    char *text;
    if (!coverage->time && !coverage->only_watched)
        text =
            fth_text_format("no call of the layer that is compared was made in %s%s",
                            fth_phrase_several(coverage->phases, "phase", "phases").text, unknown);
    else
        text = fth_text_format(
            "%.1f %% of the time of the slowest process was recorded in full: %s of %s, in %s%s. "
            "Calls that were only timed took %s in all processes together",
            fth_analysis_covered(coverage->time, coverage->recorded),
            fth_phrase_duration((int64_t)coverage->recorded).text,
            fth_phrase_duration((int64_t)coverage->time).text,
            fth_phrase_several(coverage->phases, "phase", "phases").text, unknown,
            fth_phrase_duration((int64_t)coverage->only_watched).text);
    free(unknown);
    return text;
}

void fth_views_coverage_json(struct fth_json *json, const struct fth_phase_coverage *coverage)
{
    fth_json_key(json, "coverage");
    if (!coverage) {
        fth_json_null(json);
        return;
    }
    fth_json_begin_object(json);
    fth_json_key_unsigned(json, "phases", coverage->phases);
    fth_json_key_unsigned(json, "unknown_phases", coverage->unknown);
    fth_json_key_seconds(json, "slowest_time", (int64_t)coverage->time);
    fth_json_key_seconds(json, "recorded_time", (int64_t)coverage->recorded);
    fth_json_key_seconds(json, "watched_time", (int64_t)coverage->only_watched);
    fth_json_key(json, "percent");
    if (coverage->time)
        fth_json_number(json, fth_analysis_covered(coverage->time, coverage->recorded));
    else
        fth_json_null(json);
    char *text = fth_views_coverage(coverage);
    fth_json_key_text(json, "text", text);
    free(text);
    fth_json_key_unsigned(json, "process_phases", coverage->processes);
    fth_json_key_unsigned(json, "watched_process_phases", coverage->watched);
    fth_json_end_object(json);
}
