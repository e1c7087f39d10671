/* What processes had not attached when they ended. */
#include "fs/protocol/unsaved.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static void find_program(char program[FTH_UNSAVED_PROGRAM])
{
    int file = open("/proc/self/comm", O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? -1 : read(file, program, FTH_UNSAVED_PROGRAM - 1);
    if (file >= 0)
        close(file);
    program[length > 0 ? length : 0] = 0;
    program[strcspn(program, "\n")] = 0;
}

struct fth_unsaved *fth_unsaved_make(int folder, uint32_t client)
{
    char name[64];
    long process = syscall(SYS_getpid);
    snprintf(name, sizeof name, "unsaved/%ld-%u", process, client);
    int file = openat(folder, name, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
        return NULL;
    int error = posix_fallocate(file, 0, sizeof(struct fth_unsaved));
    void *map = error ? MAP_FAILED
                      : mmap(NULL, sizeof(struct fth_unsaved), PROT_READ | PROT_WRITE, MAP_SHARED,
                             file, 0);
    error = error ? error : errno;
    close(file);
    if (map == MAP_FAILED) {
        unlinkat(folder, name, 0);
        errno = error;
        return NULL;
    }
    struct fth_unsaved *made = map;
    find_program(made->program);
    made->process = process;
    return made;
}

void fth_unsaved_leave(struct fth_unsaved *unsaved)
{
    if (unsaved)
        munmap(unsaved, sizeof *unsaved);
}

struct fth_unsaved_file *fth_unsaved_add(struct fth_unsaved *unsaved, const char *name)
{
    if (unsaved->count == FTH_UNSAVED_FILES)
        return &unsaved->files[FTH_UNSAVED_FILES - 1];
    struct fth_unsaved_file *file = &unsaved->files[unsaved->count++];
    size_t length = strlen(name);
    if (unsaved->count == FTH_UNSAVED_FILES)
        name = "other files";
    else if (length >= FTH_UNSAVED_NAME)
        name += length - (FTH_UNSAVED_NAME - 1);
    snprintf(file->name, sizeof file->name, "%s", name);
    return file;
}

void fth_unsaved_put(struct fth_unsaved_file *file, uint64_t begin, uint64_t end)
{
    bool is_empty = file->begin == file->end;
    file->has_gaps = !is_empty && (file->has_gaps || begin > file->end || end < file->begin);
    file->begin = is_empty || begin < file->begin ? begin : file->begin;
    file->end = is_empty || end > file->end ? end : file->end;
}

void fth_unsaved_clear(struct fth_unsaved_file *file)
{
    file->begin = file->end = 0;
    file->has_gaps = false;
}

/* ---- those who come later ---- */

static void tell_of(const struct fth_unsaved *unsaved,
                    void (*tell)(const struct fth_unsaved *, const struct fth_unsaved_file *,
                                 void *),
                    void *data)
{
    uint32_t count = unsaved->count < FTH_UNSAVED_FILES ? unsaved->count : FTH_UNSAVED_FILES;
    for (uint32_t i = 0; i < count; i++) {
        struct fth_unsaved_file file = unsaved->files[i];
        file.name[FTH_UNSAVED_NAME - 1] = 0;
        if (file.begin < file.end)
            tell(unsaved, &file, data);
    }
}

static bool is_there(int64_t process)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%lld", (long long)process);
    return access(path, F_OK) == 0;
}

/* NULL: it is not whole. */
static struct fth_unsaved *read_one(int folder, const char *name)
{
    struct fth_unsaved *unsaved = malloc(sizeof *unsaved);
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    bool done = unsaved && file >= 0 &&
                read(file, unsaved, sizeof *unsaved) == (ssize_t)sizeof *unsaved;
    if (file >= 0)
        close(file);
    if (done) {
        unsaved->program[FTH_UNSAVED_PROGRAM - 1] = 0;
        return unsaved;
    }
    free(unsaved);
    return NULL;
}

void fth_unsaved_each(int folder,
                      void (*tell)(const struct fth_unsaved *process,
                                   const struct fth_unsaved_file *file, void *data),
                      void *data)
{
    int listed = openat(folder, "unsaved", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = listed < 0 ? NULL : fdopendir(listed);
    struct dirent *entry;
    while (entries && (entry = readdir(entries))) {
        struct fth_unsaved *unsaved =
            entry->d_name[0] == '.' ? NULL : read_one(dirfd(entries), entry->d_name);
        if (unsaved && !is_there(unsaved->process))
            tell_of(unsaved, tell, data);
        free(unsaved);
    }
    if (entries)
        closedir(entries);
}
