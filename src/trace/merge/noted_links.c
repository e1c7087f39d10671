/* Notes on links of all processes become those of their nodes. */
#include "trace/merge/noted_links.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static struct fth_mounts *node_of(struct fth_noted_links *links, const char *host)
{
    for (size_t i = 0; i < links->count; i++)
        if (strcmp(links->nodes[i].host, host) == 0)
            return &links->nodes[i];
    FTH_GROW(links->nodes, links->count);
    links->nodes[links->count] = (struct fth_mounts){.host = fth_text_copy(host)};
    return &links->nodes[links->count++];
}

static void add(struct fth_mounts *node, const char *from, const char *to)
{
    for (size_t i = 0; i < node->link_count; i++)
        if (strcmp(node->links[i].from, from) == 0 && strcmp(node->links[i].to, to) == 0)
            return;
    fth_mounts_add_link(node, from, to);
}

/* "8 /scratch /lustre/scratch" */
static void add_note(struct fth_noted_links *links, const char *host, const char *note)
{
    char *from;
    unsigned long length = strtoul(note, &from, 10);
    if (*from != ' ' || length >= strlen(from) - 1 || from[1 + length] != ' ')
        return;
    char *link = fth_text_part(from + 1, length);
    add(node_of(links, host), link, from + 1 + length + 1);
    free(link);
}

struct fth_noted_links fth_noted_links_of(const struct fth_spill_folder *folder)
{
    struct fth_noted_links links = {0};
    for (size_t i = 0; i < folder->image_count; i++) {
        const struct fth_spill_process *process = folder->images[i].process;
        const char *host = fth_spill_text(process, "host", NULL);
        for (const char *at = NULL; (at = fth_spill_text(process, FTH_LINK_KEY, at));)
            add_note(&links, host ? host : "", at);
    }
    return links;
}

void fth_noted_links_free(struct fth_noted_links *links)
{
    for (size_t i = 0; i < links->count; i++)
        fth_mounts_free(&links->nodes[i]);
    free(links->nodes);
}
