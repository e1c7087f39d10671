/* Handles of the files that have maps, and those that they belong to, for the page of a run: texts
 * as JSON, and columns of varints. */
#include "base/memory.h"
#include "views/browser/pack.h"

#include <stdlib.h>
#include <string.h>

/* What is packed of a list: handles, and new numbers of its texts. */
struct packing {
    const struct fth_handle_list *list;
    size_t count;
    const struct fth_listed_handle **all;
    struct fth_intern texts;
};

/* By number, in the list of its process, which begins at `first`. */
static size_t find(const struct fth_handle_list *list, size_t first, size_t behind, uint64_t number)
{
    while (first < behind) {
        size_t middle = first + (behind - first) / 2;
        if (list->all[middle].number == number)
            return middle;
        if (list->all[middle].number < number)
            first = middle + 1;
        else
            behind = middle;
    }
    return SIZE_MAX;
}

/* Of the process whose handles are from `first` to `behind`. */
static void choose_of_process(struct packing *packing, const bool *mapped, bool *wanted,
                              size_t first, size_t behind)
{
    const struct fth_handle_list *list = packing->list;
    for (size_t i = first; i < behind; i++)
        for (size_t at = mapped[list->all[i].path] ? i : SIZE_MAX; at != SIZE_MAX && !wanted[at];) {
            wanted[at] = true;
            at = find(list, first, behind, list->all[at].parent);
        }
    for (size_t i = first; i < behind; i++)
        if (wanted[i])
            packing->all[packing->count++] = &list->all[i];
}

static void choose(struct packing *packing, const struct fth_file_maps *maps)
{
    const struct fth_handle_list *list = packing->list;
    bool *mapped = fth_new(list->texts.count + 1, sizeof *mapped);
    bool *wanted = fth_new(list->count + 1, sizeof *wanted);
    packing->all = fth_new(list->count + 1, sizeof *packing->all);
    for (size_t i = 0; i < maps->count; i++) {
        uint32_t text;
        const char *path = maps->list[i].path;
        if (fth_intern_find(&list->texts, path, strlen(path) + 1, &text))
            mapped[text] = true;
    }
    for (size_t first = 0, behind; first < list->count; first = behind) {
        for (behind = first;
             behind < list->count && list->all[behind].proc == list->all[first].proc;)
            behind++;
        choose_of_process(packing, mapped, wanted, first, behind);
    }
    free(mapped);
    free(wanted);
}

static uint64_t text_of(struct packing *packing, uint32_t text)
{
    const char *found = fth_handle_list_text(packing->list, text);
    return found ? (uint64_t)fth_intern(&packing->texts, found, strlen(found) + 1) + 1 : 0;
}

#define PUT(value)                                                                                 \
    for (size_t i = 0; i < packing->count; i++) {                                                  \
        const struct fth_listed_handle *one = packing->all[i];                                     \
        fth_views_pack(to, (uint64_t)(value));                                                     \
    }

/* 0: not known; else the time since `begin`, plus 1. */
static uint64_t time_of(int64_t time, int64_t begin)
{
    return time < 0 ? 0 : time < begin ? 1 : (uint64_t)(time - begin) + 1;
}

static void put_columns(struct fth_sink *to, struct packing *packing, int64_t begin)
{
    PUT(one->proc)
    PUT(one->number)
    PUT(one->parent + 1) /* FTH_NO_CALL: 0 */
    PUT(text_of(packing, one->handle_class))
    PUT(text_of(packing, one->layer))
    PUT(text_of(packing, one->path))
    PUT(text_of(packing, one->name))
    PUT(one->value < 0 ? 0 : one->value + 1)
    PUT(one->made_thread)
    PUT(one->made_by + 1)
    PUT(time_of(one->made, begin))
    PUT(one->closed_thread)
    PUT(one->closed_by + 1)
    PUT(time_of(one->closed, begin))
    PUT(one->duplicate)
}

void fth_views_pack_handles(struct fth_sink *to, const struct fth_handle_list *list,
                            const struct fth_file_maps *maps, int64_t begin, size_t most_listed)
{
    struct packing packing = {.list = list};
    if (!list->too_many)
        choose(&packing, maps);
    bool is_listed = !list->too_many && packing.count <= most_listed;
    fth_views_pack(to, list->too_many ? list->count + list->too_many : packing.count);
    fth_views_pack(to, is_listed);
    if (is_listed) {
        struct fth_sink columns;
        fth_sink_open_memory(&columns);
        put_columns(&columns, &packing, begin);
        fth_views_pack_texts(to, &packing.texts);
        fth_sink_bytes(to, columns.bytes, columns.used);
        to->failed |= columns.failed;
        fth_sink_close_memory(&columns);
    }
    fth_intern_free(&packing.texts);
    free(packing.all);
}
