/* Paths as the program gives them, made absolute, and the working directory. They are put together
 * in the recorder's room, one at a time, in work for a recorded call. */
#include "capture/follow/paths.h"

#include "base/path_text.h"
#include "capture/follow/handle_slots.h"
#include "capture/process/shared_page.h"
#include "capture/record/recorder_notes.h"
#include "interpose/own/own_memory.h"
#include "interpose/own/put.h"

#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct fth_lock cwd_lock;
static uint32_t cwd_generation;
static char cwd[FTH_LONGEST_PATH];
static uint64_t cwd_renames; /* that there had been when it was asked for */

/* In all processes of the node: the current folder of each, and any that it has open, may have
 * another path now. */
void fth_folder_renamed(void)
{
    if (fth_shared_page)
        __atomic_add_fetch(&fth_shared_page->renames, 1, __ATOMIC_RELEASE);
}

uint64_t fth_folder_renames(void)
{
    return fth_shared_page ? __atomic_load_n(&fth_shared_page->renames, __ATOMIC_ACQUIRE) : 0;
}

static void ask_cwd(void)
{
    if (syscall(SYS_getcwd, cwd, sizeof cwd) <= 0)
        cwd[0] = 0;
}

/* It keeps its generation, and is not noted again, where it has the same path. */
static void ask_cwd_again(void)
{
    static char asked[FTH_LONGEST_PATH];
    if (syscall(SYS_getcwd, asked, sizeof asked) <= 0 || strcmp(asked, cwd) == 0)
        return;
    strcpy(cwd, asked);
    cwd_generation++;
}

/* Asks for the working directory if nobody has, or if something was renamed since. A vforked child
 * has one of its own, but the memory of its parent. */
void fth_directory_known(void)
{
    if (fth_vforked)
        return;
    int before = errno;
    uint64_t renames = fth_folder_renames();
    fth_lock(&cwd_lock);
    if (!cwd_generation) {
        ask_cwd();
        cwd_generation = 1;
    } else if (cwd_renames != renames) {
        ask_cwd_again();
    }
    cwd_renames = renames;
    fth_unlock(&cwd_lock);
    errno = before;
}

/* The working directory has changed, or may have. */
void fth_directory_changed(void)
{
    if (fth_vforked)
        return;
    int before = errno;
    fth_lock(&cwd_lock);
    ask_cwd();
    cwd_generation++;
    fth_unlock(&cwd_lock);
    errno = before;
}

const char *fth_path_of_descriptor(int descriptor)
{
    char name[64], *path = fth_self->path;
    if (descriptor >= 0)
        fth_put_decimal(fth_put_text(name, "/proc/self/fd/"), (uint64_t)descriptor);
    else
        *name = 0;
    ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, name, path, FTH_LONGEST_PATH - 1);
    path[length > 0 ? length : 0] = 0;
    return path;
}

const char *fth_make_absolute(const char *path, int directory)
{
    const size_t size = FTH_LONGEST_PATH;
    char *absolute = fth_self->path;
    absolute[0] = 0;
    if (*path != '/' && directory == AT_FDCWD && fth_vforked) {
        if (syscall(SYS_getcwd, absolute, size) <= 0)
            absolute[0] = 0;
    } else if (*path != '/' && directory == AT_FDCWD) {
        fth_directory_known();
        fth_lock(&cwd_lock);
        memcpy(absolute, cwd, strlen(cwd) + 1); /* both have room for the longest path */
        fth_unlock(&cwd_lock);
    } else if (*path != '/') {
        fth_path_of_descriptor(directory);
    }
    size_t length = strnlen(absolute, size), left = strnlen(path, size);
    fth_path_climb(&path, &left, absolute, &length);
    absolute[length] = 0;
    if (length && (!left || strcmp(path, ".") == 0))
        return absolute;
    if (length && absolute[length - 1] != '/' && length + 1 < size)
        absolute[length++] = '/';
    left = strnlen(path, size - length - 1);
    memcpy(absolute + length, path, left);
    absolute[length + left] = 0;
    return absolute;
}

const char *fth_absolute_path(const char *path)
{
    return fth_make_absolute(path, AT_FDCWD);
}

void fth_note_directory(struct fth_draft *draft, const char *path)
{
    struct fth_recorder *recorder = draft->recorder;
    if (!path || *path == 0 || (*path == '/' && !fth_path_own_directory(path, strlen(path))))
        return;
    if (cwd_generation && recorder->cwd == cwd_generation && cwd_renames == fth_folder_renames())
        return;
    int before = errno;
    fth_directory_known();
    fth_lock(&cwd_lock);
    strcpy(recorder->path, cwd);
    uint32_t generation = cwd_generation;
    fth_unlock(&cwd_lock);
    if (recorder->cwd == generation) {
        errno = before;
        return;
    }
    recorder->cwd = fth_record_directory(draft, recorder->path) ? generation : 0;
    errno = before;
}

bool fth_opened_path_is_wanted(const char *path, int directory, enum fth_path_use use)
{
    int before = errno;
    bool wanted = !path || fth_absolute_path_is_wanted(fth_make_absolute(path, directory), use);
    errno = before;
    return wanted;
}

bool fth_path_is_wanted(const char *path, int directory)
{
    return fth_opened_path_is_wanted(path, directory, FTH_PATH_NAMED);
}

void fth_paths_in_child(void)
{
    cwd_lock.owner = NULL;
}
