/* Places of files: see the header. */
#include "repeat/what/file_places.h"

#include "base/keyed.h"
#include "base/memory.h"
#include "repeat/what/clean_path.h"
#include "repeat/what/first_uses.h"
#include "repeat/what/whole_pipes.h"

#include <string.h>

struct fth_repeat_places {
    struct fth_keyed found; /* of struct fth_repeat_place, by path */
    struct fth_pipes pipes;
    size_t count;
    struct fth_repeat_place *sorted;
    size_t folder_count;
    char **folders;
    size_t process_count;
    struct fth_unseen_list *unseen; /* by process */
    struct fth_keyed *standard;     /* by process: standard_streams.h */
};

/* ---- paths ---- */

/* Is `path` the folder, or below it? */
static bool is_in(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    if (length == 1)
        return true;
    return !strncmp(path, folder, length) && (!path[length] || path[length] == '/');
}

static bool is_in_any(const char *path, const char *const *folders)
{
    while (*folders && !is_in(path, *folders))
        folders++;
    return *folders;
}

/* `base`: of the run; what is below that is no part of the system. */
static const char *why_left_alone(const struct fth_repeat_place *place, const char *base)
{
    static const char *const devices[] = {"/proc", "/sys", "/dev", "/selinux", NULL};
    static const char *const installed[] = {"/bin",   "/boot",    "/etc",       "/lib",
                                            "/lib32", "/lib64",   "/run",       "/sbin",
                                            "/usr",   "/var/lib", "/var/cache", NULL};
    if (is_in_any(place->path, devices) && !is_in(place->path, "/dev/shm"))
        return "a device, or a file that the system makes up";
    bool in_base = base && strcmp(base, "/") != 0 && is_in(place->path, base);
    if (is_in_any(place->path, installed) && !in_base && !place->is_written)
        return "a file of the system or of its libraries";
    const char *dot = strstr(place->path, ".so");
    if (dot && (!dot[3] || dot[3] == '.') && !place->is_written)
        return "a shared library";
    return NULL;
}

/* ---- where they lie ---- */

/* A path below `top`. */
static char *below(const char *top, const char *from)
{
    char *result = fth_text_copy(top);
    for (from += strspn(from, "/"); *from; from += strspn(from, "/")) {
        size_t length = strcspn(from, "/");
        char *longer = fth_text_format("%s/%.*s", result, (int)length, from);
        free(result);
        result = longer;
        from += length;
    }
    return result;
}

/* Whoever opened it would wait for ever. */
static bool is_half_fifo(const struct fth_repeat_places *places, const char *path)
{
    const struct fth_pipe_bytes *pipe = fth_pipes_find(&places->pipes, path);
    return pipe && pipe->is_fifo && !fth_pipe_bytes_is_whole(pipe);
}

static void place_all(struct fth_repeat_places *places, const char *base)
{
    for (size_t i = 0; i < places->count; i++) {
        struct fth_repeat_place *place = &places->sorted[i];
        place->why = why_left_alone(place, base);
        if (!place->why && is_half_fifo(places, place->path))
            place->why = "a FIFO, of which not all that came in and out is in the trace";
        if (place->why)
            continue;
        bool in_base = base && strcmp(base, "/") != 0 && is_in(place->path, base);
        place->below =
            in_base ? below("run", place->path + strlen(base)) : below("root", place->path);
    }
}

/* ---- folders ---- */

static void add_folder(struct fth_repeat_places *places, const char *text, size_t length)
{
    FTH_GROW(places->folders, places->folder_count);
    places->folders[places->folder_count++] = fth_text_part(text, length);
}

enum { MUST_BE_THERE = 1, MADE_BY_RUN };

/* The folder around a place is a place of its own, or has to be there; what is below a folder that
 * the run makes comes by the run as well. */
static void find_folders_around(struct fth_repeat_places *places,
                                const struct fth_repeat_place *place, struct fth_keyed *known)
{
    for (const char *slash = place->below; (slash = strchr(slash, '/')); slash++) {
        size_t length = (size_t)(slash - place->below);
        char *folder = fth_keyed_get(known, place->below, length);
        if (*folder == MADE_BY_RUN && place->before != FTH_REPEAT_PRESENT)
            return;
        if (*folder != MUST_BE_THERE)
            add_folder(places, place->below, length);
        *folder = MUST_BE_THERE;
    }
}

static void find_folders(struct fth_repeat_places *places)
{
    struct fth_keyed known = {.size = 1};
    for (size_t i = 0; i < places->count; i++) {
        const struct fth_repeat_place *place = &places->sorted[i];
        if (!place->below)
            continue;
        find_folders_around(places, place, &known);
        char *folder = fth_keyed_get(&known, place->below, strlen(place->below));
        bool is_there = place->folder && place->before == FTH_REPEAT_PRESENT;
        if (!*folder && is_there)
            add_folder(places, place->below, strlen(place->below));
        if (!*folder && place->folder)
            *folder = is_there ? MUST_BE_THERE : MADE_BY_RUN;
    }
    fth_keyed_free(&known);
}

/* ---- all ---- */

static int by_path(const void *one, const void *other)
{
    const struct fth_repeat_place *a = one, *b = other;
    return strcmp(a->path, b->path);
}

/* What lies below it shows that it is a folder. */
static void find_parents(struct fth_repeat_places *places)
{
    for (size_t i = 0; i + 1 < places->count; i++) {
        struct fth_repeat_place *place = &places->sorted[i];
        for (size_t next = i + 1;
             next < places->count &&
             !strncmp(places->sorted[next].path, place->path, strlen(place->path));
             next++)
            if (is_in(places->sorted[next].path, place->path)) {
                place->folder = true;
                break;
            }
    }
}

static void sort(struct fth_repeat_places *places)
{
    places->count = fth_keyed_count(&places->found);
    places->sorted = fth_new(places->count + 1, sizeof *places->sorted);
    for (size_t i = 0; i < places->count; i++) {
        places->sorted[i] = *(struct fth_repeat_place *)fth_keyed_item(&places->found, (uint32_t)i);
        size_t length;
        const uint8_t *path = fth_interned(&places->found.keys, (uint32_t)i, &length);
        places->sorted[i].path = fth_text_part((const char *)path, length);
    }
    qsort(places->sorted, places->count, sizeof *places->sorted, by_path);
}

struct fth_repeat_places *fth_repeat_places_find(struct fth_trace *trace,
                                                 const struct fth_repeat_ways *ways,
                                                 const bool *chosen, struct fth_error **error)
{
    struct fth_repeat_places *places = fth_new(1, sizeof *places);
    places->found.size = sizeof(struct fth_repeat_place);
    fth_pipes_open(&places->pipes);
    places->process_count = fth_trace_process_count(trace);
    places->unseen = fth_new(places->process_count + 1, sizeof *places->unseen);
    places->standard = fth_new(places->process_count + 1, sizeof *places->standard);
    struct fth_first_uses found = {&places->found, places->unseen, places->standard, &places->pipes,
                                   NULL};
    if (fth_repeat_first_uses(trace, ways, chosen, &found, error) < 0) {
        fth_repeat_places_free(places);
        return NULL;
    }
    sort(places);
    find_parents(places);
    place_all(places, found.base);
    find_folders(places);
    free(found.base);
    return places;
}

void fth_repeat_places_free(struct fth_repeat_places *places)
{
    if (!places)
        return;
    for (size_t i = 0; i < places->count; i++) {
        free((char *)places->sorted[i].path);
        free((char *)places->sorted[i].below);
        free(places->sorted[i].lines);
    }
    for (size_t i = 0; i < places->folder_count; i++)
        free(places->folders[i]);
    for (size_t i = 0; i < places->process_count; i++)
        free(places->unseen[i].items);
    for (size_t i = 0; i < places->process_count; i++)
        fth_keyed_free(&places->standard[i]);
    free(places->unseen);
    free(places->standard);
    free(places->folders);
    free(places->sorted);
    fth_keyed_free(&places->found);
    fth_pipes_close(&places->pipes);
    free(places);
}

const struct fth_pipes *fth_repeat_places_pipes(const struct fth_repeat_places *places)
{
    return &places->pipes;
}

const struct fth_unseen_list *fth_repeat_places_unseen(const struct fth_repeat_places *places,
                                                       size_t proc)
{
    return &places->unseen[proc];
}

int64_t fth_repeat_places_descriptor(const struct fth_repeat_places *places, size_t proc,
                                     int64_t stream)
{
    const struct fth_keyed *standard = &places->standard[proc];
    uint32_t number;
    if (!standard->size || !fth_keyed_number(standard, &stream, sizeof stream, &number))
        return -1;
    return *(const int64_t *)fth_keyed_item(standard, number) - 1;
}

size_t fth_repeat_place_count(const struct fth_repeat_places *places)
{
    return places->count;
}

const struct fth_repeat_place *fth_repeat_place_at(const struct fth_repeat_places *places,
                                                   size_t index)
{
    return &places->sorted[index];
}

const struct fth_repeat_place *fth_repeat_place_of(const struct fth_repeat_places *places,
                                                   const char *path)
{
    char *clean = path ? fth_repeat_clean_path(path) : NULL;
    if (!clean)
        return NULL;
    const struct fth_repeat_place wanted = {.path = clean};
    const struct fth_repeat_place *place =
        bsearch(&wanted, places->sorted, places->count, sizeof *places->sorted, by_path);
    free(clean);
    return place;
}

size_t fth_repeat_folder_count(const struct fth_repeat_places *places)
{
    return places->folder_count;
}

const char *fth_repeat_folder_at(const struct fth_repeat_places *places, size_t index)
{
    return places->folders[index];
}
