/* {"fathom_workflow_profile": 3, "processors": 2, "incomplete": false, "not_known": [...],
 *  "steps": [{...}], "files": ["/a", ...], "processes": [[parent, one_thread, started, gone]],
 *  "uses": [[step, file, first_read, last_read, read, read_from, read_to, first_write, ...]],
 *  "changes": [["renamed", step, file, other, time]], "holds": [[holder, reader, file]]}
 * Times are ns since 1970; null: never, or not known. Uses are the many: they have no keys. */
#include "workflow/gather/step_profile.h"

#include "base/json.h"
#include "base/memory.h"

#include <jansson.h>
#include <string.h>

static const char key[] = "fathom_workflow_profile";
static const char *const change_words[] = {[FTH_CHANGE_RENAME] = "renamed",
                                           [FTH_CHANGE_LINK] = "linked",
                                           [FTH_CHANGE_DELETE] = "deleted",
                                           [FTH_CHANGE_POINT] = "pointed"};
enum { CHANGE_KINDS = sizeof change_words / sizeof *change_words };

/* ---- writing ---- */

static void put_number(struct fth_json *json, uint32_t number)
{
    if (number == FTH_NO_STEP)
        fth_json_null(json);
    else
        fth_json_unsigned(json, number);
}

static void put_step(struct fth_json *json, const struct fth_workflow_step *step)
{
    fth_json_begin_object(json);
    fth_json_key_text(json, "program", step->program);
    fth_json_key_text(json, "command", step->command);
    fth_json_key_text(json, "directory", step->directory);
    fth_json_key_text(json, "host", step->host);
    fth_json_key_text(json, "job", step->job);
    fth_json_key_text(json, "ended", step->ended);
    fth_json_key_text(json, "trace", step->trace);
    fth_json_key_unsigned(json, "proc", step->proc);
    fth_json_key(json, "script");
    put_number(json, step->script);
    fth_json_key_boolean(json, "is_script", step->is_script);
    fth_json_key_integer(json, "start", step->start);
    fth_json_key_integer(json, "end", step->end);
    fth_json_key_unsigned(json, "processes", step->processes);
    fth_json_key_unsigned(json, "ranks", step->ranks);
    fth_json_key_unsigned(json, "calls", step->calls);
    fth_json_key_integer(json, "io", step->io);
    fth_json_key_integer(json, "messages", step->messages);
    fth_json_key_integer(json, "waiting", step->waiting);
    fth_json_key_integer(json, "other", step->other);
    fth_json_key_integer(json, "own", step->own);
    fth_json_key_integer(json, "unknown", step->unknown);
    fth_json_end_object(json);
}

static void put_time(struct fth_json *json, int64_t time)
{
    if (time == FTH_NEVER)
        fth_json_null(json);
    else
        fth_json_integer(json, time);
}

/* Where bytes lie; a last byte that is not known is null. */
static void put_range(struct fth_json *json, uint64_t from, uint64_t to)
{
    fth_json_unsigned(json, from);
    if (to == UINT64_MAX)
        fth_json_null(json);
    else
        fth_json_unsigned(json, to);
}

static void put_use(struct fth_json *json, const struct fth_workflow_use *use)
{
    fth_json_begin_array(json);
    fth_json_unsigned(json, use->step);
    fth_json_unsigned(json, use->file);
    put_time(json, use->first_read);
    put_time(json, use->last_read);
    fth_json_unsigned(json, use->read);
    put_range(json, use->read_from, use->read_to);
    put_time(json, use->first_write);
    put_time(json, use->last_write);
    fth_json_unsigned(json, use->written);
    put_range(json, use->written_from, use->written_to);
    fth_json_boolean(json, use->fresh);
    fth_json_boolean(json, use->runs);
    put_number(json, use->process);
    put_time(json, use->opened);
    put_time(json, use->closed);
    fth_json_integer(json, use->reading);
    fth_json_integer(json, use->writing);
    fth_json_end_array(json);
}

static void put_process(struct fth_json *json, const struct fth_workflow_process *process)
{
    fth_json_begin_array(json);
    put_number(json, process->parent);
    fth_json_boolean(json, process->one_thread);
    put_time(json, process->started);
    put_time(json, process->gone);
    fth_json_end_array(json);
}

static void put_hold(struct fth_json *json, const struct fth_workflow_hold *hold)
{
    fth_json_begin_array(json);
    fth_json_unsigned(json, hold->holder);
    fth_json_unsigned(json, hold->reader);
    fth_json_unsigned(json, hold->file);
    fth_json_end_array(json);
}

static void put_change(struct fth_json *json, const struct fth_workflow_change *change)
{
    fth_json_begin_array(json);
    fth_json_text(json, change_words[change->kind]);
    fth_json_unsigned(json, change->step);
    fth_json_unsigned(json, change->file);
    fth_json_unsigned(json, change->other);
    fth_json_integer(json, change->time);
    fth_json_end_array(json);
}

void fth_workflow_write_profile(const struct fth_workflow *workflow, struct fth_sink *sink)
{
    struct fth_json json;
    fth_json_open(&json, sink, 2);
    fth_json_begin_object(&json);
    fth_json_key_unsigned(&json, key, FTH_PROFILE_VERSION);
    fth_json_key_unsigned(&json, "processors", workflow->processors);
    fth_json_key_boolean(&json, "incomplete", workflow->incomplete);
    fth_json_key(&json, "not_known");
    fth_json_begin_array(&json);
    for (uint32_t i = 0; i < workflow->note_count; i++)
        fth_json_text(&json, workflow->notes[i]);
    fth_json_end_array(&json);
    fth_json_key(&json, "steps");
    fth_json_begin_array(&json);
    for (uint32_t i = 0; i < workflow->step_count; i++)
        put_step(&json, &workflow->steps[i]);
    fth_json_end_array(&json);
    fth_json_key(&json, "files");
    fth_json_begin_array(&json);
    for (uint32_t i = 0; i < workflow->files.count; i++)
        fth_json_text(&json, fth_workflow_file(workflow, i));
    fth_json_end_array(&json);
    fth_json_key(&json, "processes");
    fth_json_begin_array(&json);
    for (uint32_t i = 0; i < workflow->process_count; i++)
        put_process(&json, &workflow->processes[i]);
    fth_json_end_array(&json);
    fth_json_key(&json, "uses");
    fth_json_begin_array(&json);
    for (uint32_t i = 0; i < workflow->use_count; i++)
        put_use(&json, &workflow->uses[i]);
    fth_json_end_array(&json);
    fth_json_key(&json, "changes");
    fth_json_begin_array(&json);
    for (uint32_t i = 0; i < workflow->change_count; i++)
        put_change(&json, &workflow->changes[i]);
    fth_json_end_array(&json);
    fth_json_key(&json, "holds");
    fth_json_begin_array(&json);
    for (uint32_t i = 0; i < workflow->hold_count; i++)
        put_hold(&json, &workflow->holds[i]);
    fth_json_end_array(&json);
    fth_json_end_object(&json);
    fth_json_end_document(&json);
}

bool fth_workflow_is_profile(const char *text, size_t length)
{
    return memmem(text, length < 64 ? length : 64, key, sizeof key - 1) != NULL;
}

/* ---- reading ---- */

/* Sums of times and differences of two of them stay in range. */
static const int64_t latest = INT64_MAX / 4;

struct reading {
    struct fth_workflow *workflow;
    uint32_t first_step; /* of this profile */
    uint32_t step_count, file_count, first_process, process_count;
    bool has_processes; /* version 1 has none */
    bool has_waits;     /* versions 1 and 2 have none */
    uint32_t *files;    /* of the profile: numbers in the workflow */
    const char *wrong;  /* what is not as it should be; NULL: nothing yet */
};

static void complain(struct reading *reading, const char *what)
{
    if (!reading->wrong)
        reading->wrong = what;
}

static uint64_t integer(struct reading *reading, const json_t *value, uint64_t most,
                        const char *what)
{
    json_int_t number = json_integer_value(value);
    if (json_is_integer(value) && number >= 0 && (uint64_t)number <= most)
        return (uint64_t)number;
    complain(reading, what);
    return 0;
}

static int64_t time_or_never(struct reading *reading, const json_t *value)
{
    return json_is_null(value) ? FTH_NEVER
                               : (int64_t)integer(reading, value, (uint64_t)latest, "a time");
}

static uint64_t end_of_range(struct reading *reading, const json_t *value)
{
    return json_is_null(value) ? UINT64_MAX
                               : integer(reading, value, INT64_MAX, "the end of a range");
}

static char *text_of(struct reading *reading, const json_t *step, const char *name)
{
    const char *text = json_string_value(json_object_get(step, name));
    if (!text)
        complain(reading, name);
    return fth_text_copy(text ? text : "");
}

static uint64_t number_of(struct reading *reading, const json_t *step, const char *name,
                          uint64_t most)
{
    return integer(reading, json_object_get(step, name), most, name);
}

static void read_step(struct reading *reading, const json_t *from)
{
    const char *job = json_string_value(json_object_get(from, "job"));
    const json_t *script = json_object_get(from, "script");
    struct fth_workflow_step *step = fth_workflow_add_step(reading->workflow);
    step->program = text_of(reading, from, "program");
    step->command = text_of(reading, from, "command");
    step->directory = text_of(reading, from, "directory");
    step->host = text_of(reading, from, "host");
    step->ended = text_of(reading, from, "ended");
    step->trace = text_of(reading, from, "trace");
    step->job = job ? fth_text_copy(job) : NULL;
    step->proc = (uint32_t)number_of(reading, from, "proc", UINT32_MAX);
    step->is_script = json_is_true(json_object_get(from, "is_script"));
    step->start = (int64_t)number_of(reading, from, "start", (uint64_t)latest);
    step->end = (int64_t)number_of(reading, from, "end", (uint64_t)latest);
    step->processes = number_of(reading, from, "processes", INT64_MAX);
    step->ranks = number_of(reading, from, "ranks", INT64_MAX);
    step->calls = number_of(reading, from, "calls", INT64_MAX);
    step->io = (int64_t)number_of(reading, from, "io", (uint64_t)latest);
    step->messages = (int64_t)number_of(reading, from, "messages", (uint64_t)latest);
    step->waiting = (int64_t)number_of(reading, from, "waiting", (uint64_t)latest);
    step->other = (int64_t)number_of(reading, from, "other", (uint64_t)latest);
    step->own = (int64_t)number_of(reading, from, "own", (uint64_t)latest);
    if (reading->has_processes || json_object_get(from, "unknown"))
        step->unknown = (int64_t)number_of(reading, from, "unknown", (uint64_t)latest);
    if (step->end < step->start)
        complain(reading, "the end of a step is before its start");
    if (reading->step_count && !json_is_null(script))
        step->script = reading->first_step +
                       (uint32_t)integer(reading, script, reading->step_count - 1, "script");
}

/* One of the profile's own, by its number, or null. */
static uint32_t process_or_none(struct reading *reading, const json_t *value, uint32_t count)
{
    if (json_is_null(value))
        return FTH_NO_STEP;
    if (!count) {
        complain(reading, "a process");
        return FTH_NO_STEP;
    }
    return reading->first_process + (uint32_t)integer(reading, value, count - 1, "a process");
}

/* A parent comes before its children. */
static void read_process(struct reading *reading, const json_t *from)
{
    uint32_t number = reading->workflow->process_count - reading->first_process;
    if (json_array_size(from) != 4) {
        complain(reading, "a process");
        return;
    }
    fth_workflow_add_process(
        reading->workflow, &(struct fth_workflow_process){
                               .parent = process_or_none(reading, json_array_get(from, 0), number),
                               .one_thread = json_is_true(json_array_get(from, 1)),
                               .started = time_or_never(reading, json_array_get(from, 2)),
                               .gone = time_or_never(reading, json_array_get(from, 3)),
                           });
}

static void read_use(struct reading *reading, const json_t *from)
{
    size_t length = reading->has_waits ? 19 : reading->has_processes ? 17 : 14;
    if (json_array_size(from) != length || !reading->step_count || !reading->file_count) {
        complain(reading, "a use of a file");
        return;
    }
    struct fth_workflow_use use = {
        .step = reading->first_step + (uint32_t)integer(reading, json_array_get(from, 0),
                                                        reading->step_count - 1, "a step"),
        .file = reading->files[integer(reading, json_array_get(from, 1), reading->file_count - 1,
                                       "a file")],
        .first_read = time_or_never(reading, json_array_get(from, 2)),
        .last_read = time_or_never(reading, json_array_get(from, 3)),
        .read = integer(reading, json_array_get(from, 4), INT64_MAX, "bytes"),
        .read_from = integer(reading, json_array_get(from, 5), INT64_MAX, "a range"),
        .read_to = end_of_range(reading, json_array_get(from, 6)),
        .first_write = time_or_never(reading, json_array_get(from, 7)),
        .last_write = time_or_never(reading, json_array_get(from, 8)),
        .written = integer(reading, json_array_get(from, 9), INT64_MAX, "bytes"),
        .written_from = integer(reading, json_array_get(from, 10), INT64_MAX, "a range"),
        .written_to = end_of_range(reading, json_array_get(from, 11)),
        .fresh = json_is_true(json_array_get(from, 12)),
        .runs = json_is_true(json_array_get(from, 13)),
        .process = FTH_NO_STEP,
        .opened = FTH_NEVER,
        .closed = FTH_NEVER,
    };
    if (reading->has_processes) {
        use.process = process_or_none(reading, json_array_get(from, 14), reading->process_count);
        use.opened = time_or_never(reading, json_array_get(from, 15));
        use.closed = time_or_never(reading, json_array_get(from, 16));
    }
    if (reading->has_waits) {
        use.reading = (int64_t)integer(reading, json_array_get(from, 17), (uint64_t)latest, "time");
        use.writing = (int64_t)integer(reading, json_array_get(from, 18), (uint64_t)latest, "time");
    }
    if (use.last_read < use.first_read || use.last_write < use.first_write)
        complain(reading, "a last access is before the first one");
    if (!reading->wrong)
        fth_workflow_add_use(reading->workflow, &use);
}

static void read_change(struct reading *reading, const json_t *from)
{
    const char *word = json_string_value(json_array_get(from, 0));
    int kind = 0;
    while (word && kind < CHANGE_KINDS && strcmp(word, change_words[kind]) != 0)
        kind++;
    if (!word || kind == CHANGE_KINDS || !reading->step_count || !reading->file_count) {
        complain(reading, "a change of a name");
        return;
    }
    uint64_t files[2];
    for (size_t i = 0; i < 2; i++)
        files[i] = integer(reading, json_array_get(from, 2 + i), UINT32_MAX, "a file");
    bool has_other = fth_workflow_has_other((enum fth_workflow_change_kind)kind);
    if (files[0] >= reading->file_count || (has_other && files[1] >= reading->file_count)) {
        complain(reading, "a file");
        return;
    }
    const struct fth_workflow_change change = {
        .kind = (enum fth_workflow_change_kind)kind,
        .step = reading->first_step + (uint32_t)integer(reading, json_array_get(from, 1),
                                                        reading->step_count - 1, "a step"),
        .file = reading->files[files[0]],
        .other = has_other ? reading->files[files[1]] : 0,
        .time = (int64_t)integer(reading, json_array_get(from, 4), (uint64_t)latest, "a time"),
    };
    fth_workflow_add_change(reading->workflow, &change);
}

/* Profiles of before have none. */
static void read_hold(struct reading *reading, const json_t *from)
{
    if (json_array_size(from) != 3 || !reading->step_count || !reading->file_count) {
        complain(reading, "who holds a pipe");
        return;
    }
    uint32_t steps[2];
    for (size_t i = 0; i < 2; i++)
        steps[i] = reading->first_step + (uint32_t)integer(reading, json_array_get(from, i),
                                                           reading->step_count - 1, "a step");
    uint64_t file = integer(reading, json_array_get(from, 2), reading->file_count - 1, "a file");
    fth_workflow_add_hold(reading->workflow,
                          (struct fth_workflow_hold){steps[0], steps[1], reading->files[file]});
}

static void read_files(struct reading *reading, const json_t *files)
{
    reading->files = fth_new(json_array_size(files) + 1, sizeof *reading->files);
    for (size_t i = 0; i < json_array_size(files); i++) {
        const char *name = json_string_value(json_array_get(files, i));
        if (!name)
            complain(reading, "the name of a file");
        else
            reading->files[i] = fth_workflow_file_number(reading->workflow, name);
    }
    reading->file_count = (uint32_t)json_array_size(files);
}

static void read_all(struct reading *reading, const json_t *root)
{
    const json_t *value;
    size_t i;
    uint64_t processors = number_of(reading, root, "processors", UINT32_MAX);
    const json_t *steps = json_object_get(root, "steps");
    if (processors > reading->workflow->processors)
        reading->workflow->processors = (uint32_t)processors;
    reading->workflow->incomplete |= json_is_true(json_object_get(root, "incomplete"));
    json_array_foreach(json_object_get(root, "not_known"), i, value) if (json_is_string(value))
        fth_workflow_note(reading->workflow, "%s", json_string_value(value));
    reading->first_step = reading->workflow->step_count;
    reading->step_count = (uint32_t)json_array_size(steps);
    json_array_foreach(steps, i, value) read_step(reading, value);
    read_files(reading, json_object_get(root, "files"));
    reading->first_process = reading->workflow->process_count;
    json_array_foreach(json_object_get(root, "processes"), i, value) read_process(reading, value);
    reading->process_count = reading->workflow->process_count - reading->first_process;
    json_array_foreach(json_object_get(root, "uses"), i, value) read_use(reading, value);
    json_array_foreach(json_object_get(root, "changes"), i, value) read_change(reading, value);
    json_array_foreach(json_object_get(root, "holds"), i, value) read_hold(reading, value);
}

int fth_workflow_add_profile(struct fth_workflow *workflow, const char *path,
                             struct fth_error **error)
{
    json_error_t where;
    json_t *root = json_load_file(path, 0, &where);
    if (!root)
        return fth_fail(error, "cannot read the profile '%s': line %d: %s", path, where.line,
                        where.text);
    json_int_t version = json_integer_value(json_object_get(root, key));
    const struct fth_workflow before = *workflow;
    struct reading reading = {
        .workflow = workflow, .has_processes = version > 1, .has_waits = version > 2};
    bool known = version >= 1 && version <= FTH_PROFILE_VERSION;
    if (known)
        read_all(&reading, root);
    free(reading.files);
    json_decref(root);
    if (!known || reading.wrong)
        fth_workflow_cut(workflow, &before);
    if (!known)
        return fth_fail(error,
                        "'%s' is no profile of a workflow that this version can read (its version "
                        "is %lld, 1 to %d are expected)",
                        path, (long long)version, FTH_PROFILE_VERSION);
    if (reading.wrong)
        return fth_fail(error, "the profile '%s' is damaged: %s is not as expected", path,
                        reading.wrong);
    return 0;
}
