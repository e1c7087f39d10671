/* Links of all nodes of a trace, and paths behind them. */
#include "model/reading/trace_links.h"

#include "base/memory.h"
#include "model/reading/model.h"

#include <stdio.h>
#include <string.h>

enum { MOST_STEPS = 8 };

void fth_model_make_links(struct fth_model_files *files)
{
    for (size_t i = 0; i < files->node_count; i++) {
        const struct fth_mounts *node = &files->nodes[i].read;
        for (size_t k = 0; k < node->link_count && !node->mount_count; k++) {
            FTH_GROW(files->links, files->link_count);
            files->links[files->link_count++] = (struct fth_trace_link){
                node->host, node->links[k].from, node->links[k].to, false, true};
        }
    }
    for (size_t i = 0; i < files->link_count; i++)
        for (size_t k = 0; k < files->link_count; k++) {
            struct fth_trace_link *link = &files->links[i];
            const struct fth_trace_link *other = &files->links[k];
            if (strcmp(link->from, other->from) != 0 || strcmp(link->to, other->to) == 0)
                continue;
            link->everywhere = false;
            link->changed |= strcmp(link->host, other->host) == 0;
        }
}

const struct fth_trace_link *fth_trace_links(const struct fth_trace *trace, size_t *count)
{
    *count = trace->files.link_count;
    return trace->files.links;
}

static const struct fth_trace_link *find_link(const struct fth_trace *trace, const char *host,
                                              const char *path, bool is_folder,
                                              const bool *left_out, size_t *length)
{
    const struct fth_trace_link *found = NULL;
    *length = 0;
    for (size_t i = 0; i < trace->files.link_count; i++) {
        const struct fth_trace_link *link = &trace->files.links[i];
        size_t its_length = strlen(link->from);
        bool is_on_way = its_length > *length && strncmp(path, link->from, its_length) == 0 &&
                         (path[its_length] == '/' || (is_folder && !path[its_length]));
        if (!is_on_way || link->changed || (left_out && left_out[i]) ||
            (!link->everywhere && strcmp(link->host, host) != 0))
            continue;
        *length = its_length;
        found = link;
    }
    return found;
}

const char *fth_trace_behind_links(const struct fth_trace *trace, size_t proc, const char *path,
                                   bool is_folder, const bool *left_out, struct fth_path_room *room)
{
    const char *host = trace->processes[proc].facts.host;
    for (int i = 0; trace->files.link_count && *path == '/' && i < MOST_STEPS; i++) {
        size_t length;
        const struct fth_trace_link *link =
            find_link(trace, host ? host : "", path, is_folder, left_out, &length);
        char *text = room->text[i % 2];
        if (!link || snprintf(text, sizeof room->text[0], "%s%s", link->to, path + length) >=
                         (int)sizeof room->text[0])
            break;
        path = text;
    }
    return path;
}
