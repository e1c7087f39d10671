/* Follows links by hand, as the file itself need not be there yet. */
#include "cmd/shared/output_file.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_LINKS = 40 }; /* as many as the kernel follows */

/* `name` seen from the folder that `path` is in, without links and ".." on the way to it as far as
 * that is there. To be freed. */
static char *seen_from(const char *path, const char *name)
{
    const char *slash = *name == '/' ? NULL : strrchr(path, '/');
    char *next, resolved[PATH_MAX];
    next = fth_text_format("%.*s%s", slash ? (int)(slash + 1 - path) : 0, path, name);
    char *last = strrchr(next, '/'), *whole = next;
    if (!last || last == next)
        return next;
    *last = 0;
    const char *folder = realpath(next, resolved);
    *last = '/';
    if (folder)
        whole = fth_text_format("%s%s", strcmp(folder, "/") ? folder : "", last);
    if (folder)
        free(next);
    return whole;
}

char *fth_cmd_output_file(const char *path)
{
    char target[PATH_MAX], *file = fth_text_copy(path);
    for (int followed = 0; file; followed++) {
        ssize_t length = readlink(file, target, sizeof target - 1);
        if (length < 0)
            return file;
        if (followed == MOST_LINKS) {
            free(file);
            errno = ELOOP;
            return NULL;
        }
        target[length] = 0;
        char *next = seen_from(file, target);
        free(file);
        file = next;
    }
    return NULL;
}

int fth_cmd_check_output_file(const char *what, const char *path, struct fth_error **error)
{
    struct stat status;
    char *probe;
    bool is_there = stat(path, &status) == 0;
    if (is_there && S_ISDIR(status.st_mode))
        return fth_fail(error, "cannot write %s'%s': it is a folder", what, path);
    if (is_there && !S_ISREG(status.st_mode))
        return fth_fail(error, "cannot write %s'%s': it is not a plain file", what, path);
    probe = fth_text_format("%s.XXXXXX", path);
    int file = mkostemp(probe, O_CLOEXEC);
    int result = file < 0 ? fth_fail_errno(error, "cannot write %s'%s'", what, path) : 0;
    if (file >= 0) {
        close(file);
        unlink(probe);
    }
    free(probe);
    return result;
}

int fth_cmd_check_new_file(const char *path, bool force, struct fth_error **error)
{
    if (fth_cmd_check_output_file("", path, error))
        return -1;
    return force || access(path, F_OK) != 0
               ? 0
               : fth_fail(error, "'%s' exists already; --force replaces it", path);
}

void fth_cmd_let_name_go(const char *path)
{
    struct stat facts;
    if (stat(path, &facts) == 0 && facts.st_size == 0)
        unlink(path);
}

static int write_all(int descriptor, const char *bytes, size_t count)
{
    for (size_t done = 0; done < count;) {
        ssize_t written = write(descriptor, bytes + done, count - done);
        if (written < 0 && errno != EINTR)
            return -1;
        done += written > 0 ? (size_t)written : 0;
    }
    return 0;
}

int fth_cmd_open_draft(struct fth_cmd_draft *draft, const char *path, bool force,
                       struct fth_error **error)
{
    *draft = (struct fth_cmd_draft){.path = path, .force = force};
    draft->name = fth_text_format("%s.%d.part", path, (int)getpid());
    draft->descriptor = open(draft->name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (draft->descriptor >= 0)
        return 0;
    fth_fail_errno(error, "cannot write to '%s'", path);
    free(draft->name);
    return -1;
}

int fth_cmd_close_draft(struct fth_cmd_draft *draft, int result, struct fth_error **error)
{
    const char *path = draft->path;
    if (!result && fsync(draft->descriptor))
        result = fth_fail_errno(error, "cannot write to '%s'", path);
    if (close(draft->descriptor) && !result)
        result = fth_fail_errno(error, "cannot write to '%s'", path);
    if (!result && (draft->force ? rename(draft->name, path) : link(draft->name, path)))
        result = errno == EEXIST
                     ? fth_fail(error, "'%s' was created meanwhile; --force replaces it", path)
                     : fth_fail_errno(error, "cannot write to '%s'", path);
    unlink(draft->name);
    free(draft->name);
    return result;
}

int fth_cmd_save(const char *path, const struct fth_sink *content, bool force,
                 struct fth_error **error)
{
    struct fth_cmd_draft draft;
    if (fth_cmd_open_draft(&draft, path, force, error))
        return -1;
    int result = content->failed || write_all(draft.descriptor, content->bytes, content->used)
                     ? fth_fail_errno(error, "cannot write to '%s'", path)
                     : 0;
    return fth_cmd_close_draft(&draft, result, error);
}
