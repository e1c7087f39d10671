/* From calls to signatures. What comes again at a site has the function, file, flags and texts of
 * its first call, so that only its size is looked at. */
#include "diff/signatures.h"

#include "analysis/select/noise.h"
#include "base/hash.h"
#include "base/indexed.h"
#include "base/memory.h"
#include "trace/record/builtin.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

/* What calls of a signature have in common but for their file. */
struct way {
    const struct fth_function *function;
    char *parameters;
    bool is_text; /* what it writes is as long as a text is */
};

struct key {
    uint32_t file, way; /* numbers; file 0: none */
};
enum { FEW_WAYS = 8, FEW_CALLS = 3 /* on most files: open, read, close */ };
static const uint32_t of_others = (uint32_t)1 << 31; /* in the number of a sum */
struct sum {
    uint64_t calls, sizes;
    uint32_t came; /* as that of so many */
    bool is_text;  /* its sizes are those of what it says, such as a time: no part of it */
};

struct file {
    char *path; /* NULL: there was no call on it */
    bool is_noise;
};

struct process {
    bool skipped;                  /* a launcher's */
    struct fth_bytes given;        /* of the call that came last: what makes its way */
    struct fth_intern known;       /* what was given before */
    struct fth_intern_trail trail; /* of these */
    struct way *ways;              /* by numbers of `known` */
    struct file *files;            /* by number */
    uint32_t file_limit;
    /* of struct sum: by file and up to FEW_WAYS ways of it, as there may be many files; of all
     * others by struct key */
    struct fth_indexed of_files;
    struct fth_keyed others;
    uint32_t last; /* number of the sum of the call that came last + 1; 0: it counts for nothing */
    bool has_parameters, is_text;
    uint32_t *sites; /* by site: as `last` */
    uint32_t site_limit;
};

static void *open_process(void *context, size_t proc)
{
    const struct fth_diff_signatures *all = context;
    struct process *process = fth_new(1, sizeof *process);
    process->of_files.size = process->others.size = sizeof(struct sum);
    process->of_files.expected = FEW_CALLS * fth_indexed_bytes(&process->of_files);
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
    process->files =
        fth_reach(process->files, &process->file_limit, call->file_number, sizeof *process->files);
    struct file *file = &process->files[call->file_number];
    if (!file->path) {
        file->path = fth_text_copy(call->file);
        file->is_noise = fth_analysis_is_noise(call->file, false);
    }
    return file->is_noise;
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

/* "": it did not fail. */
static const char *error_of(const struct fth_call *call)
{
    return !call->error_number ? "" : call->error_name ? call->error_name : "failed";
}

/* Texts that are read or written are contents. */
static bool is_compared(const struct fth_call *call, const struct fth_parameter *parameter)
{
    bool moves = call->reads || call->writes;
    return !strncmp(parameter->role, "flags", 5) || (!strcmp(parameter->role, "string") && !moves);
}

static void put_given(struct process *process, const struct fth_call *call)
{
    struct fth_bytes *given = &process->given;
    given->length = 0;
    process->has_parameters = call->error_number != 0;
    fth_bytes_put(given, &call->function, sizeof call->function);
    for (size_t i = 0; i < call->function->parameter_count; i++) {
        const struct fth_value *value = &call->arguments[i];
        if (!is_compared(call, &call->function->parameters[i]))
            continue;
        process->has_parameters = true;
        fth_bytes_varint(given, value->type);
        if (value->type == FTH_VALUE_INTEGER)
            fth_bytes_signed(given, value->integer);
        else if (value->type == FTH_VALUE_TEXT && value->text)
            fth_bytes_text(given, value->text, strlen(value->text) + 1);
        else
            fth_bytes_text(given, "", 0);
    }
    fth_bytes_put(given, error_of(call), strlen(error_of(call)));
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
        fprintf(to, "%s%s", any ? ", " : "", error_of(call));
    if (fclose(to) || !text)
        fth_out_of_memory();
    return text;
}

/* A formatted text, or one that ends where it ends: nothing says how many bytes it has. */
static bool writes_text(const struct fth_call *call)
{
    if (!call->writes || !fth_layer_is(call->function->layer, FTH_LAYER_STREAMS))
        return false;
    for (size_t i = 0; i < call->function->parameter_count; i++)
        if (!strcmp(call->function->parameters[i].role, "bytes") ||
            !strcmp(call->function->parameters[i].role, "items"))
            return false;
    return true;
}

/* Its number among the ways. */
static uint32_t way_of(struct process *process, const struct fth_call *call)
{
    uint32_t count = process->known.count;
    put_given(process, call);
    uint32_t way = fth_intern_next(&process->known, &process->trail, process->given.data,
                                   process->given.length);
    if (way == count) {
        FTH_GROW(process->ways, count);
        process->ways[way] = (struct way){call->function, parameters_of(call), writes_text(call)};
    }
    process->is_text = process->ways[way].is_text;
    return way;
}

/* The number of its sum. */
static uint32_t sum_of(struct process *process, const struct fth_call *call)
{
    const struct key key = {call->file_number, way_of(process, call)};
    uint32_t place = fth_indexed_place_among(&process->of_files, key.file, key.way, FEW_WAYS);
    if (place != UINT32_MAX)
        return place;
    const struct sum *sum = fth_keyed_get(&process->others, &key, sizeof key);
    return (uint32_t)(sum - (const struct sum *)(const void *)process->others.items) | of_others;
}

static void count(struct process *process, uint32_t number, uint64_t times, uint64_t bytes)
{
    struct sum *sum = number & of_others ? fth_keyed_item(&process->others, number & ~of_others)
                                         : fth_indexed_item(&process->of_files, number);
    if (!sum->calls) {
        sum->came = process->of_files.count + fth_keyed_count(&process->others);
        sum->is_text = process->is_text;
    }
    sum->calls += times;
    if (!sum->is_text)
        sum->sizes += times * fth_hash_bytes(FTH_HASH_START, &bytes, sizeof bytes);
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
    process->last = sum_of(process, call) + 1;
    count(process, process->last - 1, 1, size_of(call));
    return true;
}

static void expect_call(void *state, const struct fth_call *call)
{
    const struct process *process = state;
    if (call->file_number < process->file_limit)
        __builtin_prefetch(&process->files[call->file_number]);
    fth_indexed_expect(&process->of_files, call->file_number);
}

/* ---- calls that come again ---- */

/* Flags and texts may be others, but in rounds that are the same in all but times. */
static enum fth_keeping keep(void *state, uint32_t site)
{
    struct process *process = state;
    process->sites = fth_reach(process->sites, &process->site_limit, site, sizeof *process->sites);
    process->sites[site] = process->last;
    return process->has_parameters ? FTH_KEEP_IN_ROUNDS : FTH_KEEP;
}

static void take_again(void *state, const struct fth_calls_again *calls)
{
    struct process *process = state;
    for (uint32_t place = 0; place < calls->period && place < calls->count; place++) {
        uint32_t number = process->sites[calls->sites[place]];
        uint64_t times = (calls->count - place - 1) / calls->period + 1;
        if (number)
            count(process, number - 1, times, calls->bytes[place]);
    }
}

static void add_sum(struct fth_diff_signatures *all, const struct process *process,
                    const struct key *key, const struct sum *sum)
{
    const struct way *way = &process->ways[key->way];
    const char *path = key->file ? process->files[key->file].path : NULL;
    char *text = fth_text_format("%s\n%s\n%s\n%s", way->function->layer, way->function->name,
                                 way->parameters, path ? path : "");
    uint32_t count = fth_keyed_count(&all->found);
    struct fth_diff_signature *found = fth_keyed_get(&all->found, text, strlen(text));
    if (fth_keyed_count(&all->found) > count)
        *found = (struct fth_diff_signature){.function = way->function,
                                             .path = path ? fth_text_copy(path) : NULL,
                                             .parameters = fth_text_copy(way->parameters)};
    found->calls += sum->calls;
    found->sizes += sum->sizes;
    free(text);
}

/* In the order in which they came. */
static void add_sums(struct fth_diff_signatures *all, const struct process *process)
{
    const struct fth_indexed *of_files = &process->of_files;
    const struct fth_keyed *others = &process->others;
    for (uint32_t i = 0, k = 0; i < of_files->count || k < fth_keyed_count(others);) {
        const struct sum *one = i < of_files->count ? fth_indexed_item(of_files, i) : NULL,
                         *other = k < fth_keyed_count(others) ? fth_keyed_item(others, k) : NULL;
        struct key key;
        if (one && (!other || one->came < other->came)) {
            const struct fth_indexed_entry *entry = fth_indexed_at(of_files, i++);
            key = (struct key){entry->number, (uint32_t)entry->sort};
            add_sum(all, process, &key, one);
        } else {
            memcpy(&key, fth_keyed_key(others, k++), sizeof key);
            add_sum(all, process, &key, other);
        }
    }
}

static void close_process(void *context, void *state)
{
    struct process *process = state;
    struct fth_diff_signatures *all = context;
    all->found.size = sizeof(struct fth_diff_signature);
    add_sums(all, process);
    for (uint32_t i = 0; i < process->known.count; i++)
        free(process->ways[i].parameters);
    for (uint32_t i = 0; i < process->file_limit; i++)
        free(process->files[i].path);
    fth_indexed_free(&process->of_files);
    fth_keyed_free(&process->others);
    fth_intern_free(&process->known);
    fth_intern_trail_free(&process->trail);
    fth_bytes_free(&process->given);
    free(process->ways);
    free(process->files);
    free(process->sites);
    free(process);
}

struct fth_listener fth_diff_listen_for_signatures(struct fth_diff_signatures *signatures)
{
    return (struct fth_listener){.context = signatures,
                                 .open = open_process,
                                 .call = take_call,
                                 .keep = keep,
                                 .again = take_again,
                                 .close = close_process,
                                 .expect = expect_call};
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
