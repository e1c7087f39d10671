/* Sentences about a recording that stopped: how many calls of how many processes are missing,
 * since when and why; and which programs were not recorded. Otherwise such a trace would look
 * complete. All views use these sentences. */
#include "views/sentences/incomplete.h"

#include "base/phrase.h"
#include "base/visible.h"
#include "trace/record/spill.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What an error of our own files means for who recorded. */
static const char *meaning_of(int error)
{
    switch (error) {
    case ENOSPC:
    case EDQUOT:
        return "no room in the spill folder";
    case EFBIG:
        return "the limit of file sizes (ulimit -f) was reached";
    case EACCES:
    case EPERM:
    case EROFS:
        return "no permission to write into the spill folder any more";
    case ENOENT:
    case ENOTDIR:
        return "the spill folder was out of reach (another root or mount namespace, or it was "
               "removed)";
    case ENOMEM:
        return "out of memory";
    case FTH_NO_BUDGET:
        return "the budget of the recording was used up (--budget)";
    case FTH_ONLY_WATCHED:
        return "processes were only watched from time to time (--select)";
    case EMFILE:
    case ENFILE:
        return "no free descriptor";
    }
    return strerror(error);
}

struct fth_paragraph fth_views_why_missing(int error)
{
    struct fth_paragraph why;
    const char *name = error ? strerrorname_np(error) : NULL;
    if (!error)
        snprintf(why.text, sizeof why.text, "reason unknown");
    else if (error == FTH_NO_BUDGET ||
             error == FTH_ONLY_WATCHED) /* which is no error of the system */
        snprintf(why.text, sizeof why.text, "%s", meaning_of(error));
    else if (name)
        snprintf(why.text, sizeof why.text, "%s (%s)", meaning_of(error), name);
    else
        snprintf(why.text, sizeof why.text, "%s", meaning_of(error));
    return why;
}

static void add(struct fth_paragraph *to, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void add(struct fth_paragraph *to, const char *format, ...)
{
    size_t used = strlen(to->text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(to->text + used, sizeof to->text - used, format, arguments);
    va_end(arguments);
}

static void add_reason(struct fth_paragraph *to, const struct fth_missing *missing)
{
    if (missing->since != FTH_NO_TIME)
        add(to, ", from %s on", fth_phrase_duration(missing->since > 0 ? missing->since : 0).text);
    add(to, ": %s", fth_views_why_missing(missing->error).text);
}

static void add_unkept(struct fth_paragraph *to, const struct fth_incomplete *incomplete)
{
    const struct fth_missing *unkept = &incomplete->unkept;
    uint64_t all = incomplete->kept + incomplete->lost + unkept->calls;
    if (unkept->uncounted && !unkept->calls)
        add(to, "an unknown number of calls is missing");
    else
        add(to, "%s%s of %s%s %s %s", unkept->uncounted ? "at least " : "",
            fth_phrase_count((int64_t)unkept->calls).text, unkept->uncounted ? "at least " : "",
            fth_phrase_several(all, "call", "calls").text, unkept->calls == 1 ? "is" : "are",
            unkept->error == FTH_ONLY_WATCHED ? "counted by function only" : "missing");
    if (unkept->processes > 1)
        add(to, " in %s", fth_phrase_several(unkept->processes, "process", "processes").text);
    add_reason(to, unkept);
}

static void add_unrecorded(struct fth_paragraph *to, const struct fth_incomplete *incomplete)
{
    const struct fth_missing *unrecorded = &incomplete->unrecorded;
    if (incomplete->unkept.processes)
        add(to, "; and ");
    add(to, "nothing was recorded of %s%s",
        fth_phrase_several(unrecorded->processes, "process", "processes").text,
        incomplete->kept ? " beside those shown" : "");
    if (unrecorded->uncounted && !unrecorded->calls)
        add(to, ", whose calls were not counted");
    else
        add(to, ", which made %s%s", unrecorded->uncounted ? "at least " : "",
            fth_phrase_several(unrecorded->calls, "call", "calls").text);
    add_reason(to, unrecorded);
}

/* "900 of 1,000 calls are in sums by function and file only, from 1.2 s on: ..." */
static void add_summed(struct fth_paragraph *to, const struct fth_incomplete *incomplete)
{
    const struct fth_missing *summed = &incomplete->summed;
    bool watched = incomplete->summed.error == FTH_ONLY_WATCHED;
    add(to, "%s%s of %s %s in sums by function%s only", *to->text ? "; and " : "",
        fth_phrase_count((int64_t)summed->calls).text,
        fth_phrase_several(incomplete->kept, "call", "calls").text,
        summed->calls == 1 ? "is" : "are", watched ? "" : " and file");
    if (summed->processes > 1)
        add(to, ", in %s", fth_phrase_several(summed->processes, "process", "processes").text);
    add_reason(to, &(struct fth_missing){.since = summed->since,
                                         .error = watched ? FTH_ONLY_WATCHED : FTH_NO_BUDGET});
}

/* "not recorded: cat: linked statically; and 2 more, which fathom info tells" */
static void add_programs(struct fth_paragraph *to, const struct fth_incomplete *incomplete)
{
    enum { MOST = 400 };
    char *shown = fth_visible(incomplete->program);
    size_t length = shown ? strlen(shown) : 0, fits = length < MOST ? length : MOST;
    while (fits < length && fits && ((unsigned char)shown[fits] & 0xc0) == 0x80)
        fits--; /* not in the middle of a character */
    add(to, "%snot recorded: %.*s%s", *to->text ? "; and " : "", (int)fits, shown ? shown : "",
        fits < length ? "..." : "");
    if (incomplete->programs > 1)
        add(to, "; and %s (see fathom info)",
            fth_phrase_several(incomplete->programs - 1, "more", "more").text);
    free(shown);
}

struct fth_paragraph fth_views_missing(const struct fth_incomplete *incomplete)
{
    struct fth_paragraph sentence = {""};
    if (incomplete->unkept.processes)
        add_unkept(&sentence, incomplete);
    if (incomplete->unrecorded.processes)
        add_unrecorded(&sentence, incomplete);
    if (incomplete->summed.processes)
        add_summed(&sentence, incomplete);
    if (incomplete->programs)
        add_programs(&sentence, incomplete);
    return sentence;
}

const char *fth_views_what_is_shown(const struct fth_incomplete *incomplete)
{
    if (incomplete->unkept.processes || incomplete->unrecorded.processes || incomplete->programs)
        return incomplete->summed.error == FTH_ONLY_WATCHED
                   ? "Sums by function, layer and process include calls in sums; all else is of "
                     "recorded calls only."
                   : "Sums and shares cover the recorded calls only.";
    if (incomplete->summed.error == FTH_ONLY_WATCHED)
        return "Sums by function, layer and process are of all calls; all else is of recorded "
               "calls "
               "only.";
    return "Sums by function and file are of all calls, what else is shown is of the others.";
}

void fth_views_put_missing(struct fth_output *output, const struct fth_incomplete *incomplete)
{
    if (!fth_analysis_is_stopped(incomplete))
        return;
    fth_views_paint(output, FTH_PAINT_BAD);
    fth_views_print(output, "Incomplete: %s. %s", fth_views_missing(incomplete).text,
                    fth_views_what_is_shown(incomplete));
    fth_views_paint(output, FTH_PAINT_PLAIN);
    fth_sink_char(&output->sink, '\n');
}

static void put_numbers(struct fth_json *json, const char *name, const struct fth_missing *missing)
{
    const char *error = missing->error ? strerrorname_np(missing->error) : NULL;
    fth_json_key(json, name);
    fth_json_begin_object(json);
    fth_json_key(json, "processes");
    fth_json_unsigned(json, missing->processes);
    fth_json_key(json, "calls");
    if (missing->uncounted)
        fth_json_null(json);
    else
        fth_json_unsigned(json, missing->calls);
    fth_json_key(json, "since");
    if (missing->since == FTH_NO_TIME || !missing->processes)
        fth_json_null(json);
    else
        fth_json_seconds(json, missing->since);
    fth_json_key(json, "error");
    if (error)
        fth_json_text(json, error);
    else
        fth_json_null(json);
    fth_json_end_object(json);
}

void fth_views_missing_json(struct fth_json *json, const struct fth_incomplete *incomplete)
{
    fth_json_key(json, "incomplete");
    if (!fth_analysis_is_stopped(incomplete)) {
        fth_json_null(json);
        return;
    }
    fth_json_begin_object(json);
    fth_json_key(json, "text");
    fth_json_text(json, fth_views_missing(incomplete).text);
    fth_json_key_text(json, "shown", fth_views_what_is_shown(incomplete));
    put_numbers(json, "unkept", &incomplete->unkept);
    put_numbers(json, "unrecorded", &incomplete->unrecorded);
    put_numbers(json, "summed", &incomplete->summed);
    fth_json_key(json, "not_recorded");
    if (incomplete->programs)
        fth_json_text(json, incomplete->program);
    else
        fth_json_null(json);
    fth_json_end_object(json);
}
