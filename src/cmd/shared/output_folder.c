/* Draft folders, and what they replace. */
#include "cmd/shared/output_folder.h"

#include "base/memory.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OPEN_FOLDERS = 16 };

static int remove_one(const char *path, const struct stat *facts, int type, struct FTW *place)
{
    (void)facts;
    (void)type;
    (void)place;
    return remove(path);
}

void fth_cmd_remove_tree(const char *path)
{
    nftw(path, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
}

static int check_place(struct fth_cmd_draft_folder *draft, const char *mark, bool force,
                       struct fth_error **error)
{
    struct stat facts;
    if (lstat(draft->path, &facts))
        return errno == ENOENT ? 0 : fth_fail_errno(error, "cannot write to '%s'", draft->path);
    char *marked = fth_text_format("%s/%s", draft->path, mark);
    bool is_ours = S_ISDIR(facts.st_mode) && access(marked, F_OK) == 0;
    free(marked);
    if (!is_ours)
        return fth_fail(error,
                        "'%s' exists already, and is no folder that this command made: "
                        "choose another name with -o",
                        draft->path);
    draft->replaces = true;
    return force ? 0 : fth_fail(error, "'%s' exists already; --force replaces it", draft->path);
}

int fth_cmd_open_draft_folder(struct fth_cmd_draft_folder *draft, const char *path,
                              const char *mark, bool force, struct fth_error **error)
{
    *draft = (struct fth_cmd_draft_folder){.path = path};
    if (check_place(draft, mark, force, error))
        return -1;
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    draft->name = fth_text_format("%.*s.%d.part", (int)length, path, (int)getpid());
    if (mkdir(draft->name, 0777) == 0)
        return 0;
    free(draft->name);
    return fth_fail_errno(error, "cannot write to '%s'", path);
}

int fth_cmd_open_placed_folder(struct fth_cmd_draft_folder *draft, const char *path,
                               const char *mark, bool force, struct fth_error **error)
{
    *draft = (struct fth_cmd_draft_folder){.path = path, .is_placed = true};
    if (check_place(draft, mark, force, error))
        return -1;
    if (draft->replaces)
        fth_cmd_remove_tree(path);
    char *marked = fth_text_format("%s/%s", path, mark);
    FILE *file = mkdir(path, 0777) == 0 ? fopen(marked, "we") : NULL;
    free(marked);
    if (!file)
        return fth_fail_errno(error, "cannot write to '%s'", path);
    fclose(file);
    draft->name = fth_text_copy(path);
    return 0;
}

static int put_in_place(struct fth_cmd_draft_folder *draft, struct fth_error **error)
{
    char *old = draft->replaces ? fth_text_format("%s.old", draft->name) : NULL;
    int result = old && rename(draft->path, old) ? -1 : rename(draft->name, draft->path);
    if (result)
        fth_fail_errno(error, "cannot write to '%s'", draft->path);
    if (old && result)
        rename(old, draft->path);
    else if (old)
        fth_cmd_remove_tree(old);
    free(old);
    return result ? -1 : 0;
}

int fth_cmd_close_draft_folder(struct fth_cmd_draft_folder *draft, int result,
                               struct fth_error **error)
{
    if (!result && !draft->is_placed)
        result = put_in_place(draft, error);
    if (result)
        fth_cmd_remove_tree(draft->name);
    free(draft->name);
    return result;
}
