/* Names that were made links to other names, and the names behind them: a folder on the way to a
 * file may be such a link. */
#include "verify/gather/links.h"

#include "base/memory.h"

#include <string.h>

#define MOST_LINKS 16 /* on the way to a file */

/* `name` with the first folder on its way that is a link replaced by what that leads to; NULL: no
 * folder is one. To be freed. */
static char *behind_link(const struct fth_links *links, const char *name, size_t length)
{
    char *folder = fth_new(length + 1, 1), *path = NULL;
    for (size_t i = 1; i < length && !path; i++) {
        uint32_t known;
        if (name[i] != '/')
            continue;
        memcpy(folder, name, i);
        folder[i] = 0;
        if (!fth_intern_find(&links->accesses->names, folder, i + 1, &known) ||
            known >= links->linked || !links->leads_to[known])
            continue;
        size_t target_length;
        const char *target =
            fth_run_accesses_name(links->accesses, links->leads_to[known] - 1, &target_length);
        path = fth_new(target_length + length - i + 1, 1);
        memcpy(path, target, target_length);
        memcpy(path + target_length, name + i, length - i);
    }
    free(folder);
    return path;
}

uint32_t fth_links_follow(const struct fth_links *links, uint32_t name)
{
    for (int i = 0; links->leads_to && i < MOST_LINKS; i++) {
        size_t length;
        const char *text = fth_run_accesses_name(links->accesses, name, &length);
        char *path = behind_link(links, text, length);
        bool found =
            path && fth_intern_find(&links->accesses->names, path, strlen(path) + 1, &name);
        free(path);
        if (!found)
            break;
    }
    return name;
}

void fth_links_open(struct fth_links *links, struct fth_run_accesses *accesses)
{
    uint32_t given = accesses->names.count;
    bool any = false;
    *links = (struct fth_links){.accesses = accesses, .linked = given};
    links->leads_to = fth_new(given + 1, sizeof *links->leads_to);
    for (size_t i = 0; i < accesses->name_event_count; i++) {
        const struct fth_name_event *event = &accesses->name_events[i];
        if (event->change == FTH_NAME_LINKED && event->from != event->to) {
            links->leads_to[event->to] = event->from + 1;
            any = true;
        }
    }
    for (uint32_t name = 0; any && name < given; name++) {
        uint32_t next = name;
        for (int i = 0; i < MOST_LINKS; i++) {
            size_t length;
            const char *text = fth_run_accesses_name(accesses, next, &length);
            char *path = behind_link(links, text, length);
            if (!path)
                break;
            next = fth_intern(&accesses->names, path, strlen(path) + 1);
            free(path);
        }
    }
    free(links->leads_to);
    links->linked = accesses->names.count;
    links->leads_to = any ? fth_new(accesses->names.count + 1, sizeof *links->leads_to) : NULL;
}

void fth_links_make(struct fth_links *links, uint32_t from, uint32_t to)
{
    if (links->leads_to)
        links->leads_to[to] = from + 1;
}

void fth_links_move(struct fth_links *links, uint32_t from, uint32_t to)
{
    if (links->leads_to)
        links->leads_to[to] = links->leads_to[from];
}

void fth_links_exchange(struct fth_links *links, uint32_t one, uint32_t other)
{
    if (!links->leads_to)
        return;
    uint32_t target = links->leads_to[one];
    links->leads_to[one] = links->leads_to[other];
    links->leads_to[other] = target;
}

void fth_links_remove(struct fth_links *links, uint32_t name)
{
    if (links->leads_to)
        links->leads_to[name] = 0;
}

void fth_links_close(struct fth_links *links)
{
    free(links->leads_to);
}
