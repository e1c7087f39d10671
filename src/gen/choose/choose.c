/* The optimiser. Its rules, for the bytes of all processes in one access:
 *  1. one process, or one long run each: independent, as there is nothing to exchange;
 *  2. runs that interleave and together leave little out: collective, in two phases;
 *  3. runs that do not interleave: collective calls, and MPI-IO finds out that it need not
 *     exchange; holes of one process are bridged by data sieving;
 *  4. not known: collective calls, which are right for every pattern.
 * (Thakur, Gropp, Lusk: Data Sieving and Collective I/O in ROMIO, 1999.) */
#include "gen/choose/choose.h"
#include "gen/choose/chunks.h"

#include "base/growing_text.h"
#include "base/memory.h"
#include "base/phrase.h"

#include <stdio.h>

/* A run of at least this is moved at the speed of the disk, by whoever asks for it. */
#define LONG_RUN ((uint64_t)1 << 20)
/* The buffer of an aggregator in ROMIO, if nobody says otherwise. */
#define USUAL_BUFFER ((uint64_t)16 << 20)
#define MOST_BUFFER ((uint64_t)256 << 20)
/* Two phases pay if what they move is at least this part of what lies between (in percent). */
enum { LEAST_DENSITY = 50 };

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static uint64_t density(const struct fth_gen_pattern *pattern)
{
    return pattern->span ? (uint64_t)((double)pattern->bytes * 100 / (double)pattern->span) : 0;
}

/* ---- the rules ---- */

/* Does the library have the slowest dimension grow in collective calls only? */
static bool must_be_collective(const struct fth_gen_model *model,
                               const struct fth_gen_access *access)
{
    const struct fth_gen_variable *variable = &model->variables[access->variable];
    uint32_t slowest = fth_gen_dimension_at(model, variable, 0);
    return access->writes && model->dimensions[slowest].unlimited &&
           model->files[access->file].library == FTH_GEN_NETCDF;
}

static char *choose_unknown(struct fth_gen_choice *choice, const struct fth_gen_pattern *pattern)
{
    choice->collective = true;
    return fth_text_format("Collective: which part each process has is not known, because of %s; "
                           "a collective call is right for every pattern.",
                           pattern->unknown);
}

static char *choose_single(const struct fth_gen_pattern *pattern)
{
    return fth_text_format("Independent: only one of %lld process%s has anything (%s).",
                           (long long)pattern->processes, pattern->processes == 1 ? "" : "es",
                           fth_phrase_bytes(pattern->bytes).text);
}

static char *choose_long_runs(const struct fth_gen_pattern *pattern)
{
    return fth_text_format("Independent: each of %lld processes has one run of at least %s, and "
                           "none lies between those of another.",
                           (long long)pattern->accessing,
                           fth_phrase_bytes(pattern->run_bytes).text);
}

static char *choose_two_phases(struct fth_gen_model *model, struct fth_gen_choice *choice,
                               const struct fth_gen_pattern *pattern)
{
    choice->collective = choice->two_phase = true;
    uint64_t share = model->nodes ? pattern->bytes / (uint64_t)model->nodes : 0;
    if (share > USUAL_BUFFER) {
        uint64_t wanted = (share + LONG_RUN - 1) / LONG_RUN * LONG_RUN;
        choice->buffer_bytes = wanted > MOST_BUFFER ? MOST_BUFFER : wanted;
    }
    return fth_text_format("Collective, in two phases: %llu run%s of %s of each process interleave "
                           "with those of others; together they %s %s.",
                           (unsigned long long)pattern->runs, plural(pattern->runs),
                           fth_phrase_bytes(pattern->run_bytes).text,
                           pattern->fills ? "fill" : "are most of",
                           fth_phrase_bytes(pattern->span).text);
}

static char *choose_apart(struct fth_gen_choice *choice, const struct fth_gen_pattern *pattern)
{
    choice->collective = true;
    choice->sieving = !pattern->interleaved && (pattern->runs > 1 || !pattern->memory_contiguous);
    if (pattern->interleaved)
        return fth_text_format(
            "Collective, phases left to MPI-IO: %llu run%s of %s of each process "
            "interleave, but are only %llu %% of %s.",
            (unsigned long long)pattern->runs, plural(pattern->runs),
            fth_phrase_bytes(pattern->run_bytes).text, (unsigned long long)density(pattern),
            fth_phrase_bytes(pattern->span).text);
    return fth_text_format("Collective, phases left to MPI-IO: %llu run%s of %s of each process, "
                           "%scontiguous in memory, not between those of others.",
                           (unsigned long long)pattern->runs, plural(pattern->runs),
                           fth_phrase_bytes(pattern->run_bytes).text,
                           pattern->memory_contiguous ? "" : "not ");
}

static char *choose_by_pattern(struct fth_gen_model *model, struct fth_gen_choice *choice,
                               const struct fth_gen_pattern *pattern)
{
    if (!pattern->known)
        return choose_unknown(choice, pattern);
    if (pattern->accessing <= 1)
        return choose_single(pattern);
    if (pattern->runs == 1 && !pattern->interleaved && pattern->memory_contiguous &&
        pattern->run_bytes >= LONG_RUN)
        return choose_long_runs(pattern);
    if (pattern->interleaved && (pattern->fills || density(pattern) >= LEAST_DENSITY))
        return choose_two_phases(model, choice, pattern);
    return choose_apart(choice, pattern);
}

/* POSIX has no calls of several processes together. */
static char *choose_posix(struct fth_gen_choice *choice, const struct fth_gen_pattern *pattern)
{
    *choice = (struct fth_gen_choice){0};
    if (!pattern->known)
        return fth_text_format("Independent, as POSIX has no collective calls: a call for each "
                               "contiguous run; how many is not known, because of %s.",
                               pattern->unknown);
    return fth_text_format("Independent, as POSIX has no collective calls: %llu call%s of %s for "
                           "each process%s.",
                           (unsigned long long)pattern->runs, plural(pattern->runs),
                           fth_phrase_bytes(pattern->run_bytes).text,
                           pattern->interleaved && pattern->run_bytes < LONG_RUN
                               ? "; MPI-IO would merge runs that interleave"
                               : "");
}

/* ---- what was weighed ---- */

static void weigh(struct fth_gen_choice *choice, const struct fth_gen_pattern *pattern)
{
    struct fth_growing_text text;
    fth_growing_text_open(&text);
    if (!pattern->known) {
        fprintf(text.file, "nothing was weighed: %s is not known\n", pattern->unknown);
    } else {
        uint64_t rounds = (pattern->span + USUAL_BUFFER - 1) / USUAL_BUFFER;
        fprintf(text.file, "independent: %llu request%s of %s or more by each of %lld processes\n",
                (unsigned long long)pattern->runs, plural(pattern->runs),
                fth_phrase_bytes(pattern->run_bytes).text, (long long)pattern->accessing);
        fprintf(text.file,
                "data sieving: each process moves all from its first to its last byte%s\n",
                pattern->interleaved ? ", which others write to as well: it needs locks" : "");
        fprintf(text.file,
                "two phases: %s pass through aggregators, then %llu request%s of up to %s\n",
                fth_phrase_bytes(pattern->bytes).text, (unsigned long long)rounds, plural(rounds),
                fth_phrase_bytes(pattern->span < USUAL_BUFFER ? pattern->span : USUAL_BUFFER).text);
    }
    fth_growing_text_end(&text);
    choice->weighed = text.text;
}

/* What is faster by less than this is not faster: percent. */
enum { LEAST_GAIN = 5 };

/* By a simulation: the choice of the rules stays, unless another way is faster. */
static int choose_simulated(struct fth_gen_model *model, const struct fth_gen_clusters *clusters,
                            const struct fth_gen_access *access,
                            const struct fth_gen_pattern *pattern, struct fth_gen_choice *choice,
                            struct fth_error **error)
{
    int64_t ends[FTH_GEN_WAYS];
    if (!pattern->known || pattern->accessing <= 1)
        return 0;
    int done = fth_gen_simulate_access(clusters, model, access, pattern->processes, ends, error);
    if (done <= 0)
        return done;
    /* To sieve writes among those of others takes locks, which are not simulated. */
    bool sieves = !access->writes || !pattern->interleaved;
    int64_t alone = sieves && ends[FTH_GEN_DATA_SIEVING] < ends[FTH_GEN_EACH_RANGE]
                        ? ends[FTH_GEN_DATA_SIEVING]
                        : ends[FTH_GEN_EACH_RANGE];
    int64_t together = ends[FTH_GEN_TWO_PHASES];
    if (choice->two_phase ? alone < together - together / 100 * LEAST_GAIN
                          : choice->collective && alone <= together)
        choice->collective = choice->two_phase = false;
    else if (together < alone - alone / 100 * LEAST_GAIN)
        choice->collective = choice->two_phase = true;
    char *reason = fth_text_format(
        "%s On '%s', simulated: %s run by run, %s with data sieving%s, %s in two phases.",
        choice->collective ? choice->two_phase ? "Collective, in two phases." : choice->reason
                           : "Independent.",
        clusters->path, fth_phrase_duration(ends[FTH_GEN_EACH_RANGE]).text,
        fth_phrase_duration(ends[FTH_GEN_DATA_SIEVING]).text, sieves ? "" : " without its locks",
        fth_phrase_duration(ends[FTH_GEN_TWO_PHASES]).text);
    free(choice->reason);
    choice->reason = reason;
    return 0;
}

static int choose_access(struct fth_gen_model *model, const struct fth_gen_clusters *clusters,
                         struct fth_gen_access *access, struct fth_error **error)
{
    struct fth_gen_pattern pattern;
    struct fth_gen_choice *choice = &access->choice;
    if (fth_gen_pattern_find(model, access, &pattern, error)) {
        fth_gen_pattern_free(&pattern);
        return -1;
    }
    if (model->files[access->file].library == FTH_GEN_POSIX)
        choice->reason = choose_posix(choice, &pattern);
    else
        choice->reason = choose_by_pattern(model, choice, &pattern);
    if (clusters->path && model->files[access->file].library != FTH_GEN_POSIX &&
        choose_simulated(model, clusters, access, &pattern, choice, error)) {
        fth_gen_pattern_free(&pattern);
        return -1;
    }
    if (pattern.known && pattern.processes < model->processes) {
        char *reason = fth_text_format("%s This is of the first %s ranks.", choice->reason,
                                       fth_phrase_count(pattern.processes).text);
        free(choice->reason);
        choice->reason = reason;
    }
    if (must_be_collective(model, access) && !choice->collective) {
        free(choice->reason);
        choice->collective = true;
        choice->reason = fth_text_copy("Collective: NetCDF-4 lets an unlimited dimension grow in "
                                       "collective calls only.");
    }
    weigh(choice, &pattern);
    struct fth_gen_file *file = &model->files[access->file];
    file->has_large |= pattern.known && pattern.run_bytes >= LONG_RUN;
    fth_gen_pattern_free(&pattern);
    return 0;
}

/* PnetCDF makes one exchange of several nonblocking calls. */
static void choose_nonblocking(struct fth_gen_model *model, const struct fth_gen_set *set)
{
    /* A section of an array of Fortran may be a copy that ends with the call. */
    bool all = set->count > 1 && model->language != FTH_GEN_FORTRAN;
    uint32_t end = set->first + set->count;
    for (uint32_t i = set->first; i < end; i++)
        all &= model->accesses[i].choice.collective &&
               model->files[model->accesses[i].file].library == FTH_GEN_PNETCDF;
    for (uint32_t i = set->first; i < end && all; i++)
        model->accesses[i].choice.nonblocking = true;
}

/* A file has one set of hints for MPI-IO: two phases are asked for only if all its collective
 * accesses want them, as they make others slower. */
static void choose_for_files(struct fth_gen_model *model)
{
    for (uint32_t i = 0; i < model->file_count; i++)
        model->files[i].two_phase = true;
    for (uint32_t i = 0; i < model->access_count; i++) {
        const struct fth_gen_choice *choice = &model->accesses[i].choice;
        struct fth_gen_file *file = &model->files[model->accesses[i].file];
        if (!choice->collective)
            continue;
        file->has_collective = true;
        file->two_phase &= choice->two_phase;
        file->sieving |= choice->sieving;
        if (choice->buffer_bytes > file->buffer_bytes)
            file->buffer_bytes = choice->buffer_bytes;
    }
    for (uint32_t i = 0; i < model->file_count; i++)
        model->files[i].two_phase &= model->files[i].has_collective;
}

int fth_gen_choose(struct fth_gen_model *model, const struct fth_gen_clusters *clusters,
                   struct fth_error **error)
{
    for (uint32_t i = 0; i < model->set_count; i++) {
        const struct fth_gen_set *set = &model->sets[i];
        enum fth_hint_kind kind = set->hints->kind;
        if (kind != FTH_HINTS_WRITE && kind != FTH_HINTS_READ)
            continue;
        for (uint32_t j = set->first; j < set->first + set->count; j++)
            if (choose_access(model, clusters, &model->accesses[j], error))
                return -1;
        if (kind == FTH_HINTS_WRITE && fth_gen_overlap_check(model, set, error))
            return -1;
        choose_nonblocking(model, set);
    }
    fth_gen_chunks_choose(model);
    choose_for_files(model);
    return 0;
}
