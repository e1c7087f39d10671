/* Goes through all calls once. A thread has at most one numbered call that is not over: calls of
 * the layer inside of it are part of it. */
#include "analysis/query/numbered.h"
#include "base/saturating.h"

#include "analysis/survey/call_walk.h"
#include "base/intern.h"
#include "base/memory.h"
#include "trace/record/builtin.h"

#include <string.h>

/* Tags of open calls: is it in a numbered call, and is it one of its subcalls? */
enum { NUMBERED = 1, SUBCALL = 2, MESSAGES = 4, SENDS = 8, WAITS = 16 };

/* A numbered call that is not over. */
struct running {
    bool is_open;
    /* the outermost call of the thread is in the lines of the segment: it is where the program
     * calls */
    bool in_lines;
    uint32_t depth, subcall_limit, sent_limit;
    struct fth_numbered_call call;
};

struct pass {
    const struct fth_numbering *numbering;
    struct fth_around *around;
    size_t proc;
    uint64_t next;
    uint32_t thread_limit;
    struct running *threads;
    /* files of subcalls, each kept once per process */
    struct fth_intern paths;
    size_t path_count;
    char **path_texts;
};

const char *fth_numbered_layer(const struct fth_trace *trace,
                               const struct fth_call_classes *classes)
{
    const char *system = NULL;
    size_t lowest = SIZE_MAX;
    for (size_t i = 0; i < fth_trace_function_count(trace); i++) {
        const struct fth_function *function = fth_trace_function(trace, i);
        const struct fth_call_class *class = fth_call_class_of(classes, function);
        if (class->data && class->system)
            system = function->layer;
    }
    for (size_t i = 0; i < fth_trace_function_count(trace); i++) {
        const struct fth_function *function = fth_trace_function(trace, i);
        const struct fth_call_class *class = fth_call_class_of(classes, function);
        bool library = class->data && !class->system &&
                       !fth_layer_is(function->layer, FTH_LAYER_STREAMS) &&
                       (!system || strcmp(function->layer, system) != 0);
        if (library && class->layer < lowest)
            lowest = class->layer;
    }
    return lowest == SIZE_MAX ? system : classes->layers[lowest];
}

static void hand_on(struct pass *pass, struct running *running)
{
    if (running->is_open)
        pass->numbering->take(pass->numbering->context, &running->call);
    running->is_open = false;
}

static void end_process(struct pass *pass)
{
    for (uint32_t i = 0; i < pass->thread_limit; i++) {
        hand_on(pass, &pass->threads[i]);
        free(pass->threads[i].call.layers);
        free(pass->threads[i].call.subcalls);
        free(pass->threads[i].call.sent);
    }
    free(pass->threads);
    for (size_t i = 0; i < pass->path_count; i++)
        free(pass->path_texts[i]);
    free(pass->path_texts);
    fth_intern_free(&pass->paths);
    pass->threads = NULL;
    pass->path_texts = NULL;
    pass->thread_limit = 0;
    pass->path_count = 0;
    pass->next = 0;
}

static const char *keep_path(struct pass *pass, const char *path)
{
    if (!path)
        return NULL;
    size_t length = strlen(path);
    uint32_t number = fth_intern(&pass->paths, path, length);
    if (number == pass->path_count) {
        FTH_GROW(pass->path_texts, pass->path_count);
        pass->path_texts[pass->path_count] = fth_new(1, length + 1);
        memcpy(pass->path_texts[pass->path_count++], path, length);
    }
    return pass->path_texts[number];
}

/* "io.c:12 put" is in line 12 of io.c, also if it says src/io.c. */
static bool is_in_lines(const char *source, const struct fth_segment *segment)
{
    size_t length = strlen(segment->name);
    const char *at = source ? strstr(source, segment->name) : NULL;
    if (!at || (at > source && at[-1] != '/') || at[length] != ':')
        return false;
    long long line = strtoll(at + length + 1, NULL, 10);
    return line >= segment->first && line <= segment->last;
}

static bool is_in_segment(const struct fth_segment *segment, const struct running *running,
                          const struct fth_open_call *open, size_t count)
{
    if (!segment)
        return true;
    if (segment->last)
        return running->in_lines;
    for (size_t i = 0; i < count; i++)
        if (open[i].region && strcmp(open[i].region, segment->name) == 0)
            return true;
    return false;
}

/* The number of a request; 0: the call has none. */
static int64_t identity_of(const struct fth_call *call, int8_t parameter)
{
    return parameter >= 0 && call->arguments[parameter].type == FTH_VALUE_INTEGER
               ? call->arguments[parameter].integer
               : 0;
}

static bool is_numbered(const struct fth_numbering *numbering, const struct fth_call *call,
                        const struct fth_call_class *class)
{
    return numbering->served ? identity_of(call, class->serves) != 0
                             : class->data && strcmp(call->function->layer, numbering->layer) == 0;
}

static void begin(struct pass *pass, struct running *running, const struct fth_call *call,
                  const struct fth_call_class *class, bool selected)
{
    struct fth_numbered_call *made = &running->call;
    size_t layers = pass->numbering->classes->layer_count;
    if (!made->layers)
        made->layers = fth_new(layers, sizeof *made->layers);
    memset(made->layers, 0, layers * sizeof *made->layers);
    *made = (struct fth_numbered_call){.proc = call->proc,
                                       .id = pass->next++,
                                       .function = call->function,
                                       .start = call->start,
                                       .end = call->end,
                                       .collective = call->collective,
                                       .selected = selected,
                                       .layer = class->layer,
                                       .layers = made->layers,
                                       .subcalls = made->subcalls,
                                       .sent = made->sent,
                                       .identity = identity_of(call, class->serves),
                                       .bytes = call->bytes_known ? call->bytes : 0};
    running->depth = call->depth;
    running->is_open = true;
}

static void add_subcall(struct pass *pass, struct running *running, const struct fth_call *call)
{
    struct fth_numbered_call *to = &running->call;
    to->subcalls =
        fth_reach(to->subcalls, &running->subcall_limit, to->subcall_count, sizeof *to->subcalls);
    to->subcalls[to->subcall_count++] =
        (struct fth_subcall){.start = call->start,
                             .end = call->end,
                             .bytes = call->bytes_known ? call->bytes : 0,
                             .function = call->function,
                             .file = keep_path(pass, call->file),
                             .server_process = -1};
}

static void add_sent(struct running *running, const struct fth_call *call,
                     const struct fth_call_class *class)
{
    struct fth_numbered_call *to = &running->call;
    to->sent = fth_reach(to->sent, &running->sent_limit, to->sent_count, sizeof *to->sent);
    to->sent[to->sent_count++] = (struct fth_sent_request){
        .identity = identity_of(call, class->sends), .layer = class->layer};
}

/* The system's calls inside of one that sends a request: there it waits for the answer. */
static void add_wait(struct running *running, const struct fth_call *call,
                     const struct fth_call_class *class)
{
    struct fth_sent_request *sent = &running->call.sent[running->call.sent_count - 1];
    sent->system_layer = class->layer;
    FTH_ADD_SATURATING(sent->in_system, call->end - call->start);
}

/* The times of the layers. open[from] is the numbered call itself, open[count - 1] this one. */
static void add_times(struct pass *pass, struct running *running, const struct fth_call *call,
                      const struct fth_call_class *class, const struct fth_open_call *open,
                      size_t from, size_t count)
{
    const struct fth_call_classes *classes = pass->numbering->classes;
    struct fth_layer_time *layer = &running->call.layers[class->layer];
    int64_t time = call->end - call->start;
    bool again = false;
    for (size_t i = from; i + 1 < count; i++)
        again = again || fth_call_class_of(classes, open[i].function)->layer == class->layer;
    layer->calls++;
    FTH_ADD_SATURATING(layer->exclusive, time);
    FTH_ADD_SATURATING(layer->inclusive, again ? 0 : time);
    if (count - 1 > from) {
        const struct fth_call_class *around = fth_call_class_of(classes, open[count - 2].function);
        FTH_ADD_SATURATING(running->call.layers[around->layer].exclusive, -time);
    }
}

static void add(struct pass *pass, const struct fth_call *call, bool selected)
{
    const struct fth_numbering *numbering = pass->numbering;
    const struct fth_call_class *class = fth_call_class_of(numbering->classes, call->function);
    if (call->proc != pass->proc)
        end_process(pass);
    pass->proc = call->proc;
    pass->threads =
        fth_reach(pass->threads, &pass->thread_limit, call->thread, sizeof *pass->threads);
    struct running *running = &pass->threads[call->thread];
    if (running->is_open && call->depth <= running->depth)
        hand_on(pass, running);
    if (call->depth == 0 && numbering->segment && numbering->segment->last)
        running->in_lines = is_in_lines(call->source, numbering->segment);
    size_t count, from = 0;
    struct fth_open_call *open = fth_analysis_around_open(pass->around, &count);
    if (!running->is_open) {
        if (!is_numbered(numbering, call, class))
            return;
        begin(pass, running, call, class,
              selected && is_in_segment(numbering->segment, running, open, count));
        open[count - 1].tag = NUMBERED;
    }
    while (from + 1 < count && !(open[from].tag & NUMBERED))
        from++;
    uint64_t tags = 0;
    for (size_t i = from; i + 1 < count; i++)
        tags |= open[i].tag;
    add_times(pass, running, call, class, open, from, count);
    if (class->data && class->system && !(tags & SUBCALL)) {
        add_subcall(pass, running, call);
        open[count - 1].tag |= SUBCALL;
    }
    if (identity_of(call, class->sends) && !(tags & SENDS)) {
        add_sent(running, call, class);
        open[count - 1].tag |= SENDS;
    }
    if (tags & SENDS && !(tags & WAITS) && fth_layer_is(call->function->layer, FTH_LAYER_SYSTEM)) {
        add_wait(running, call, class);
        open[count - 1].tag |= WAITS;
    }
    if (class->messages && !(tags & MESSAGES)) {
        FTH_ADD_SATURATING(running->call.messages, call->end - call->start);
        open[count - 1].tag |= MESSAGES;
    }
}

int fth_analysis_number(const struct fth_numbering *numbering, struct fth_error **error)
{
    struct fth_run_walk *walk = fth_analysis_walk_open(
        numbering->trace, numbering->selection, FTH_WALK_BY_PROCESS, numbering->progress, error);
    if (!walk)
        return -1;
    struct pass pass = {.numbering = numbering, .around = fth_analysis_around_new()};
    const struct fth_call *call;
    int more;
    fth_analysis_walk_all(walk);
    while ((more = fth_analysis_walk_next(walk, &call, error)) > 0) {
        fth_analysis_around_enter(pass.around, call);
        add(&pass, call, fth_analysis_walk_selects(walk));
    }
    end_process(&pass);
    fth_analysis_around_free(pass.around);
    fth_analysis_walk_close(walk);
    return more;
}
