#include "verify/identity.h"

#include "base/memory.h"

#include <string.h>

/* What happens to names, in order of time: openings look names up, name events change what they stand for. */
struct happening {
    int64_t time;
    uint32_t index; /* of the opening, or of the name event */
    bool is_opening;
};

struct naming {
    struct fth_files *files;
    struct fth_deeds *deeds;
    uint32_t *file_of; /* by name: file + 1; 0: none yet */
    uint32_t *sorted;  /* names in order of their bytes: those in one folder are together */
};

static int by_time(const void *a, const void *b)
{
    const struct happening *one = a, *other = b;
    if (one->time != other->time)
        return one->time < other->time ? -1 : 1;
    if (one->is_opening != other->is_opening)
        return one->is_opening ? 1 : -1;
    return one->index < other->index ? -1 : one->index > other->index;
}

static struct happening *in_order_of_time(const struct fth_deeds *deeds, size_t *count)
{
    *count = deeds->opening_count + deeds->name_event_count;
    struct happening *all = fth_new(*count + 1, sizeof *all);
    for (size_t i = 0; i < deeds->opening_count; i++)
        all[i] = (struct happening){deeds->openings[i].time, (uint32_t)i, true};
    for (size_t i = 0; i < deeds->name_event_count; i++)
        all[deeds->opening_count + i] =
            (struct happening){deeds->name_events[i].time, (uint32_t)i, false};
    qsort(all, *count, sizeof *all, by_time);
    return all;
}

static uint32_t new_file(struct fth_files *files, uint32_t name)
{
    FTH_GROW(files->names, files->count);
    files->names[files->count] = name;
    return ++files->count;
}

static uint32_t open_name(struct naming *naming, const struct fth_opening *opening)
{
    uint32_t *file = &naming->file_of[opening->name];
    if (!*file || opening->exclusive)
        *file = new_file(naming->files, opening->name);
    return *file - 1;
}

static int by_bytes(const void *a, const void *b, void *context)
{
    size_t length;
    return strcmp(fth_deeds_name(context, *(const uint32_t *)a, &length),
                  fth_deeds_name(context, *(const uint32_t *)b, &length));
}

static uint32_t *sorted_names(struct fth_deeds *deeds)
{
    uint32_t count = deeds->names.count, *sorted = fth_new(count + 1, sizeof *sorted);
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = i;
    qsort_r(sorted, count, sizeof *sorted, by_bytes, deeds);
    return sorted;
}

/* The first of the sorted names that is not before `text`. */
static uint32_t first_name_from(const struct naming *naming, const char *text)
{
    uint32_t low = 0, high = naming->deeds->names.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        size_t length;
        if (strcmp(fth_deeds_name(naming->deeds, naming->sorted[middle], &length), text) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* `from` and `to` are folders: the names in the one now are names in the other one. Those that nobody uses are not followed. */
static void move_names_below(struct naming *naming, uint32_t from, uint32_t to)
{
    const struct fth_deeds *deeds = naming->deeds;
    size_t from_length, to_length, length;
    const char *from_text = fth_deeds_name(deeds, from, &from_length);
    const char *to_text = fth_deeds_name(deeds, to, &to_length);
    char *folder = fth_new(from_length + 2, 1);
    memcpy(folder, from_text, from_length);
    folder[from_length] = '/';
    for (uint32_t at = first_name_from(naming, folder); at < deeds->names.count; at++) {
        uint32_t name = naming->sorted[at], moved;
        const char *text = fth_deeds_name(deeds, name, &length);
        if (strncmp(text, folder, from_length + 1) != 0)
            break;
        if (!naming->file_of[name])
            continue;
        size_t rest = length - from_length + 1; /* with what ends it */
        char *path = fth_new(to_length + rest, 1);
        memcpy(path, to_text, to_length);
        memcpy(path + to_length, text + from_length, rest);
        if (fth_intern_find(&deeds->names, path, to_length + rest, &moved))
            naming->file_of[moved] = naming->file_of[name];
        naming->file_of[name] = 0;
        free(path);
    }
    free(folder);
}

static void change_name(struct naming *naming, const struct fth_name_event *event)
{
    switch (event->deed) {
    case FTH_NAME_DELETED:
        naming->file_of[event->from] = 0;
        return;
    case FTH_NAME_LINKED:
        if (!naming->file_of[event->from])
            naming->file_of[event->from] = new_file(naming->files, event->from);
        naming->file_of[event->to] = naming->file_of[event->from];
        return;
    case FTH_NAME_MOVED:
        if (event->from == event->to)
            return;
        move_names_below(naming, event->from, event->to);
        naming->file_of[event->to] = naming->file_of[event->from];
        naming->file_of[event->from] = 0;
        return;
    }
}

void fth_files_tell_apart(struct fth_files *files, struct fth_deeds *deeds)
{
    struct naming naming = {files, deeds, fth_new(deeds->names.count + 1, sizeof(uint32_t)),
                            sorted_names(deeds)};
    uint32_t *file_of_opening = fth_new(deeds->opening_count + 1, sizeof *file_of_opening);
    size_t count;
    struct happening *all = in_order_of_time(deeds, &count);
    for (size_t i = 0; i < count; i++) {
        if (all[i].is_opening)
            file_of_opening[all[i].index] = open_name(&naming, &deeds->openings[all[i].index]);
        else
            change_name(&naming, &deeds->name_events[all[i].index]);
    }
    for (size_t i = 0; i < deeds->situation_count; i++)
        deeds->situations[i].opening = file_of_opening[deeds->situations[i].opening];
    for (size_t i = 0; i < deeds->mark_count; i++)
        if (deeds->marks[i].opening != FTH_NO_OPENING)
            deeds->marks[i].opening = file_of_opening[deeds->marks[i].opening];
    free(all);
    free(file_of_opening);
    free(naming.file_of);
    free(naming.sorted);
}

void fth_files_free(struct fth_files *files)
{
    free(files->names);
    *files = (struct fth_files){0};
}
