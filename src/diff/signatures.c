/* From calls to signatures. What comes again at a site has the function, file, flags and texts of
 * its first call, so that only its size is looked at. */
#include "diff/signatures.h"

#include "analysis/select/noise.h"
#include "base/hash.h"
#include "base/memory.h"
#include "trace/record/builtin.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

struct process {
    struct fth_diff_signatures signatures;
    bool skipped;           /* a launcher's */
    struct fth_keyed plain; /* of uint32_t: as `last`, of calls without parameters */
    uint32_t last;          /* signature of the call that came last + 1; 0: it counts for nothing */
    bool has_parameters;
    uint32_t *sites; /* by site: likewise */
    uint32_t site_limit;
    uint8_t *noise; /* by number of a file: 0: not known; 1: no; 2: yes */
    uint32_t noise_limit;
};

static void *open_process(void *context, size_t proc)
{
    const struct fth_diff_signatures *all = context;
    struct process *process = fth_new(1, sizeof *process);
    process->signatures.trace = all->trace;
    process->signatures.found.size = sizeof(struct fth_diff_signature);
    process->plain.size = sizeof(uint32_t);
    process->skipped = fth_trace_process(all->trace, proc)->launcher;
    return process;
}

/* ---- which calls count ---- */

static bool is_one_of(const char *word, const char *const *words)
{
    while (*words && strcmp(word, *words) != 0)
        words++;
    return *words;
}

/* How often these are called, or of what they are, depends on who comes first. */
static bool is_unsteady(const struct fth_call *call)
{
    static const char *const kinds[] = {"poll", "test", "probe", "wait", "list", "error", NULL};
    int64_t error = call->error_number;
    return is_one_of(call->function->kind, kinds) || error == EAGAIN || error == EINTR ||
           error == ETIMEDOUT || error == EINPROGRESS;
}

static bool is_noise(struct process *process, const struct fth_call *call)
{
    process->noise = fth_reach(process->noise, &process->noise_limit, call->file_number, 1);
    uint8_t *known = &process->noise[call->file_number];
    if (!*known)
        *known = fth_analysis_is_noise(call->file, false) ? 2 : 1;
    return *known == 2;
}

static bool counts(struct process *process, const struct fth_call *call)
{
    const char *layer = call->function->layer;
    if (process->skipped || call->depth || call->starter || is_unsteady(call))
        return false;
    if (call->file)
        return *call->file == '/' && !is_noise(process, call);
    return fth_layer_is(layer, FTH_LAYER_MESSAGES | FTH_LAYER_TOGETHER);
}

/* ---- signatures ---- */

static void put_parameter(FILE *to, const char *name, const struct fth_value *value, bool *any)
{
    bool is_number = value->type == FTH_VALUE_INTEGER;
    if (!is_number && (value->type != FTH_VALUE_TEXT || !value->text))
        return;
    fprintf(to, "%s%s=", *any ? ", " : "", name);
    if (is_number)
        fprintf(to, "%" PRId64, value->integer);
    else
        fputs(value->text, to);
    *any = true;
}

/* Texts that are read or written are contents. */
static bool is_compared(const struct fth_call *call, const struct fth_parameter *parameter)
{
    bool moves = call->reads || call->writes;
    return !strncmp(parameter->role, "flags", 5) || (!strcmp(parameter->role, "string") && !moves);
}

static bool has_parameters(const struct fth_call *call)
{
    bool any = call->error_number != 0;
    for (size_t i = 0; i < call->function->parameter_count && !any; i++)
        any = is_compared(call, &call->function->parameters[i]);
    return any;
}

static char *parameters_of(const struct fth_call *call)
{
    char *text = NULL;
    size_t length;
    bool any = false;
    FILE *to = open_memstream(&text, &length);
    if (!to)
        fth_out_of_memory();
    for (size_t i = 0; i < call->function->parameter_count; i++)
        if (is_compared(call, &call->function->parameters[i]))
            put_parameter(to, call->function->parameters[i].name, &call->arguments[i], &any);
    if (call->error_number)
        fprintf(to, "%s%s", any ? ", " : "", call->error_name ? call->error_name : "failed");
    if (fclose(to) || !text)
        fth_out_of_memory();
    return text;
}

/* Its number. `path` may be NULL. */
static uint32_t add_signature(struct fth_diff_signatures *signatures,
                              const struct fth_function *function, const char *path,
                              const char *parameters)
{
    char *key = fth_text_format("%s\n%s\n%s\n%s", function->layer, function->name, parameters,
                                path ? path : "");
    uint32_t count = fth_keyed_count(&signatures->found);
    struct fth_diff_signature *found = fth_keyed_get(&signatures->found, key, strlen(key));
    if (fth_keyed_count(&signatures->found) > count)
        *found = (struct fth_diff_signature){.function = function,
                                             .path = path ? fth_text_copy(path) : NULL,
                                             .parameters = fth_text_copy(parameters)};
    free(key);
    return (uint32_t)(found - (struct fth_diff_signature *)(void *)signatures->found.items);
}

/* Calls without flags and texts that did not fail: who makes the same ones again is not looked at
 * again. */
static uint32_t find_plain(struct process *process, const struct fth_call *call)
{
    const struct {
        const struct fth_function *function;
        uint64_t file;
    } key = {call->function, call->file_number};
    uint32_t *number = fth_keyed_get(&process->plain, &key, sizeof key);
    if (!*number)
        *number = add_signature(&process->signatures, call->function, call->file, "") + 1;
    return *number;
}

static void count(struct process *process, uint32_t number, uint64_t times, uint64_t bytes)
{
    struct fth_diff_signature *signature = fth_keyed_item(&process->signatures.found, number - 1);
    signature->calls += times;
    signature->sizes += times * fth_hash_bytes(FTH_HASH_START, &bytes, sizeof bytes);
}

/* As struct fth_frame has them. */
static uint64_t size_of(const struct fth_call *call)
{
    if (call->bytes_known)
        return call->bytes;
    return call->bytes_asked == FTH_NO_BYTES ? 0 : call->bytes_asked;
}

static bool take_call(void *state, const struct fth_call *call, struct fth_error **error)
{
    struct process *process = state;
    (void)error;
    process->last = 0;
    process->has_parameters = false;
    if (!counts(process, call))
        return true;
    process->has_parameters = has_parameters(call);
    if (process->has_parameters) {
        char *parameters = parameters_of(call);
        process->last =
            add_signature(&process->signatures, call->function, call->file, parameters) + 1;
        free(parameters);
    } else {
        process->last = find_plain(process, call);
    }
    count(process, process->last, 1, size_of(call));
    return true;
}

/* ---- calls that come again ---- */

/* Flags and texts may be others. */
static bool keep(void *state, uint32_t site)
{
    struct process *process = state;
    process->sites = fth_reach(process->sites, &process->site_limit, site, sizeof *process->sites);
    process->sites[site] = process->last;
    return !process->has_parameters;
}

static void take_again(void *state, const struct fth_calls_again *calls)
{
    struct process *process = state;
    for (uint32_t place = 0; place < calls->period && place < calls->count; place++) {
        uint32_t number = process->sites[calls->sites[place]];
        uint64_t times = (calls->count - place - 1) / calls->period + 1;
        if (number)
            count(process, number, times, calls->bytes[place]);
    }
}

static void close_process(void *context, void *state)
{
    struct process *process = state;
    struct fth_diff_signatures *all = context;
    all->found.size = sizeof(struct fth_diff_signature);
    for (uint32_t i = 0; i < fth_keyed_count(&process->signatures.found); i++) {
        const struct fth_diff_signature *from = fth_diff_signature_at(&process->signatures, i);
        uint32_t number = add_signature(all, from->function, from->path, from->parameters);
        struct fth_diff_signature *to = fth_keyed_item(&all->found, number);
        to->calls += from->calls;
        to->sizes += from->sizes;
    }
    fth_diff_signatures_free(&process->signatures);
    fth_keyed_free(&process->plain);
    free(process->sites);
    free(process->noise);
    free(process);
}

struct fth_listener fth_diff_listen_for_signatures(struct fth_diff_signatures *signatures)
{
    return (struct fth_listener){.context = signatures,
                                 .open = open_process,
                                 .call = take_call,
                                 .keep = keep,
                                 .again = take_again,
                                 .close = close_process};
}

void fth_diff_signatures_free(struct fth_diff_signatures *signatures)
{
    for (uint32_t i = 0; i < fth_keyed_count(&signatures->found); i++) {
        struct fth_diff_signature *signature = fth_keyed_item(&signatures->found, i);
        free(signature->path);
        free(signature->parameters);
    }
    fth_keyed_free(&signatures->found);
}
