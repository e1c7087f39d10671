/* Findings on what data calls become in the system: many calls, more bytes, reads before writes,
 * one process for others, messages. */
#include "analysis/passes/levels.h"

#include "analysis/passes/tuning_hints.h"
#include "base/saturating.h"
#include "trace/record/builtin.h"

#include <stdio.h>

static struct fth_finding *add_finding(const struct fth_level_story *story, const char *kind,
                                       const char *title, int64_t severity)
{
    struct fth_finding *finding = fth_finding_write(story->survey, story->results, story->file,
                                                    &story->level->example, kind, title, severity);
    fth_finding_spread(finding, story->level->processes);
    finding->classes = FTH_CLASSES_MOVING;
    return finding;
}

/* Time on the system beyond what so many bytes need. */
static int64_t excess(const struct fth_level_story *story, uint64_t bytes)
{
    int64_t needed = fth_speed_time(&story->best[story->writes], bytes);
    return story->system_time > needed ? story->system_time - needed : 0;
}

/* What to try where a library makes other accesses than it was asked for. Ranks that share a file
 * can do without its buffers: HDF5 has neither a chunk cache for what they write, nor a sieve
 * buffer. */
static const char *advice_for(const struct fth_level_story *story, enum fth_hint hint)
{
    static const unsigned without_buffers =
        FTH_LAYER_SYSTEM | FTH_LAYER_STREAMS | FTH_LAYER_TOGETHER;
    const struct fth_level *level = story->level;
    const char *layer = story->function->layer;
    if (level->together)
        return "The call is collective, but the library did not combine the pieces of the ranks. "
               "Change the layout of the file or of its chunks so that the pieces of a rank are "
               "contiguous, or try other hints (romio_cb_write, romio_cb_read) or (OMPIO) another "
               "fcoll component.";
    if (level->groups && !fth_layer_is(layer, without_buffers))
        hint = FTH_HINT_TOGETHER;
    return fth_tuning_hint(story->survey, story->results, &level->example, story->file, layer,
                           hint);
}

static void find_fan_out(const struct fth_level_story *story)
{
    const struct fth_level *level = story->level;
    double fan = fth_share(story->system_calls, level->calls);
    uint64_t mean = level->bytes / level->calls,
             mean_below = story->system_calls ? story->system_bytes / story->system_calls : 0;
    int64_t severity = excess(story, story->system_bytes);
    if (fan < fth_threshold_of(story->survey, FTH_THRESHOLD_FAN) || mean_below >= mean ||
        (double)story->system_calls < fth_threshold_of(story->survey, FTH_THRESHOLD_MANY) ||
        level->reach < level->processes || !fth_finding_is_worth(story->survey, severity))
        return;
    struct fth_finding *finding =
        add_finding(story, "fan_out", "One call becomes several system calls", severity);
    fth_finding_say(finding, "%s of %s, of %s%s, %s %s of the system, of %s on average.",
                    FTH_SEVERAL(level->calls, "call", "calls"), story->function->name,
                    FTH_BYTES(mean), level->calls == 1 ? "" : " on average",
                    level->calls == 1 ? "becomes" : "become",
                    FTH_SEVERAL(story->system_calls, "call", "calls"), FTH_BYTES(mean_below));
    fth_finding_advise(finding, "%s",
                       !level->together && level->ranges > 2 * level->calls
                           ? "The bytes of a call are not contiguous. Use a collective call, or "
                             "change the layout of the file or of its chunks."
                           : advice_for(story, FTH_HINT_BUFFER));
}

/* So many ns are saved by one access that replaces many pieces, at most: a call for a piece takes
 * no longer beyond its bytes than those that were made. How long it would take is not known. */
static double most_saved(const struct fth_level_story *story)
{
    if (!story->system_calls || story->level->ranges <= story->system_calls)
        return 0;
    return (double)(story->level->ranges - story->system_calls) *
           (double)excess(story, story->system_bytes) / (double)story->system_calls;
}

/* What the bytes between the pieces cost, at least: a write has read them before. */
static double least_lost(const struct fth_level_story *story, uint64_t surplus)
{
    return (double)fth_speed_time(&story->best[story->writes], surplus) +
           (double)(story->writes ? story->level->below[0].time : 0);
}

/* What a sieving write reads before, so as to write back what lies between its pieces. */
static struct fth_moved read_before(const struct fth_level_story *story)
{
    return story->writes ? story->level->below[0] : (struct fth_moved){0};
}

/* ", 2.28 MiB of it to read what lies between the pieces,"; "" if nothing is read. */
struct between_phrase {
    char text[96];
};
static struct between_phrase between_of(const struct fth_level_story *story)
{
    struct between_phrase phrase = {""};
    if (read_before(story).bytes)
        snprintf(phrase.text, sizeof phrase.text,
                 ", %s of it to read what lies between the pieces,",
                 FTH_BYTES(read_before(story).bytes));
    return phrase;
}

static void say_sieving(const struct fth_level_story *story)
{
    struct fth_finding *finding = add_finding(story, "data_sieving", "Data sieving is at work", 0);
    finding->effective = true;
    fth_finding_say(finding,
                    "%s transfers %s in %s of the system%s to access %s in %s. Whether that is "
                    "faster than a call for each piece is not known.",
                    story->function->name,
                    FTH_BYTES(story->system_bytes + read_before(story).bytes),
                    FTH_SEVERAL(story->system_calls + read_before(story).calls, "call", "calls"),
                    between_of(story).text, FTH_BYTES(story->level->bytes),
                    FTH_SEVERAL(story->level->ranges, "piece", "pieces"));
}

static void find_surplus(const struct fth_level_story *story)
{
    const struct fth_level *level = story->level;
    double most = 1 + fth_threshold_of(story->survey, FTH_THRESHOLD_AMPLIFIED);
    if (!level->bytes || (double)story->system_bytes <= most * (double)level->bytes ||
        (level->together && level->reach < level->processes))
        return;
    uint64_t surplus = story->system_bytes - level->bytes;
    double useless = fth_share(surplus, story->system_bytes);
    int64_t surplus_time = fth_saturating_integer((double)story->system_time * useless);
    bool sieving = level->views || level->ranges > level->calls;
    if (sieving && most_saved(story) >= least_lost(story, surplus)) {
        say_sieving(story);
        return;
    }
    /* a library unpacks, converts and copies all that it has read for the few bytes that were asked
     * for */
    if (!sieving && (double)level->time * useless > (double)surplus_time)
        surplus_time = fth_saturating_integer((double)level->time * useless);
    if (!fth_finding_is_worth(story->survey, surplus_time))
        return;
    struct fth_finding *finding =
        sieving ? add_finding(story, "harmful_data_sieving", "Data sieving transfers too much",
                              surplus_time)
                : add_finding(story, "amplification", "More bytes are transferred than requested",
                              surplus_time);
    uint64_t all = story->system_bytes + (sieving ? read_before(story).bytes : 0);
    fth_finding_say(finding, "Of %s that the system transfers for %s%s%s %s were requested (%s).",
                    FTH_BYTES(all), story->function->name,
                    story->stream && story->stream->below.calls != level->below[story->writes].calls
                        ? " and other calls on streams"
                        : "",
                    sieving && read_before(story).bytes ? between_of(story).text : ",",
                    FTH_BYTES(level->bytes),
                    fth_phrase_percent(100 * fth_share(level->bytes, all)).text);
    fth_finding_advise(finding, "%s", advice_for(story, FTH_HINT_UNUSED));
}

/* Of functions of stdio all together: none of them has a buffer of its own. */
static void find_amplification(const struct fth_level_story *story)
{
    const struct fth_level_stream *stream = story->stream;
    if (!stream) {
        find_surplus(story);
        return;
    }
    if (stream->first != story->level || stream->vague)
        return;
    struct fth_level level = *story->level;
    level.bytes = stream->bytes;
    level.example = stream->most->example;
    struct fth_level_story all = *story;
    all.level = &level;
    all.system_calls = stream->below.calls;
    all.system_bytes = stream->below.bytes;
    all.system_time = stream->below.time;
    find_surplus(&all);
}

static void find_read_before_write(const struct fth_level_story *story)
{
    const struct fth_level *level = story->level;
    const struct fth_moved *reads = &level->below[0];
    if (!story->writes || reads->bytes * 2 < level->bytes ||
        !fth_finding_is_worth(story->survey, reads->time))
        return;
    struct fth_finding *finding =
        add_finding(story, "read_before_write", "Writes read first", reads->time);
    fth_finding_say(finding,
                    "%s reads %s from the file to write %s: it reads the gaps between the pieces "
                    "too, and writes them back (read-modify-write).",
                    story->function->name, FTH_BYTES(reads->bytes), FTH_BYTES(level->bytes));
    fth_finding_advise(
        finding, "%s",
        story->survey->rank_count > 1
            ? "Use collective writes without holes, write whole chunks or blocks at once, or turn "
              "data sieving off for writes (hint romio_ds_write=disable)."
            : fth_tuning_hint(story->survey, story->results, &level->example, story->file,
                              story->function->layer, FTH_HINT_UNUSED));
}

/* HDF5 calls what its functions for attributes are given attr_id. */
static bool is_of_attribute(const struct fth_function *function)
{
    return function->parameter_count && strcmp(function->parameters[0].name, "attr_id") == 0;
}

/* What a library does for small calls takes longer than their bytes. What programs ask of MPI-IO
 * and of the system is judged by where in the file it is (patterns). */
static void find_small_calls(const struct fth_level_story *story)
{
    const struct fth_level *level = story->level;
    const struct fth_level_small *small = &level->small;
    const struct fth_survey *survey = story->survey;
    int64_t needed = fth_speed_time(&story->best[story->writes], small->bytes);
    if (!small->calls || 2 * small->calls < level->calls || 2 * small->asked < small->calls ||
        level->together ||
        (double)(small->calls / level->processes) < fth_threshold_of(survey, FTH_THRESHOLD_MANY) ||
        small->time <= needed || !fth_finding_is_worth(survey, small->time - needed))
        return;
    struct fth_level only = *level;
    only.example = small->example;
    struct fth_level_story of_small = *story;
    of_small.level = &only;
    struct fth_finding *finding = add_finding(&of_small, "small_library_calls",
                                              "Many small library calls", small->time - needed);
    fth_finding_list_add(&finding->functions, story->function->name);
    fth_finding_say(finding,
                    "%s of %s %s take %s. The library's own work (lookups, conversion, filters "
                    "such as compression) takes longer per call than the transfer.",
                    FTH_SEVERAL(small->calls, "call", "calls"), story->function->name,
                    FTH_SIZES(&small->sizes),
                    FTH_EACH(small->time, small->calls, small->example.time));
    fth_finding_advise(
        finding, "%s",
        fth_tuning_hint(survey, story->results, &small->example, story->file,
                        story->function->layer,
                        is_of_attribute(story->function) ? FTH_HINT_ATTRIBUTES : FTH_HINT_LARGER));
}

static void find_split(const struct fth_level_story *story)
{
    const struct fth_level *level = story->level;
    if (!fth_finding_is_worth(story->survey, level->time))
        return;
    struct fth_finding *finding = add_finding(story, "collective_ran_independently",
                                              "Collective calls did independent I/O", level->time);
    fth_finding_say(finding,
                    "%s of %s were collective. They became %s of MPI-IO that %s: no process did "
                    "I/O for others.",
                    FTH_SEVERAL(level->together, "call", "calls"), story->function->name,
                    FTH_SEVERAL(level->split, "call", "calls"),
                    level->split == 1 ? "is not" : "are not");
    fth_finding_advise(
        finding,
        "The library could not do collective I/O. Possible causes: the type in memory differs from "
        "the type in the file, filters, or a dataset that is neither contiguous nor chunked (HDF5: "
        "H5Pget_mpio_no_collective_cause returns the cause).");
}

static void find_aggregation(const struct fth_level_story *story)
{
    const struct fth_level *level = story->level;
    if (!level->together || level->processes < 2 || !level->reach)
        return;
    if (2 * level->split >= level->together && level->reach == level->processes) {
        find_split(story);
        return;
    }
    uint64_t piece = level->ranges ? level->bytes / level->ranges : level->bytes / level->calls;
    uint64_t below = story->system_calls ? story->system_bytes / story->system_calls : 0;
    /* who gets more than was asked for, and all do, does it for nobody else: it is data sieving */
    bool sieves =
        level->reach == level->processes &&
        (double)story->system_bytes >
            (1 + fth_threshold_of(story->survey, FTH_THRESHOLD_AMPLIFIED)) * (double)level->bytes;
    if (fth_share(level->reach, level->processes) <=
            fth_threshold_of(story->survey, FTH_THRESHOLD_PROXIES) ||
        (!sieves && level->alike < level->calls / 2 &&
         (double)below >= fth_threshold_of(story->survey, FTH_THRESHOLD_GATHERS) * (double)piece)) {
        struct fth_finding *finding =
            add_finding(story, "collective_buffering", "Collective buffering is at work", 0);
        finding->effective = true;
        fth_finding_say(
            finding, "%s: %s of %s %s the I/O for all; %s of %s become %s of %s.",
            story->function->name, FTH_COUNT(level->reach),
            FTH_SEVERAL(level->processes, "process", "processes"),
            level->reach == 1 ? "does" : "do",
            FTH_SEVERAL(level->ranges ? level->ranges : level->calls, "piece", "pieces"),
            FTH_BYTES(piece), FTH_SEVERAL(story->system_calls, "access", "accesses"),
            FTH_BYTES(below));
        fth_finding_advise(finding, "The hints cb_nodes and cb_buffer_size set the number of these "
                                    "processes and the size of their buffers.");
        return;
    }
    int64_t severity = excess(story, story->system_bytes);
    if (level->reach < level->processes || level->alike < level->calls ||
        (double)below >= fth_threshold_of(story->survey, FTH_THRESHOLD_SMALL) ||
        !fth_finding_is_worth(story->survey, severity))
        return;
    struct fth_finding *finding = add_finding(story, "collective_ran_independently",
                                              "Collective calls did independent I/O", severity);
    fth_finding_say(
        finding,
        "Each of %s of %s became one access of the same %s: no process did I/O for others.",
        FTH_SEVERAL(level->calls, "call", "calls"), story->function->name, FTH_BYTES(below));
    fth_finding_advise(
        finding,
        "Collective buffering may be off, or have nothing to combine. Try the hints "
        "romio_cb_write=enable and romio_cb_read=enable, or (OMPIO) another fcoll component.");
}

static void find_messages(const struct fth_level_story *story)
{
    const struct fth_level *level = story->level;
    double most = fth_threshold_of(story->survey, FTH_THRESHOLD_MESSAGES);
    if ((double)level->messages < most * (double)level->time ||
        !fth_finding_is_worth(story->survey, level->messages) ||
        fth_share(level->reach, level->processes) < 1)
        return;
    struct fth_finding *finding = add_finding(
        story, "messages_inside_io", "I/O calls spend their time in messages", level->messages);
    fth_finding_say(finding, "Messages take %.0f %% of the time in %s.",
                    100 * (double)level->messages / (double)level->time, story->function->name);
    fth_finding_advise(finding,
                       "Processes may wait for one another there. See which rank is late (`fathom "
                       "path`), and compare with fewer aggregators or with independent calls.");
}

void fth_level_find(const struct fth_level_story *story)
{
    find_fan_out(story);
    find_amplification(story);
    find_read_before_write(story);
    find_small_calls(story);
    find_aggregation(story);
    find_messages(story);
}
