/* Handles are taken when they end. Processes are gone through at once, each with a list of its own,
 * and added to that of the run one at a time. */
#include "analysis/survey/handle_list.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct visit {
    struct fth_handle_list own;
};

static void *open_process(void *context, size_t proc)
{
    (void)context;
    (void)proc;
    return fth_new(1, sizeof(struct visit));
}

static bool pass(void *process, const struct fth_call *call, struct fth_error **error)
{
    (void)process;
    (void)call;
    (void)error;
    return true;
}

static enum fth_keeping keep(void *process, uint32_t site)
{
    (void)process;
    (void)site;
    return FTH_KEEP;
}

static uint32_t add_text(struct fth_intern *texts, const char *text)
{
    return text ? fth_intern(texts, text, strlen(text) + 1) : UINT32_MAX;
}

static bool is_of_file(const struct fth_handle *handle)
{
    return handle->path && (!handle->type || !strcmp(handle->type, "file"));
}

static void take(void *process, const struct fth_handle *handle)
{
    struct fth_handle_list *list = &((struct visit *)process)->own;
    if (!is_of_file(handle))
        return;
    if (list->count == FTH_MOST_LISTED_HANDLES) {
        list->too_many++;
        return;
    }
    FTH_GROW(list->all, list->count);
    list->all[list->count++] =
        (struct fth_listed_handle){.proc = (uint32_t)handle->proc,
                                   .number = handle->number,
                                   .parent = handle->parent ? handle->parent->number : FTH_NO_CALL,
                                   .value = handle->value,
                                   .handle_class = add_text(&list->texts, handle->handle_class),
                                   .layer = add_text(&list->texts, handle->layer),
                                   .path = add_text(&list->texts, handle->path),
                                   .name = add_text(&list->texts, handle->name),
                                   .made_thread = handle->made_thread,
                                   .closed_thread = handle->closed_thread,
                                   .made_by = handle->made_by,
                                   .closed_by = handle->closed_by,
                                   .made = handle->made_at,
                                   .closed = handle->closed_at,
                                   .duplicate = handle->duplicate};
}

/* The handle of a round that `like`, of the round before all of these, stands for. */
static struct fth_listed_handle handle_of_round(const struct fth_listed_handle *like,
                                                const struct fth_rounds *rounds, uint32_t round)
{
    uint64_t behind = rounds->before + round + 1, calls = behind * rounds->period;
    uint64_t begin = rounds->first_number - (rounds->before + 1) * rounds->period;
    const struct fth_again_time *times = &rounds->times[round * rounds->period];
    struct fth_listed_handle handle = *like;
    handle.number += behind * rounds->handles;
    if (handle.parent != FTH_NO_CALL && handle.parent >= rounds->first_handle)
        handle.parent += behind * rounds->handles;
    if (like->made_by - begin < rounds->period)
        handle.made = times[like->made_by - begin].end;
    if (like->closed_by - begin < rounds->period)
        handle.closed = times[like->closed_by - begin].start;
    handle.made_by += calls;
    handle.closed_by += calls;
    return handle;
}

/* Handles that rounds make, like those of the round before them, which were the last to end that
 * were taken. */
static void take_again(void *process, const struct fth_calls_again *calls)
{
    struct fth_handle_list *list = &((struct visit *)process)->own;
    const struct fth_rounds *rounds = calls->opening;
    if (!rounds || !rounds->handles)
        return;
    uint64_t behind = rounds->first_handle + rounds->handles;
    size_t end = list->count, first = end;
    while (end && list->all[end - 1].number >= behind)
        end--;
    for (first = end; first && list->all[first - 1].number >= rounds->first_handle;)
        first--;
    for (uint32_t round = 0; round < calls->count / calls->period; round++)
        for (size_t i = first; i < end; i++) {
            if (list->count == FTH_MOST_LISTED_HANDLES) {
                list->too_many++;
                continue;
            }
            const struct fth_listed_handle handle = handle_of_round(&list->all[i], rounds, round);
            FTH_GROW(list->all, list->count);
            list->all[list->count++] = handle;
        }
}

static int by_number(const void *one, const void *other)
{
    const struct fth_listed_handle *a = one, *b = other;
    return (a->number > b->number) - (a->number < b->number);
}

/* The texts of a process are numbered anew. */
static void move_text(struct fth_handle_list *list, const struct fth_handle_list *own,
                      uint32_t *text)
{
    if (*text != UINT32_MAX)
        *text = add_text(&list->texts, fth_handle_list_text(own, *text));
}

static void close_process(void *context, void *process)
{
    struct fth_handle_list *list = context, *own = &((struct visit *)process)->own;
    list->too_many += own->too_many;
    if (own->count)
        qsort(own->all, own->count, sizeof *own->all, by_number);
    for (size_t i = 0; i < own->count; i++) {
        if (list->count == FTH_MOST_LISTED_HANDLES) {
            list->too_many += own->count - i;
            break;
        }
        FTH_GROW(list->all, list->count);
        struct fth_listed_handle *handle = &list->all[list->count++];
        *handle = own->all[i];
        move_text(list, own, &handle->handle_class);
        move_text(list, own, &handle->layer);
        move_text(list, own, &handle->path);
        move_text(list, own, &handle->name);
    }
    fth_handle_list_free(own);
    free(process);
}

struct fth_listener fth_handle_list_listener(struct fth_handle_list *list)
{
    return (struct fth_listener){.context = list,
                                 .open = open_process,
                                 .call = pass,
                                 .keep = keep,
                                 .again = take_again,
                                 .close = close_process,
                                 .ended = take};
}

const char *fth_handle_list_text(const struct fth_handle_list *list, uint32_t text)
{
    size_t length;
    return text == UINT32_MAX ? NULL : (const char *)fth_interned(&list->texts, text, &length);
}

void fth_handle_list_free(struct fth_handle_list *list)
{
    free(list->all);
    fth_intern_free(&list->texts);
    *list = (struct fth_handle_list){0};
}
