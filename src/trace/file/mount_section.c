/* Mounts: finding the one of a path, and their bytes. */
#include "trace/file/mount_section.h"

#include "base/memory.h"

#include <limits.h>
#include <stdio.h>

enum { MOST_TEXT = 4096, MOST_STEPS = 8 };

/* ---- a list ---- */

void fth_mounts_add(struct fth_mounts *mounts, const struct fth_mount *mount)
{
    FTH_GROW(mounts->mounts, mounts->mount_count);
    mounts->mounts[mounts->mount_count++] =
        (struct fth_mount){fth_text_copy(mount->point), fth_text_copy(mount->type),
                           fth_text_copy(mount->source), mount->block_size, mount->shared};
}

void fth_mounts_add_link(struct fth_mounts *mounts, const char *from, const char *to)
{
    FTH_GROW(mounts->links, mounts->link_count);
    mounts->links[mounts->link_count++] =
        (struct fth_mount_link){fth_text_copy(from), fth_text_copy(to)};
}

void fth_mounts_add_file(struct fth_mounts *mounts, const char *path, uint64_t count, uint64_t size)
{
    FTH_GROW(mounts->files, mounts->file_count);
    mounts->files[mounts->file_count++] = (struct fth_striped){fth_text_copy(path), count, size};
}

void fth_mounts_free(struct fth_mounts *mounts)
{
    for (size_t i = 0; i < mounts->mount_count; i++) {
        free(mounts->mounts[i].point);
        free(mounts->mounts[i].type);
        free(mounts->mounts[i].source);
    }
    for (size_t i = 0; i < mounts->link_count; i++) {
        free(mounts->links[i].from);
        free(mounts->links[i].to);
    }
    for (size_t i = 0; i < mounts->file_count; i++)
        free(mounts->files[i].path);
    free(mounts->mounts);
    free(mounts->links);
    free(mounts->files);
    free(mounts->host);
    *mounts = (struct fth_mounts){0};
}

/* ---- finding ---- */

/* The length of the folder that the path is in, or is; 0: it is not in this folder. */
static size_t length_within(const char *folder, const char *path)
{
    size_t length = strlen(folder);
    if (length == 1 && *folder == '/')
        return *path == '/';
    if (length == 0 || strncmp(folder, path, length) != 0)
        return 0;
    return path[length] == '/' || path[length] == 0 ? length : 0;
}

static const struct fth_mount_link *find_link(const struct fth_mounts *mounts, const char *path,
                                              size_t *length)
{
    const struct fth_mount_link *found = NULL;
    *length = 0;
    for (size_t i = 0; i < mounts->link_count; i++) {
        size_t its_length = length_within(mounts->links[i].from, path);
        if (its_length > *length) {
            *length = its_length;
            found = &mounts->links[i];
        }
    }
    return found;
}

/* Follows links into `room`; returns the path that they lead to. */
static const char *follow(const struct fth_mounts *mounts, const char *path, char room[2][PATH_MAX])
{
    size_t length;
    for (int i = 0; i < MOST_STEPS; i++) {
        const struct fth_mount_link *link = find_link(mounts, path, &length);
        if (!link || snprintf(room[i % 2], PATH_MAX, "%s%s", link->to, path + length) >= PATH_MAX)
            return path;
        path = room[i % 2];
    }
    return path;
}

const struct fth_mount *fth_mounts_find(const struct fth_mounts *mounts, const char *path)
{
    char room[2][PATH_MAX];
    const struct fth_mount *found = NULL;
    size_t longest = 0;
    path = follow(mounts, path, room);
    for (size_t i = 0; i < mounts->mount_count; i++) {
        size_t length = length_within(mounts->mounts[i].point, path);
        if (length && length >= longest) {
            longest = length;
            found = &mounts->mounts[i];
        }
    }
    return found;
}

/* ---- bytes ---- */

static void put_text(struct fth_bytes *to, const char *text)
{
    size_t length = strlen(text);
    fth_bytes_text(to, text, length < MOST_TEXT ? length : MOST_TEXT);
}

void fth_mounts_write(const struct fth_mounts *mounts, struct fth_bytes *to)
{
    put_text(to, mounts->host);
    fth_bytes_varint(to, mounts->mount_count);
    for (size_t i = 0; i < mounts->mount_count; i++) {
        const struct fth_mount *mount = &mounts->mounts[i];
        put_text(to, mount->point);
        put_text(to, mount->type);
        put_text(to, mount->source);
        fth_bytes_varint(to, mount->block_size);
        fth_bytes_varint(to, mount->shared);
    }
    fth_bytes_varint(to, mounts->link_count);
    for (size_t i = 0; i < mounts->link_count; i++) {
        put_text(to, mounts->links[i].from);
        put_text(to, mounts->links[i].to);
    }
    fth_bytes_varint(to, mounts->file_count);
    for (size_t i = 0; i < mounts->file_count; i++) {
        put_text(to, mounts->files[i].path);
        fth_bytes_varint(to, mounts->files[i].count);
        fth_bytes_varint(to, mounts->files[i].size);
    }
}

static char *read_text(struct fth_view *view)
{
    uint64_t length = fth_view_varint(view);
    const uint8_t *bytes = length > MOST_TEXT ? NULL : fth_view_bytes(view, length);
    if (!bytes) {
        view->failed = true;
        return fth_text_copy("");
    }
    char *text = fth_new(length + 1, 1);
    memcpy(text, bytes, length);
    return text;
}

static void read_mounts(struct fth_mounts *mounts, struct fth_view *view)
{
    for (uint64_t count = fth_view_count(view, 5); count && !view->failed; count--) {
        FTH_GROW(mounts->mounts, mounts->mount_count);
        struct fth_mount *mount = &mounts->mounts[mounts->mount_count++];
        mount->point = read_text(view);
        mount->type = read_text(view);
        mount->source = read_text(view);
        mount->block_size = fth_view_varint(view);
        uint64_t shared = fth_view_varint(view);
        mount->shared = shared == 1;
        view->failed |= shared > 1;
    }
}

static void read_links(struct fth_mounts *mounts, struct fth_view *view)
{
    for (uint64_t count = fth_view_count(view, 2); count && !view->failed; count--) {
        FTH_GROW(mounts->links, mounts->link_count);
        struct fth_mount_link *link = &mounts->links[mounts->link_count++];
        link->from = read_text(view);
        link->to = read_text(view);
    }
}

static void read_files(struct fth_mounts *mounts, struct fth_view *view)
{
    for (uint64_t count = fth_view_count(view, 3); count && !view->failed; count--) {
        FTH_GROW(mounts->files, mounts->file_count);
        struct fth_striped *file = &mounts->files[mounts->file_count++];
        file->path = read_text(view);
        file->count = fth_view_varint(view);
        file->size = fth_view_varint(view);
    }
}

int fth_mounts_read(struct fth_mounts *mounts, const void *bytes, size_t length,
                    struct fth_error **error)
{
    struct fth_view view = fth_view_of(bytes, length);
    *mounts = (struct fth_mounts){.host = read_text(&view)};
    read_mounts(mounts, &view);
    read_links(mounts, &view);
    read_files(mounts, &view);
    if (!view.failed && view.at == view.end)
        return 0;
    fth_mounts_free(mounts);
    return fth_fail(error, "its mounts are damaged at byte %zu of them",
                    (size_t)(view.at - (const uint8_t *)bytes));
}
