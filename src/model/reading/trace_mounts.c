/* <fathom/files.h>: sections MNTS as readers see them. */
#include "model/reading/trace_mounts.h"

#include "base/memory.h"
#include "model/reading/model.h"

#include <stdlib.h>
#include <string.h>

int fth_model_read_mounts(struct fth_model_files *files, const uint8_t *bytes, size_t length,
                          struct fth_error **error)
{
    FTH_GROW(files->nodes, files->node_count);
    struct fth_model_mounts *node = &files->nodes[files->node_count++];
    *node = (struct fth_model_mounts){0};
    if (fth_mounts_read(&node->read, bytes, length, error))
        return -1;
    for (size_t i = 0; i < node->read.file_count; i++) {
        const char *path = node->read.files[i].path;
        if (fth_intern(&node->striped, path, strlen(path)) != i)
            return fth_fail(error, "a file occurs twice");
    }
    return 0;
}

/* Links that were noted in the run stand apart from the mounts of their node. */
static void take_links(struct fth_model_files *files, struct fth_mounts *links)
{
    for (size_t i = 0; i < files->node_count; i++) {
        struct fth_mounts *node = &files->nodes[i].read;
        if (!node->mount_count || strcmp(node->host, links->host) != 0)
            continue;
        for (size_t k = 0; k < links->link_count; k++)
            fth_mounts_add_link(node, links->links[k].from, links->links[k].to);
        return;
    }
}

void fth_model_make_systems(struct fth_model_files *files)
{
    fth_model_make_links(files);
    for (size_t i = 0; i < files->node_count; i++)
        if (!files->nodes[i].read.mount_count)
            take_links(files, &files->nodes[i].read);
    for (size_t i = 0; i < files->node_count; i++) {
        struct fth_model_mounts *node = &files->nodes[i];
        node->first_system = files->system_count;
        for (size_t k = 0; k < node->read.mount_count; k++) {
            const struct fth_mount *mount = &node->read.mounts[k];
            FTH_GROW(files->systems, files->system_count);
            files->systems[files->system_count++] = (struct fth_file_system){
                .host = node->read.host,
                .type = mount->type,
                .mount = mount->point,
                .source = mount->source,
                .block_size = mount->block_size,
                .scope = mount->shared ? FTH_SCOPE_SHARED : FTH_SCOPE_NODE};
        }
    }
}

void fth_model_free_files(struct fth_model_files *files)
{
    for (size_t i = 0; i < files->node_count; i++) {
        fth_mounts_free(&files->nodes[i].read);
        fth_intern_free(&files->nodes[i].striped);
    }
    free(files->nodes);
    free(files->links);
    free(files->systems);
}

/* ---- doors ---- */

size_t fth_trace_file_system_count(const struct fth_trace *trace)
{
    return trace->files.system_count;
}

const struct fth_file_system *fth_trace_file_system(const struct fth_trace *trace, size_t index)
{
    return &trace->files.systems[index];
}

static const struct fth_model_mounts *node_of(const struct fth_model_files *files, const char *host)
{
    for (size_t i = 0; i < files->node_count; i++)
        if (files->nodes[i].read.mount_count && strcmp(files->nodes[i].read.host, host) == 0)
            return &files->nodes[i];
    return NULL;
}

/* Stripes were asked for on one node; they are those of the file wherever it is seen. */
static void find_stripes(const struct fth_model_files *files, const char *path,
                         struct fth_file *file)
{
    for (size_t i = 0; i < files->node_count; i++) {
        const struct fth_model_mounts *node = &files->nodes[i];
        if (!fth_interned_before(&node->striped, path, strlen(path)))
            continue;
        uint32_t number =
            fth_intern((struct fth_intern *)(uintptr_t)&node->striped, path, strlen(path));
        file->stripe_count = node->read.files[number].count;
        file->stripe_size = node->read.files[number].size;
    }
}

bool fth_trace_file(const struct fth_trace *trace, size_t proc, const char *path,
                    struct fth_file *file)
{
    const struct fth_model_mounts *node = node_of(&trace->files, trace->processes[proc].facts.host);
    const struct fth_mount *mount =
        node && *path == '/' ? fth_mounts_find(&node->read, path) : NULL;
    *file = (struct fth_file){0};
    if (!mount)
        return false;
    file->system = &trace->files.systems[node->first_system + (size_t)(mount - node->read.mounts)];
    if (file->system->scope == FTH_SCOPE_SHARED)
        find_stripes(&trace->files, path, file);
    return true;
}
