/* Clusters and programs of <fathom/sim.h>: how they are made, read and given back. */
#include "sim/library/sim_objects.h"

#include "base/memory.h"
#include "sim/program/program_text.h"
#include "sim/replay/replay.h"

#include <string.h>

enum { MOST_RANKS = 1 << 24, MOST_SETTINGS = 1000 };

static char *copy_of(const char *text, size_t length)
{
    return memcpy(fth_new(length + 1, 1), text, length);
}

/* ---- clusters ---- */

/* Of the settings "KEY=VALUE", which stand in `texts` with a zero behind each key. */
static int split_settings(const char *const *texts, struct fth_sim_setting *settings, size_t count,
                          struct fth_error **error)
{
    for (size_t i = 0; i < count; i++) {
        const char *equals = strchr(texts[i], '=');
        if (!equals || equals == texts[i])
            return fth_fail(error, "setting '%s' is not like servers.count=4", texts[i]);
        settings[i] =
            (struct fth_sim_setting){.key = copy_of(texts[i], (size_t)(equals - texts[i])),
                                     .value = equals + 1,
                                     .place = texts[i]};
    }
    return 0;
}

static struct fth_cluster *read_cluster(const char *path, const char *text,
                                        const char *const *texts, struct fth_error **error)
{
    size_t count = 0;
    while (texts && texts[count] && count < MOST_SETTINGS)
        count++;
    struct fth_sim_setting *settings = fth_new(count, sizeof *settings);
    struct fth_cluster *cluster = fth_new(1, sizeof *cluster);
    int result = split_settings(texts, settings, count, error);
    if (!result && path)
        result = fth_sim_cluster_read_with(&cluster->cluster, path, settings, count, error);
    else if (!result)
        result = fth_sim_cluster_parse_with(&cluster->cluster, text, settings, count, error);
    for (size_t i = 0; i < count; i++)
        free((void *)(uintptr_t)settings[i].key);
    free(settings);
    if (!result)
        return cluster;
    free(cluster);
    return NULL;
}

struct fth_cluster *fth_cluster_open(const char *path, const char *const *settings,
                                     struct fth_error **error)
{
    jmp_buf escape;
    if (fth_sim_guard(&escape, setjmp(escape), error))
        return NULL;
    struct fth_cluster *cluster = read_cluster(path, NULL, settings, error);
    fth_sim_unguard();
    return cluster;
}

struct fth_cluster *fth_cluster_parse(const char *text, const char *const *settings,
                                      struct fth_error **error)
{
    jmp_buf escape;
    if (fth_sim_guard(&escape, setjmp(escape), error))
        return NULL;
    struct fth_cluster *cluster = read_cluster(NULL, text, settings, error);
    fth_sim_unguard();
    return cluster;
}

void fth_cluster_free(struct fth_cluster *cluster)
{
    if (cluster)
        fth_sim_cluster_free(&cluster->cluster);
    free(cluster);
}

/* ---- programs ---- */

static struct fth_program *wrap(enum fth_program_source source, struct fth_sim_program *program)
{
    if (!program)
        return NULL;
    struct fth_program *wrapped = fth_new(1, sizeof *wrapped);
    *wrapped = (struct fth_program){.source = source, .ranks = program->ranks, .program = program};
    return wrapped;
}

/* Only looked at: a simulation reads the trace for itself. */
static struct fth_program *open_trace(const char *path, uint32_t ranks, struct fth_error **error)
{
    if (ranks) {
        fth_fail(error, "'%s': a trace has as many processes as were recorded", path);
        return NULL;
    }
    struct fth_sim_program *replay =
        fth_sim_replay_open(path, &(struct fth_sim_replay_options){0}, error);
    if (!replay)
        return NULL;
    struct fth_program *program = fth_new(1, sizeof *program);
    *program = (struct fth_program){
        .source = FTH_PROGRAM_TRACE, .ranks = replay->ranks, .path = copy_of(path, strlen(path))};
    fth_sim_replay_free(replay);
    return program;
}

static struct fth_program *open_text(const char *path, uint32_t ranks, struct fth_error **error)
{
    struct fth_program *program = wrap(FTH_PROGRAM_TEXT, fth_sim_program_read(path, ranks, error));
    if (program)
        program->path = copy_of(path, strlen(path));
    return program;
}

static int check_ranks(uint32_t ranks, uint32_t least, struct fth_error **error)
{
    return ranks < least || ranks > MOST_RANKS
               ? fth_fail(error, "a program has 1 to %d processes, not %u", MOST_RANKS, ranks)
               : 0;
}

struct fth_program *fth_program_new(uint32_t ranks, struct fth_error **error)
{
    jmp_buf escape;
    if (check_ranks(ranks, 1, error) || fth_sim_guard(&escape, setjmp(escape), error))
        return NULL;
    struct fth_program *program = wrap(FTH_PROGRAM_BUILT, fth_sim_built_new(ranks));
    fth_sim_unguard();
    return program;
}

struct fth_program *fth_program_open(const char *path, uint32_t ranks, struct fth_error **error)
{
    jmp_buf escape;
    if (check_ranks(ranks, 0, error) || fth_sim_guard(&escape, setjmp(escape), error))
        return NULL;
    struct fth_program *program =
        fth_sim_is_trace(path) ? open_trace(path, ranks, error) : open_text(path, ranks, error);
    fth_sim_unguard();
    return program;
}

struct fth_program *fth_program_parse(const char *text, uint32_t ranks, struct fth_error **error)
{
    jmp_buf escape;
    if (check_ranks(ranks, 0, error) || fth_sim_guard(&escape, setjmp(escape), error))
        return NULL;
    struct fth_program *program = wrap(FTH_PROGRAM_TEXT, fth_sim_program_parse(text, ranks, error));
    fth_sim_unguard();
    return program;
}

void fth_program_free(struct fth_program *program)
{
    if (!program)
        return;
    if (program->source == FTH_PROGRAM_BUILT)
        fth_sim_built_free(program->program);
    else
        fth_sim_program_free(program->program);
    free(program->path);
    free(program);
}

uint32_t fth_program_ranks(const struct fth_program *program)
{
    return program->ranks;
}

/* ---- adding to one ---- */

static int check_is_built(const struct fth_program *program, struct fth_error **error)
{
    return program->source == FTH_PROGRAM_BUILT
               ? 0
               : fth_fail(error, "nothing can be added to a program that was read");
}

int64_t fth_program_file(struct fth_program *program, const struct fth_program_file *file,
                         struct fth_error **error)
{
    jmp_buf escape;
    if (check_is_built(program, error) || fth_sim_guard(&escape, setjmp(escape), error))
        return -1;
    int64_t number = fth_sim_built_file(program->program, file, error);
    fth_sim_unguard();
    return number;
}

int64_t fth_program_split(struct fth_program *program, const uint32_t *colors, const uint32_t *keys,
                          struct fth_error **error)
{
    jmp_buf escape;
    if (check_is_built(program, error) || fth_sim_guard(&escape, setjmp(escape), error))
        return -1;
    int64_t number = fth_sim_built_split(program->program, colors, keys);
    fth_sim_unguard();
    return number;
}

int fth_program_add(struct fth_program *program, uint32_t rank, const struct fth_command *command,
                    struct fth_error **error)
{
    jmp_buf escape;
    if (check_is_built(program, error) || fth_sim_guard(&escape, setjmp(escape), error))
        return -1;
    int result = fth_sim_built_add(program->program, rank, command, error);
    fth_sim_unguard();
    return result;
}
