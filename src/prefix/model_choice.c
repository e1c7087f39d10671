/* Choosing models. */
#include "prefix/model_choice.h"

#include "prefix/descriptor_table.h"
#include "prefix/file_ends.h"
#include "prefix/prefix_paths.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool refuse(const char *name, const char *one, const char *other)
{
    char text[PATH_MAX + 256];
    int length = snprintf(text, sizeof text,
                          "fathom fs: '%s' cannot be opened under two models, %s and %s\n", name,
                          one, other);
    write(STDERR_FILENO, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
    errno = EINVAL;
    return false;
}

/* NULL: two rules name it with different models, which is said. */
static const struct fth_fs_model *model_of(const char *name)
{
    const struct fth_model_rules *rules = &fth_client.instance.rules;
    const struct fth_model_rule *one, *other;
    const struct fth_fs_model *model = fth_model_rules_of(rules, name, &one, &other);
    if (!model)
        refuse(name, rules->models[one->model].name, rules->models[other->model].name);
    return model;
}

bool fth_prefix_choose_model(struct fth_client_file *file, const char *name)
{
    const struct fth_fs_model *model = model_of(name);
    if (!model)
        return false;
    if (file->handles && file->model != model)
        return refuse(name, file->model->name, model->name);
    file->model = model;
    return true;
}

/* ---- before anything is done ---- */

static bool may_be(const char *identity, const char *name)
{
    const struct fth_fs_model *model = model_of(name);
    if (!model)
        return false;
    uint64_t signals = fth_prefix_enter();
    const struct fth_client_file *file = fth_prefix_find(identity);
    const struct fth_fs_model *has = file ? file->model : model;
    fth_prefix_leave(signals);
    return has == model || refuse(name, has->name, model->name);
}

static bool may_be_there(int file)
{
    char name[PATH_MAX], identity[FTH_IDENTITY_MOST];
    struct stat facts;
    if (fstat(file, &facts) || facts.st_dev != fth_prefix.device || !S_ISREG(facts.st_mode) ||
        !fth_prefix_is_below(file, name))
        return true;
    fth_prefix_identity(&facts, file, "", identity);
    return may_be(identity, name);
}

enum { MOST_LINKS = 40, PATH_FLAGS = O_PATH | O_CLOEXEC };

/* A file that is not there yet: what it is going to be called. A link to it is followed. */
static bool may_be_made(int directory, const char *path, int links)
{
    char name[PATH_MAX], target[PATH_MAX];
    const char *base;
    int folder = fth_prefix_folder_of(directory, path, &base);
    if (folder < 0)
        return true;
    bool may = true;
    long length = links ? syscall(SYS_readlinkat, folder, base, target, sizeof target - 1) : -1;
    if (length > 0) {
        target[length] = 0;
        may = may_be_made(folder, target, links - 1);
    } else if (fth_prefix_is_below(folder, name)) {
        size_t before = strlen(name);
        int rest = snprintf(name + before, sizeof name - before, "%s%s", before ? "/" : "", base);
        may = (size_t)rest >= sizeof name - before || model_of(name) != NULL;
    }
    syscall(SYS_close, folder);
    return may;
}

bool fth_prefix_may_open(int directory, const char *path, int flags)
{
    if (!fth_prefix.is_on || fth_client.instance.rules.model_count < 2 || !path || flags & O_PATH ||
        !(flags & (O_CREAT | O_TRUNC)) || fth_prefix_is_borrowed())
        return true;
    int before = errno;
    bool may = true;
    int file = (int)syscall(SYS_openat, directory, path, PATH_FLAGS | (flags & O_NOFOLLOW));
    if (file >= 0) {
        may = (flags & O_EXCL && flags & O_CREAT) || may_be_there(file);
        syscall(SYS_close, file);
    } else if (errno == ENOENT && flags & O_CREAT) {
        may = may_be_made(directory, path, flags & O_EXCL ? 0 : MOST_LINKS);
    }
    if (may)
        errno = before;
    return may;
}
