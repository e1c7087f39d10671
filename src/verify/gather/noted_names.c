/* Names below symbolic links that were there before the run, of which recorders noted what they
 * lead to, become those that the files have without the links: as the system says it of files that
 * are opened. Links that the run itself makes, moves or removes are not among them. What they lead
 * to at a time is found with openings (links.h), and that it may be something else is reported. */
#include "verify/gather/noted_names.h"

#include "base/memory.h"
#include "model/reading/trace_links.h"

#include <string.h>

struct noted {
    struct fth_run_accesses *accesses;
    const struct fth_runs *runs;
    bool **left_out; /* by run and link */
};

/* "NODE:/tmp/f" */
static const char *path_of(const char *name)
{
    const char *path = *name == '/' ? NULL : strstr(name, ":/");
    return path ? path + 1 : name;
}

static uint32_t behind(const struct noted *noted, uint32_t proc, uint32_t name, bool is_folder)
{
    size_t length;
    const char *text = fth_run_accesses_name(noted->accesses, name, &length), *path = path_of(text);
    const struct fth_run *run = fth_runs_of(noted->runs, proc);
    struct fth_path_room room;
    const char *real = fth_trace_behind_links(run->trace, proc - run->first_proc, path, is_folder,
                                              noted->left_out[run - noted->runs->runs], &room);
    if (real == path)
        return name;
    char *found = fth_text_format("%.*s%s", (int)(path - text), text, real);
    name = fth_intern(&noted->accesses->names, found, strlen(found) + 1);
    free(found);
    return name;
}

/* ---- links that change ---- */

static bool is_or_is_in(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || !path[length]);
}

/* Does it make, move or remove the link, or a folder on the way there? */
static bool changes(const struct noted *noted, const struct fth_name_event *event,
                    const struct fth_trace_link *link)
{
    size_t length;
    uint32_t to = event->change == FTH_NAME_DELETED ? event->from : event->to;
    uint32_t from = event->change == FTH_NAME_LINKED ? to : event->from;
    from = behind(noted, event->proc, from, false);
    to = behind(noted, event->proc, to, false);
    return is_or_is_in(link->from,
                       path_of(fth_run_accesses_name(noted->accesses, from, &length))) ||
           is_or_is_in(link->from, path_of(fth_run_accesses_name(noted->accesses, to, &length)));
}

static bool is_changed(const struct noted *noted, const struct fth_trace_link *link)
{
    bool found = link->changed;
    for (size_t i = 0; i < noted->accesses->name_event_count && !found; i++)
        found = changes(noted, &noted->accesses->name_events[i], link);
    return found;
}

static void leave_out_changed(struct noted *noted, uint32_t run)
{
    struct fth_run_accesses *accesses = noted->accesses;
    size_t count;
    const struct fth_trace_link *links = fth_trace_links(noted->runs->runs[run].trace, &count);
    bool *changed = fth_new(count + 1, sizeof *changed);
    for (size_t i = 0; i < count; i++) {
        size_t said = accesses->changed_link_count;
        changed[i] = is_changed(noted, &links[i]);
        if (!changed[i] ||
            (said && strcmp(accesses->changed_links[said - 1].path, links[i].from) == 0))
            continue;
        FTH_GROW(accesses->changed_links, accesses->changed_link_count);
        accesses->changed_links[accesses->changed_link_count++] =
            (struct fth_changed_link){run, links[i].from};
    }
    noted->left_out[run] = changed;
}

/* ---- names ---- */

static void follow(const struct noted *noted)
{
    struct fth_run_accesses *accesses = noted->accesses;
    for (size_t i = 0; i < accesses->name_event_count; i++) {
        struct fth_name_event *event = &accesses->name_events[i];
        event->from = behind(noted, event->proc, event->from, false);
        if (event->change != FTH_NAME_DELETED)
            event->to = behind(noted, event->proc, event->to, false);
    }
    for (size_t i = 0; i < accesses->opening_count; i++) {
        struct fth_opening *opening = &accesses->openings[i];
        opening->asked = behind(noted, opening->proc, opening->asked, false);
        if (!opening->is_real)
            opening->name = behind(noted, opening->proc, opening->name, false);
    }
    for (size_t i = 0; i < accesses->touch_count; i++) {
        struct fth_touch *touch = &accesses->touches[i];
        touch->name = behind(noted, touch->proc, touch->name, touch->kind == FTH_TOUCH_LIST);
    }
}

static bool has_links(const struct fth_runs *runs)
{
    size_t count = 0;
    for (size_t i = 0; i < runs->count && !count; i++)
        fth_trace_links(runs->runs[i].trace, &count);
    return count;
}

void fth_noted_names_follow(struct fth_run_accesses *accesses, const struct fth_runs *runs)
{
    struct noted noted = {accesses, runs, fth_new(runs->count + 1, sizeof *noted.left_out)};
    if (has_links(runs)) {
        for (uint32_t run = 0; run < runs->count; run++)
            leave_out_changed(&noted, run);
        follow(&noted);
    }
    for (size_t i = 0; i < runs->count; i++)
        free(noted.left_out[i]);
    free(noted.left_out);
}
