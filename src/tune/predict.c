/* What choices would do, by a simulation of the recorded run: hints become methods of the
 * simulator's commands and parameters of its cluster. It only says what is tried first. */
#include "tune/tune.h"

#include "sim/results/changes.h"
#include "sim/results/parameter_sweep.h"
#include "sim/world/method.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { MOST_METHODS = 4 };

struct prediction {
    const struct fth_sim_method *methods[MOST_METHODS];
    size_t method_count;
};

static void use(struct prediction *prediction, enum fth_sim_verb verb, const char *name)
{
    const struct fth_sim_method *method = fth_sim_method(verb, name);
    if (method && prediction->method_count < MOST_METHODS)
        prediction->methods[prediction->method_count++] = method;
}

static bool is(const char *value, const char *other)
{
    return value && !strcmp(value, other);
}

/* ROMIO makes pieces by data sieving unless a hint turns that off. */
static const char *alone(const char *sieving)
{
    return is(sieving, "disable") ? "EachRange" : "DataSieving";
}

static const char *together(const char *buffering, const char *sieving)
{
    return is(buffering, "disable")  ? alone(sieving)
           : is(buffering, "enable") ? "TwoPhaseAlways"
                                     : "TwoPhase";
}

static void use_romio(struct prediction *prediction, const struct fth_tune_choice *choice)
{
    const char *ds_write = fth_tune_choice_get(choice, "romio_ds_write"),
               *ds_read = fth_tune_choice_get(choice, "romio_ds_read");
    use(prediction, FTH_SIM_FILE_WRITE, alone(ds_write));
    use(prediction, FTH_SIM_FILE_READ, alone(ds_read));
    use(prediction, FTH_SIM_FILE_WRITE_ALL,
        together(fth_tune_choice_get(choice, "romio_cb_write"), ds_write));
    use(prediction, FTH_SIM_FILE_READ_ALL,
        together(fth_tune_choice_get(choice, "romio_cb_read"), ds_read));
}

/* OMPIO hands the system lists of pieces, in one call where they are neighbours in the file only:
 * others are calls of their own. */
static void use_ompio(struct prediction *prediction, const struct fth_tune_choice *choice)
{
    bool is_individual = is(fth_tune_choice_get(choice, "fcoll"), "individual");
    use(prediction, FTH_SIM_FILE_WRITE, "EachRange");
    use(prediction, FTH_SIM_FILE_READ, "EachRange");
    use(prediction, FTH_SIM_FILE_WRITE_ALL, is_individual ? "EachRange" : "TwoPhaseAlways");
    use(prediction, FTH_SIM_FILE_READ_ALL, is_individual ? "EachRange" : "TwoPhaseAlways");
}

/* `unit`: that libraries leave out, and the simulator wants. */
static int add_axis(struct fth_sim_sweep *sweep, const char *key, const char *value,
                    const char *unit, struct fth_error **error)
{
    char text[96];
    if (!value)
        return 0;
    snprintf(text, sizeof text, "%s=%s%s", key, value, unit);
    return fth_sim_sweep_add(sweep, text, error);
}

static int add_axes(struct fth_sim_sweep *sweep, const struct fth_tune_choice *choice,
                    struct fth_error **error)
{
    const char *nodes = fth_tune_choice_get(choice, "cb_nodes"),
               *buffer = fth_tune_choice_get(choice, "cb_buffer_size"),
               *stripe = fth_tune_choice_get(choice, "striping_unit");
    if (!nodes)
        nodes = fth_tune_choice_get(choice, "io_ompio_num_aggregators");
    if (!buffer)
        buffer = fth_tune_choice_get(choice, "io_ompio_bytes_per_agg");
    if (add_axis(sweep, "cb_nodes", nodes, "", error) ||
        add_axis(sweep, "cb_buffer_size", buffer, " B", error))
        return -1;
    return add_axis(sweep, "stripe", stripe, " B", error);
}

static bool is_about_accesses(const struct fth_tune_choice *choice)
{
    return choice->settings[0].parameter->library == FTH_TUNE_ROMIO ||
           choice->settings[0].parameter->library == FTH_TUNE_OMPIO;
}

static int predict(struct fth_tune_choice *choice, const struct fth_tune_run *run,
                   struct fth_sim_sweep *sweep, struct fth_error **error)
{
    struct prediction prediction = {0};
    struct fth_sim_outcome outcome = {0};
    const char *io = fth_tune_choice_get(choice, "io");
    if (run->library == FTH_TUNE_OMPIO && (!io || is(io, "ompio")))
        use_ompio(&prediction, choice);
    else
        use_romio(&prediction, choice);
    sweep->methods = prediction.methods;
    sweep->method_count = prediction.method_count;
    int result = add_axes(sweep, choice, error);
    if (!result)
        result = fth_sim_sweep_one(sweep, &outcome, error);
    if (!result)
        choice->simulated = outcome.end;
    fth_sim_outcome_free(&outcome);
    fth_sim_sweep_free(sweep);
    return result;
}

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static void keep_first(struct fth_error **error, struct fth_error *why)
{
    if (error && !*error)
        *error = why;
    else
        fth_error_free(why);
}

static void predict_one(struct fth_tune_choice *choice, const struct fth_tune_run *run,
                        const struct fth_tune_simulation *simulation, struct fth_error **error)
{
    const struct fth_sim_replay_options replay = {.level = FTH_SIM_REPLAY_MPIIO};
    struct fth_sim_sweep sweep = {.program_path = simulation->trace_path,
                                  .cluster_path = simulation->cluster_path,
                                  .replay = &replay,
                                  .most_events = simulation->most_events};
    struct fth_error *why = NULL;
    char cores[16];
    snprintf(cores, sizeof cores, "%u", simulation->cores);
    if ((simulation->cores && add_axis(&sweep, "cores", cores, "", &why)) ||
        predict(choice, run, &sweep, &why))
        keep_first(error, why);
}

static bool is_first_of_mode(const struct fth_tune_choices *choices, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (choices->list[i].mode == choices->list[index].mode)
            return false;
    return true;
}

int fth_tune_predict(struct fth_tune_choices *choices, const struct fth_tune_run *run,
                     const struct fth_tune_simulation *simulation, struct fth_error **error)
{
    int64_t end = now() + simulation->most_time;
    size_t left = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < choices->count; i++) {
            if (!is_about_accesses(&choices->list[i]) ||
                is_first_of_mode(choices, i) != (pass == 0))
                continue;
            if (pass == 0 || now() < end)
                predict_one(&choices->list[i], run, simulation, error);
            else
                left++;
        }
    if (left && error && !*error)
        return fth_fail(error, "%zu of %zu combinations: it would take too long", left,
                        choices->count);
    return error && *error ? -1 : 0;
}
