/* Goes through the renames in order of time. Only names that are renamed somewhere are asked for
 * what is below them: most renames are of files. */
#include "workflow/graph/folder_renames.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_CHANGES = 1 << 20, /* that are added */
    MOST_TEXT = 1 << 27,    /* bytes of their new names */
    MOST_BELOW = 1 << 23,   /* pairs of a folder and a file below it */
    LONGEST_NAME = 8 << 10, /* bytes: more than a system allows, with a host */
};

struct below {
    uint32_t file, next; /* next: in `below`, + 1; 0: no other one */
};

struct spreading {
    struct fth_workflow *workflow;
    struct fth_keyed folders; /* by name of what is renamed: its first in `below` + 1, uint32_t */
    uint32_t below_count, known; /* known: files that were looked at */
    uint32_t added, text;        /* changes, bytes of names */
    struct below *below;
    bool cut; /* something was left out */
};

size_t fth_workflow_folder_length(const char *name)
{
    size_t length = strlen(name);
    while (length > 1 && name[length - 1] == '/')
        length--;
    return length;
}

/* Puts a file below each folder on its path that is renamed somewhere. */
static void look_at(struct spreading *spreading, uint32_t file)
{
    const char *name = fth_workflow_file(spreading->workflow, file);
    if (strlen(name) > LONGEST_NAME)
        return;
    for (const char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
        uint32_t at;
        if (slash == name || !slash[1] ||
            !fth_keyed_number(&spreading->folders, name, (size_t)(slash - name), &at))
            continue;
        if (spreading->below_count == MOST_BELOW) {
            spreading->cut = true;
            return;
        }
        uint32_t *first = fth_keyed_item(&spreading->folders, at);
        FTH_GROW(spreading->below, spreading->below_count);
        spreading->below[spreading->below_count++] = (struct below){file, *first};
        *first = spreading->below_count;
    }
}

static void look_at_new(struct spreading *spreading)
{
    while (spreading->known < spreading->workflow->files.count)
        look_at(spreading, spreading->known++);
}

static void move(struct spreading *spreading, const struct fth_workflow_change *change,
                 uint32_t file)
{
    struct fth_workflow *workflow = spreading->workflow;
    const char *to = fth_workflow_file(workflow, change->other),
               *name = fth_workflow_file(workflow, file);
    size_t length = fth_workflow_folder_length(fth_workflow_file(workflow, change->file));
    char *moved = fth_text_format("%.*s%s", (int)fth_workflow_folder_length(to), to, name + length);
    uint32_t moved_length = (uint32_t)strlen(moved);
    spreading->text += moved_length <= LONGEST_NAME ? moved_length : 0;
    spreading->added++;
    if (moved_length > LONGEST_NAME || spreading->text > MOST_TEXT ||
        spreading->added > MOST_CHANGES) {
        spreading->cut = true;
    } else {
        struct fth_workflow_change below = *change;
        below.file = file;
        below.other = fth_workflow_file_number(workflow, moved);
        below.of_folder = true;
        fth_workflow_add_change(workflow, &below);
    }
    free(moved);
}

static void spread(struct spreading *spreading, uint32_t number)
{
    const struct fth_workflow_change change = spreading->workflow->changes[number];
    const char *name = fth_workflow_file(spreading->workflow, change.file);
    uint32_t at;
    look_at_new(spreading);
    fth_keyed_number(&spreading->folders, name, fth_workflow_folder_length(name), &at);
    uint32_t next = *(const uint32_t *)fth_keyed_item(&spreading->folders, at);
    while (next && !spreading->cut) {
        const struct below below = spreading->below[next - 1];
        move(spreading, &change, below.file);
        next = below.next;
    }
}

struct rename {
    int64_t time;
    uint32_t number; /* of the change */
};

static int by_time(const void *one, const void *other)
{
    const struct rename *a = one, *b = other;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

/* To be freed. */
static struct rename *all_renames(struct spreading *spreading, uint32_t *count)
{
    const struct fth_workflow *workflow = spreading->workflow;
    struct rename *renames = fth_new((size_t)workflow->change_count + 1, sizeof *renames);
    *count = 0;
    for (uint32_t i = 0; i < workflow->change_count; i++) {
        if (workflow->changes[i].kind != FTH_CHANGE_RENAME)
            continue;
        const char *name = fth_workflow_file(workflow, workflow->changes[i].file);
        fth_keyed_get(&spreading->folders, name, fth_workflow_folder_length(name));
        renames[(*count)++] = (struct rename){workflow->changes[i].time, i};
    }
    if (*count)
        qsort(renames, *count, sizeof *renames, by_time);
    return renames;
}

void fth_workflow_spread_renames(struct fth_workflow *workflow)
{
    struct spreading spreading = {.workflow = workflow, .folders = {.size = sizeof(uint32_t)}};
    uint32_t count;
    struct rename *renames = all_renames(&spreading, &count);
    for (uint32_t i = 0; i < count && !spreading.cut; i++)
        spread(&spreading, renames[i].number);
    if (spreading.cut)
        fth_workflow_note(workflow, "what became of all files in folders that were renamed: there "
                                    "are too many, or their names are too long");
    workflow->incomplete |= spreading.cut;
    fth_keyed_free(&spreading.folders);
    free(spreading.below);
    free(renames);
}
