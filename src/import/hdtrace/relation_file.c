/* Relation files: see the header. Entries are in the order of time, so a stream whose activity has
 * been destroyed takes the next activity. */
#ifdef FATHOM_EXPAT
#include "import/hdtrace/relation_file.h"

#include "base/memory.h"
#include "import/hdtrace/traced_call.h"

#include <string.h>

enum { MOST_ACTIVITIES = 4096 }; /* that are there at a time */

struct activity {
    struct fth_imported_stream *stream;
    int64_t token;
    bool is_there;
    uint32_t depth;
    bool holds;
    struct pushed {
        char *name;
        int64_t begin;
    } * states;
    uint32_t limit;
};

struct relations {
    struct fth_traced_reading *reading;
    int64_t adjustment, tid, last;
    struct activity *activities;
    uint32_t count, limit;
};

/* ---- the header ---- */

static int read_header(struct fth_project_xml *xml, const char *name, const char **attributes,
                       struct fth_traced_program *program)
{
    const char *adjustment = fth_project_attribute(attributes, "timeAdjustment"),
               *token = fth_project_attribute(attributes, "localToken");
    *program = (struct fth_traced_program){.pid = -1, .tid = -1, .start = -1, .end = -1};
    if (strcmp(name, "relation") != 0)
        fth_project_refuse(xml, "'%.40s' where 'relation' is expected", name);
    else if (!adjustment || !fth_project_time(adjustment, &program->adjustment) ||
             program->adjustment < 0)
        fth_project_refuse(xml, "'relation' without a timeAdjustment that is a time");
    if (token && (!fth_project_integer(token, &program->pid) || program->pid < 1 ||
                  program->pid > INT32_MAX))
        program->pid = -1;
    return xml->has_failed ? -1 : 0;
}

static void begin_first(struct fth_project_xml *xml, const char *name, const char **attributes)
{
    if (read_header(xml, name, attributes, xml->data) == 0)
        fth_project_stop(xml);
}

int fth_relation_file_begins(const char *path, struct fth_traced_program *program,
                             struct fth_error **error)
{
    struct fth_project_xml xml = {
        .path = path, .data = program, .begin = begin_first, .error = error};
    *program = (struct fth_traced_program){.pid = -1, .tid = -1, .start = -1, .end = -1};
    return fth_project_parse(&xml);
}

/* ---- activities ---- */

static struct activity *find(struct relations *relations, int64_t token)
{
    for (uint32_t i = 0; i < relations->count; i++)
        if (relations->activities[i].is_there && relations->activities[i].token == token)
            return &relations->activities[i];
    return NULL;
}

static struct activity *unused(struct relations *relations)
{
    for (uint32_t i = 0; i < relations->count; i++)
        if (!relations->activities[i].is_there)
            return &relations->activities[i];
    relations->activities = fth_reach(relations->activities, &relations->limit, relations->count,
                                      sizeof *relations->activities);
    return &relations->activities[relations->count++];
}

static void create(struct fth_project_xml *xml, int64_t token)
{
    struct relations *relations = xml->data;
    struct fth_traced_reading *reading = relations->reading;
    if (find(relations, token)) {
        fth_project_refuse(xml, "an activity is created that is there");
        return;
    }
    struct activity *activity = unused(relations);
    if (relations->count > MOST_ACTIVITIES) {
        fth_project_refuse(xml, "more than %d activities at a time", MOST_ACTIVITIES);
        return;
    }
    if (!activity->stream)
        activity->stream = fth_imported_thread(
            reading->run, &reading->process->facts,
            relations->tid + (int64_t)(activity - relations->activities), relations->last);
    activity->token = token;
    activity->is_there = true;
    activity->holds = false;
}

static void push(struct fth_project_xml *xml, struct activity *activity, const char *name)
{
    const struct relations *relations = xml->data;
    if (activity->depth == FTH_STATE_DEPTH) {
        fth_project_refuse(xml, "more than %d states inside one another", FTH_STATE_DEPTH);
        return;
    }
    activity->states =
        fth_reach(activity->states, &activity->limit, activity->depth, sizeof *activity->states);
    activity->states[activity->depth++] = (struct pushed){fth_text_copy(name), relations->last};
    activity->holds = false;
}

static void pop(struct relations *relations, struct activity *activity)
{
    struct fth_traced_reading *reading = relations->reading;
    struct pushed *state = &activity->states[--activity->depth];
    struct fth_traced_state region = {
        .name = state->name, .begin = state->begin, .end = relations->last, .function = UINT32_MAX};
    reading->stream = activity->stream;
    reading->depth = activity->depth;
    reading->holds = activity->holds;
    for (uint32_t i = 0; i < activity->depth; i++)
        reading->outer[i] = UINT32_MAX;
    fth_traced_call_put(reading, NULL, &region);
    free(state->name);
    activity->holds = true;
    if (!activity->depth)
        activity->holds = false;
}

static void destroy(struct relations *relations, struct activity *activity)
{
    while (activity->depth)
        pop(relations, activity);
    activity->is_there = false;
}

/* ---- entries ---- */

static bool read_time(struct fth_project_xml *xml, const char **attributes)
{
    struct relations *relations = xml->data;
    const char *text = fth_project_attribute(attributes, "time");
    int64_t time;
    if (!text || !fth_project_time(text, &time) || time < 0 || time >> 58 ||
        (time + relations->adjustment - relations->reading->run->start) >> 58 ||
        time + relations->adjustment < relations->last) {
        fth_project_refuse(xml,
                           "the time '%.40s', which is none, or before that of the entry "
                           "before",
                           text ? text : "");
        return false;
    }
    relations->last = time + relations->adjustment;
    return true;
}

static void take_entry(struct fth_project_xml *xml, const char *entry, const char **attributes)
{
    struct relations *relations = xml->data;
    const char *token = fth_project_attribute(attributes, "t"),
               *name = fth_project_attribute(attributes, "name");
    int64_t number;
    if (!read_time(xml, attributes))
        return;
    if (!token || !fth_project_integer(token, &number)) {
        fth_project_refuse(xml, "an entry without the token of an activity");
        return;
    }
    struct activity *activity = find(relations, number);
    if (!strcmp(entry, "rel"))
        create(xml, number);
    else if (!activity || (!strcmp(entry, "e") && !activity->depth))
        fth_project_refuse(xml, "an entry of an activity or state that is not there");
    else if (!strcmp(entry, "s"))
        push(xml, activity, name ? name : "");
    else if (!strcmp(entry, "e"))
        pop(relations, activity);
    else
        destroy(relations, activity);
}

static void begin(struct fth_project_xml *xml, const char *name, const char **attributes)
{
    static const char *const entries[] = {"rel", "s", "e", "un"};
    struct relations *relations = xml->data;
    struct fth_traced_program program;
    if (xml->depth == 1 && read_header(xml, name, attributes, &program) == 0)
        relations->adjustment = relations->last = program.adjustment;
    for (size_t i = 0; xml->depth == 2 && i < sizeof entries / sizeof *entries; i++)
        if (!strcmp(entries[i], name)) {
            take_entry(xml, name, attributes);
            return;
        }
    if (xml->depth == 2)
        fth_project_refuse(xml, "'%.40s' in a file of relations", name);
    if (relations->reading->run->folder.failed)
        fth_project_stop(xml);
}

int fth_relation_file_read(const char *path, struct fth_traced_reading *reading, int64_t tid,
                           struct fth_error **error)
{
    struct relations relations = {.reading = reading, .tid = tid};
    struct fth_project_xml xml = {.path = path, .data = &relations, .begin = begin, .error = error};
    int result = fth_project_parse(&xml);
    for (uint32_t i = 0; i < relations.count; i++) {
        struct activity *activity = &relations.activities[i];
        if (activity->stream && !result)
            destroy(&relations, activity);
        while (activity->depth)
            free(activity->states[--activity->depth].name);
        if (activity->stream)
            fth_imported_stream_close(activity->stream);
        free(activity->states);
    }
    free(relations.activities);
    return result;
}
#endif
