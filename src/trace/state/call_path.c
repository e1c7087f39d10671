/* Which path a call is about. */
#include "trace/state/call_path.h"

#include "base/path_text.h"

static bool find_given_path(const struct fth_thread_state *state,
                            const struct fth_path_meaning *path, const int64_t *values,
                            const char *process_directory, struct fth_path_parts *parts)
{
    *parts = (struct fth_path_parts){.base = "", .path = ""};
    if (path->value < 0)
        return false;
    parts->path = fth_state_text(state, values[path->value], &parts->path_length);
    if (parts->path_length == 0)
        return false;
    size_t own = fth_path_own_root(parts->path, parts->path_length);
    if (!own)
        own = fth_path_own_directory(parts->path, parts->path_length);
    parts->path += own;
    parts->path_length -= own;
    if (*parts->path == '/')
        return true;
    const struct fth_binding *directory =
        path->directory >= 0 && !own
            ? fth_state_binding(state, path->directory_class, values[path->directory])
            : NULL;
    bool is_here =
        own || path->directory < 0 || values[path->directory] == FTH_SLOT_NONE; /* AT_FDCWD */
    if (!directory && !is_here)
        return false;
    if (directory) {
        uint32_t real = directory->real_path ? directory->real_path : directory->path;
        parts->base = fth_state_text(state, real, &parts->base_length);
    } else if (state->cwd) {
        parts->base = fth_state_text(state, state->cwd, &parts->base_length);
    } else if (process_directory) {
        parts->base = process_directory;
        parts->base_length = strlen(process_directory);
    }
    fth_path_climb(&parts->path, &parts->path_length, parts->base, &parts->base_length);
    return true;
}

bool fth_call_path(const struct fth_thread_state *state, const struct fth_meaning *meaning,
                   const int64_t *values, const char *process_directory,
                   struct fth_path_parts *parts)
{
    *parts = (struct fth_path_parts){.base = "", .path = ""};
    if (meaning->about.handle < 0)
        return find_given_path(state, &meaning->about.path, values, process_directory, parts);
    const struct fth_binding *binding =
        fth_state_binding(state, meaning->about.handle_class, values[meaning->about.handle]);
    if (!binding)
        return false;
    parts->path = fth_state_text(state, binding->path, &parts->path_length);
    parts->path_length = strnlen(parts->path, parts->path_length); /* without an object */
    return parts->path_length > 0;
}

bool fth_call_second_path(const struct fth_thread_state *state, const struct fth_meaning *meaning,
                          const int64_t *values, const char *process_directory,
                          struct fth_path_parts *parts)
{
    return find_given_path(state, &meaning->about.second_path, values, process_directory, parts);
}

static bool needs_slash(const struct fth_path_parts *parts)
{
    return parts->base_length && parts->path_length && parts->base[parts->base_length - 1] != '/';
}

void fth_path_join_at(const struct fth_path_parts *parts, char *to)
{
    memcpy(to, parts->base, parts->base_length);
    to += parts->base_length;
    if (needs_slash(parts))
        *to++ = '/';
    memcpy(to, parts->path, parts->path_length);
    to[parts->path_length] = 0;
}

void fth_path_join(const struct fth_path_parts *parts, struct fth_bytes *to)
{
    to->length = 0;
    fth_path_join_at(parts,
                     (char *)fth_bytes_room(to, parts->base_length + parts->path_length + 2));
    to->length = parts->base_length + needs_slash(parts) + parts->path_length;
}
