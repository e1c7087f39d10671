/* Trace files: see the header. */
#ifdef FATHOM_EXPAT
#include "import/hdtrace/traced_file.h"

#include "base/memory.h"
#include "import/hdtrace/traced_call.h"

#include <inttypes.h>
#include <string.h>

/* ---- the program ---- */

static char *copy(const char **attributes, const char *name)
{
    const char *text = fth_project_attribute(attributes, name);
    return text ? fth_text_copy(text) : NULL;
}

/* A time of the process; -1: not known. */
static int64_t time_in(const char **attributes, const char *name, int64_t adjustment)
{
    const char *text = fth_project_attribute(attributes, name);
    int64_t time;
    return text && fth_project_time(text, &time) && time >= 0 && !(time >> 58) ? adjustment + time
                                                                               : -1;
}

/* -1: the file is refused. */
static int read_program(struct fth_project_xml *xml, const char *name, const char **attributes,
                        struct fth_traced_program *program)
{
    const char *adjustment = fth_project_attribute(attributes, "timeAdjustment"),
               *pid = fth_project_attribute(attributes, "pid"),
               *tid = fth_project_attribute(attributes, "tid");
    *program = (struct fth_traced_program){.pid = -1, .tid = -1, .start = -1, .end = -1};
    if (strcmp(name, "Program") != 0)
        fth_project_refuse(xml, "'%.40s' where 'Program' is expected", name);
    else if (!adjustment || !fth_project_time(adjustment, &program->adjustment) ||
             program->adjustment < 0)
        fth_project_refuse(xml, "'Program' without a timeAdjustment that is a time");
    if (pid &&
        (!fth_project_integer(pid, &program->pid) || program->pid < 1 || program->pid > INT32_MAX))
        program->pid = -1;
    if (tid &&
        (!fth_project_integer(tid, &program->tid) || program->tid < 1 || program->tid > INT32_MAX))
        program->tid = -1;
    if (xml->has_failed)
        return -1;
    program->start = time_in(attributes, "start", program->adjustment);
    program->end = time_in(attributes, "end", program->adjustment);
    program->executable = copy(attributes, "executable");
    program->directory = copy(attributes, "directory");
    program->mpi = copy(attributes, "mpi");
    program->mpi_abi = copy(attributes, "mpiAbi");
    return 0;
}

void fth_traced_program_free(struct fth_traced_program *program)
{
    free(program->executable);
    free(program->directory);
    free(program->mpi);
    free(program->mpi_abi);
}

static void begin_first(struct fth_project_xml *xml, const char *name, const char **attributes)
{
    if (read_program(xml, name, attributes, xml->data) == 0)
        fth_project_stop(xml);
}

int fth_traced_file_begins(const char *path, struct fth_traced_program *program,
                           struct fth_error **error)
{
    struct fth_project_xml xml = {
        .path = path, .data = program, .begin = begin_first, .error = error};
    *program = (struct fth_traced_program){.pid = -1, .tid = -1, .start = -1, .end = -1};
    return fth_project_parse(&xml);
}

/* ---- both readings ---- */

enum element { PROGRAM, NESTED, STATE, BODY };

struct owners { /* functions of states with nested ones, in the order in which these begin */
    uint32_t *list;
    uint32_t count, limit;
};

struct level {       /* of states inside one another */
    uint32_t owner;  /* first reading: of the elements that are open */
    bool is_pending; /* what is nested has ended, and its state has not begun */
    uint32_t pending;
};

struct file {
    struct owners owners;
    struct level levels[FTH_STATE_DEPTH + 2];
    uint32_t depth; /* 0: in the program */
    uint32_t open;  /* elements inside a state, with it */
    /* second reading */
    struct fth_traced_reading *reading;
    int64_t adjustment;
    uint32_t next; /* of the owners */
    struct fth_traced_state state;
    struct fth_bytes text; /* of the element of the body */
};

static bool is_nested(const char *name)
{
    return strcmp(name, "Nested") == 0;
}

/* Is it the program, or refused? */
static bool is_first(struct fth_project_xml *xml, const char *name, const char **attributes)
{
    struct fth_traced_program program;
    if (xml->depth > 1)
        return false;
    if (read_program(xml, name, attributes, &program) == 0)
        ((struct file *)xml->data)->adjustment = program.adjustment;
    fth_traced_program_free(&program);
    return true;
}

static bool begins_too_deep(struct fth_project_xml *xml, const struct file *file)
{
    if (file->depth < FTH_STATE_DEPTH)
        return false;
    fth_project_refuse(xml, "more than %d states inside one another", FTH_STATE_DEPTH);
    return true;
}

static bool has_second(struct fth_project_xml *xml, const struct level *level)
{
    if (level->is_pending)
        fth_project_refuse(xml, "'Nested' without a state behind it");
    return level->is_pending;
}

/* ---- the first reading ---- */

static void note_begin(struct fth_project_xml *xml, const char *name, const char **attributes)
{
    struct file *file = xml->data;
    struct owners *owners = &file->owners;
    struct level *level = &file->levels[file->depth];
    if (is_first(xml, name, attributes) || (file->open && file->open++))
        return;
    if (!is_nested(name)) {
        if (level->is_pending)
            owners->list[level->pending] = fth_traced_function(name);
        level->is_pending = false;
        file->open = 1;
        return;
    }
    if (begins_too_deep(xml, file) || has_second(xml, level))
        return;
    owners->list = fth_reach(owners->list, &owners->limit, owners->count, sizeof *owners->list);
    level->owner = owners->count;
    owners->list[owners->count++] = UINT32_MAX;
    file->levels[++file->depth] = (struct level){0};
}

static void note_end(struct fth_project_xml *xml, const char *name)
{
    struct file *file = xml->data;
    (void)name;
    if (file->open) {
        file->open--;
        return;
    }
    if (has_second(xml, &file->levels[file->depth]) || !file->depth)
        return;
    struct level *outer = &file->levels[--file->depth];
    outer->is_pending = true;
    outer->pending = outer->owner;
}

/* ---- the second reading ---- */

/* Times are those of the file, later than its beginning. */
static bool read_time(struct fth_project_xml *xml, const char *name, int64_t *time)
{
    struct file *file = xml->data;
    const char *text = fth_traced_attribute(&file->state, name);
    if (!text || !fth_project_time(text, time) || *time < 0 || *time >> 58) {
        fth_project_refuse(xml, "'%.40s' with the %s '%.40s', which is no time of the run",
                           file->state.name, name, text ? text : "");
        return false;
    }
    *time += file->adjustment;
    if ((*time - file->reading->run->start) >> 58)
        fth_project_refuse(xml, "a time that is years behind the beginning of the run");
    return true;
}

static void begin_state(struct fth_project_xml *xml, const char *name, const char **attributes)
{
    struct file *file = xml->data;
    struct fth_traced_state *state = &file->state;
    bool is_event = strcmp(name, "Event") == 0;
    free(state->name);
    state->name = fth_text_copy(name);
    state->function = is_event ? UINT32_MAX : fth_traced_function(name);
    fth_traced_state_clear(state);
    for (; *attributes; attributes += 2)
        fth_traced_state_add(state, false, attributes[0], attributes[1], strlen(attributes[1]));
    if (!read_time(xml, "time", &state->begin) ||
        !read_time(xml, is_event ? "time" : "end", &state->end))
        return;
    if (state->end < state->begin)
        fth_project_refuse(xml, "'%.40s' ends before it begins", name);
}

static void begin(struct fth_project_xml *xml, const char *name, const char **attributes)
{
    struct file *file = xml->data;
    struct fth_traced_reading *reading = file->reading;
    if (is_first(xml, name, attributes))
        return;
    if (file->open) {
        if (file->open++ == 1)
            file->text.length = 0;
    } else if (!is_nested(name)) {
        file->open = 1;
        begin_state(xml, name, attributes);
    } else if (file->next == file->owners.count || begins_too_deep(xml, file)) {
        fth_project_refuse(xml, "it changes while it is read");
    } else {
        reading->outer[reading->depth++] = file->owners.list[file->next++];
        reading->holds = false;
        file->depth++;
    }
}

static void end(struct fth_project_xml *xml, const char *name)
{
    struct file *file = xml->data;
    struct fth_traced_reading *reading = file->reading;
    if (file->open > 1) {
        if (--file->open == 1)
            fth_traced_state_add(&file->state, true, name, (const char *)file->text.data,
                                 file->text.length);
    } else if (file->open) {
        file->open = 0;
        fth_traced_call_put(reading, xml, &file->state);
        reading->holds = false;
    } else if (file->depth) {
        file->depth--;
        reading->depth--;
        reading->holds = true;
    }
    if (reading->run->folder.failed)
        fth_project_stop(xml);
}

enum { LONGEST_BODY = 1 << 24 };

static void take_text(struct fth_project_xml *xml, const char *text, int length)
{
    struct file *file = xml->data;
    if (file->open < 2)
        return;
    fth_bytes_put(&file->text, text, (size_t)length);
    if (file->text.length + file->state.texts.length > LONGEST_BODY)
        fth_project_refuse(xml, "a state with more than %d bytes", LONGEST_BODY);
}

/* ---- a file ---- */

static void free_file(struct file *file)
{
    free(file->owners.list);
    fth_traced_state_free(&file->state);
    fth_bytes_free(&file->text);
    free(file);
}

int fth_traced_file_read(const char *path, struct fth_traced_reading *reading,
                         struct fth_error **error)
{
    struct file *file = fth_new(1, sizeof *file);
    struct fth_project_xml xml = {
        .path = path, .data = file, .begin = note_begin, .end = note_end, .error = error};
    file->reading = reading;
    int result = fth_project_parse(&xml);
    xml = (struct fth_project_xml){
        .path = path, .data = file, .begin = begin, .end = end, .text = take_text, .error = error};
    file->depth = file->open = 0;
    reading->depth = 0;
    reading->holds = false;
    if (!result)
        result = fth_project_parse(&xml);
    free_file(file);
    return result;
}
#endif
