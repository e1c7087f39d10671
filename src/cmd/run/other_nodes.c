/* Other nodes. Open MPI's daemons there do not get the environment of mpirun; they are started
 * through us. What processes leave behind comes by way of PARTS@/HOST~NUMBER, beside the output
 * (see src/capture/process/placement.c). */
#include "cmd/run/other_nodes.h"

#include "base/memory.h"
#include "base/settings.h"
#include "base/sink.h"
#include "base/visible.h"
#include "cmd/shared/command.h"
#include "base/own_folder.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 3000, BETWEEN_LOOKS = 20 }; /* ms */

/* ---- there ---- */

static bool is_harmless(char byte)
{
    return isalnum((unsigned char)byte) || (byte && strchr("_./=-", byte));
}

static void put_word(struct fth_sink *sink, const char *text)
{
    char code[4];
    for (; *text; text++) {
        snprintf(code, sizeof code, is_harmless(*text) ? "%c" : "%%%02X", (unsigned char)*text);
        fth_sink_text(sink, code);
    }
}

char *fth_node_launch_agent(const struct fth_setting *settings, const char *daemon)
{
    char self[PATH_MAX];
    struct fth_sink sink;
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = 0;
    for (const char *at = self; *at; at++)
        if (!is_harmless(*at))
            return NULL;
    fth_sink_open_memory(&sink);
    fth_sink_text(&sink, self);
    fth_sink_text(&sink, " on-node ");
    for (bool first = true; settings->name; settings++) {
        if (!settings->value ||
            (strncmp(settings->name, FTH_SETTING_PREFIX, strlen(FTH_SETTING_PREFIX)) != 0 &&
             strcmp(settings->name, "LD_PRELOAD") != 0 &&
             strcmp(settings->name, "ASAN_OPTIONS") != 0))
            continue;
        fth_sink_text(&sink, first ? "" : ",");
        put_word(&sink, settings->name);
        fth_sink_char(&sink, '=');
        put_word(&sink, settings->value);
        first = false;
    }
    fth_sink_char(&sink, ' ');
    fth_sink_text(&sink, daemon);
    fth_sink_char(&sink, 0);
    char *made = sink.failed ? NULL : fth_text_copy(sink.bytes);
    fth_sink_close_memory(&sink);
    return made;
}

static void decode(char *text)
{
    char *to = text;
    for (unsigned code; *text; to++)
        if (*text == '%' && sscanf(text + 1, "%2x", &code) == 1) {
            *to = (char)code;
            text += 3;
        } else {
            *to = *text++;
        }
    *to = 0;
}

static void set(char *entry)
{
    char *value = strchr(entry, '='), *both = NULL;
    const char *theirs;
    if (!value)
        return;
    *value++ = 0;
    decode(value);
    theirs = getenv(entry);
    if (strncmp(entry, FTH_SETTING_PREFIX, strlen(FTH_SETTING_PREFIX)) != 0 && theirs && *theirs)
        value = both = fth_text_format("%s:%s", value, theirs);
    setenv(entry, value, 1);
    free(both);
}

int fth_cmd_on_node(int argc, char **argv)
{
    if (argc < 3) {
        fputs("fathom on-node: started by launchers, with settings and a command\n", stderr);
        return 1;
    }
    for (char *entry = strtok(argv[1], ","); entry; entry = strtok(NULL, ","))
        set(entry);
    execvp(argv[2], argv + 2);
    fth_say(stderr, "fathom on-node: cannot run '%s': %s\n", argv[2], strerror(errno));
    return fth_launch_status_of_error(errno);
}

/* ---- back ---- */

/* Holes stay holes: a stream is mostly made of them. */
static int copy_file(int folder, const char *name, const char *to_path, struct fth_error **error)
{
    struct stat facts;
    int from = fth_own_folder_file(folder, name);
    int to = from < 0 ? -1 : open(to_path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    bool good = to >= 0 && fstat(from, &facts) == 0 && ftruncate(to, facts.st_size) == 0;
    for (off_t at = 0, data; good && (data = lseek(from, at, SEEK_DATA)) >= 0;) {
        at = lseek(from, data, SEEK_HOLE);
        good = lseek(to, data, SEEK_SET) == data;
        while (good && data < at)
            good = sendfile(to, from, &data, (size_t)(at - data)) > 0;
    }
    int result = good ? 0 : fth_fail_errno(error, "cannot copy '%s' to '%s'", name, to_path);
    if (from >= 0)
        close(from);
    if (to >= 0)
        close(to);
    return result;
}

/* The entries of an open folder, which stays open; NULL: it cannot be listed. To be closed. */
static DIR *list(int folder)
{
    int listed = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *directory = listed < 0 ? NULL : fdopendir(listed);
    if (!directory && listed >= 0)
        close(listed);
    return directory;
}

/* Takes what was recorded out of the open folder that is called `path`. */
static int take_from(const struct fth_cmd_run *run, int folder, const char *path,
                     struct fth_error **error)
{
    DIR *directory = list(folder);
    int result = 0, found = 0;
    if (!directory)
        return fth_fail_errno(error, "cannot read '%s'", path);
    for (struct dirent *entry; result == 0 && (entry = readdir(directory));) {
        if (!fth_run_is_recorded(entry->d_name))
            continue;
        char *to = fth_run_path_in_spill(run->spill, entry->d_name);
        result =
            to ? copy_file(folder, entry->d_name, to, error) : fth_fail(error, "out of memory");
        found++;
        free(to);
    }
    closedir(directory);
    if (result == 0 && !found)
        return fth_fail(error, "'%s' contains no recording", path);
    return result ? fth_fail_in(error, "'%s'", path) : 0;
}

int fth_node_take(const struct fth_cmd_run *run, const char *path, struct fth_error **error)
{
    int folder = fth_own_folder(AT_FDCWD, path, error);
    if (folder < 0)
        return -1;
    int result = take_from(run, folder, path, error);
    close(folder);
    return result;
}

/* The folder that an announcement names; NULL: everything has been brought. It is called as the
 * spill folder of the run is. */
static char *left_behind(const struct fth_cmd_run *run, int place)
{
    char text[PATH_MAX];
    int file = fth_own_folder_file(place, "spill");
    ssize_t length = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    text[length > 0 ? length : 0] = 0;
    const char *name = strrchr(text, '/'), *own = strrchr(run->spill, '/');
    return name && own && *text == '/' && strcmp(name, own) == 0 ? fth_text_copy(text) : NULL;
}

/* HOST~NUMBER, which is 16 hexadecimal digits. */
static bool is_announcement(const char *name)
{
    const char *number = strrchr(name, '~');
    return number && number > name && *name != '.' &&
           strspn(number + 1, "0123456789abcdef") == 16 && !number[17];
}

static int meeting_place(const struct fth_cmd_run *run)
{
    if (!run->parts)
        return -1;
    char *all = fth_text_format("%s@", run->parts);
    int folder = fth_own_folder(AT_FDCWD, all, NULL);
    free(all);
    return folder;
}

static void each_node(const struct fth_cmd_run *run,
                      void (*visit)(const char *name, int place, void *context), void *context)
{
    int all = meeting_place(run);
    DIR *directory = all < 0 ? NULL : list(all);
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        int place = is_announcement(entry->d_name) ? fth_own_folder(all, entry->d_name, NULL) : -1;
        if (place < 0)
            continue;
        visit(entry->d_name, place, context);
        close(place);
    }
    if (directory)
        closedir(directory);
    if (all >= 0)
        close(all);
}

struct collecting {
    struct fth_cmd_run *run;
    bool incomplete;
};

static void collect_one(const char *host, int place, void *context)
{
    struct collecting *collecting = context;
    struct fth_error *error = NULL;
    char *folder = left_behind(collecting->run, place);
    if (take_from(collecting->run, place, host, &error) && !folder)
        collecting->incomplete = true; /* a full disk */
    fth_error_free(error);
    error = NULL;
    /* Another TMPDIR on a shared file system: it can be had from here. */
    if (folder && fth_node_take(collecting->run, folder, &error)) {
        char *sentence = fth_text_format(
            "the files in %s on %.*s: copy that folder here, and give it to fathom merge", folder,
            (int)strcspn(host, "~"), host);
        fth_run_add_spot(collecting->run, sentence);
        collecting->incomplete = true;
        free(sentence);
    }
    fth_error_free(error);
    free(folder);
}

/* Is a sampler of that node still to bring what it has? */
static bool is_sampled(const char *host, int place)
{
    char *marker;
    marker = fth_text_format("%.*s.sampling", (int)strcspn(host, "~"), host);
    bool sampled = faccessat(place, marker, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
    free(marker);
    return sampled;
}

struct waiting {
    const struct fth_cmd_run *run;
    bool more;
};

static void look_for_more(const char *host, int place, void *context)
{
    struct waiting *waiting = context;
    char *folder = left_behind(waiting->run, place);
    waiting->more |= (folder && access(folder, F_OK) != 0) || is_sampled(host, place);
    free(folder);
}

/* Daemons on other nodes end after their launcher has, and what they do there is seen here after a
 * while. */
static void wait_for_more(const struct fth_cmd_run *run)
{
    const struct timespec pause = {.tv_nsec = BETWEEN_LOOKS * 1000000};
    for (int waited = 0; waited < PATIENCE; waited += BETWEEN_LOOKS) {
        struct waiting waiting = {run, false};
        each_node(run, look_for_more, &waiting);
        if (!waiting.more)
            return;
        nanosleep(&pause, NULL);
    }
}

bool fth_node_collect(struct fth_cmd_run *run)
{
    struct collecting collecting = {run, false};
    wait_for_more(run);
    each_node(run, collect_one, &collecting);
    return collecting.incomplete;
}

/* What processes have brought, and who they were. */
static void empty_one(const char *name, int place, void *unused)
{
    (void)name;
    (void)unused;
    DIR *directory = list(place);
    for (struct dirent *entry; directory && (entry = readdir(directory));)
        if (fth_run_is_spill_file(entry->d_name) || !strcmp(entry->d_name, "spill"))
            unlinkat(place, entry->d_name, 0);
    if (directory)
        closedir(directory);
}

/* One that we could take from is ours to remove, too. */
static void remove_left_behind(const char *host, int place, void *context)
{
    const struct fth_cmd_run *run = context;
    struct fth_cmd_run there = {.spill = left_behind(run, place)};
    (void)host;
    if (there.spill && strcmp(there.spill, run->spill) != 0)
        fth_run_remove_spill(&there);
    free(there.spill);
}

void fth_node_forget(const struct fth_cmd_run *run)
{
    char *all;
    each_node(run, remove_left_behind, (void *)(uintptr_t)run);
    each_node(run, empty_one, NULL);
    int folder = meeting_place(run);
    DIR *directory = folder < 0 ? NULL : list(folder);
    for (struct dirent *entry; directory && (entry = readdir(directory));)
        if (is_announcement(entry->d_name))
            unlinkat(folder, entry->d_name, AT_REMOVEDIR);
    if (directory)
        closedir(directory);
    if (folder >= 0)
        close(folder);
    if (!run->parts)
        return;
    all = fth_text_format("%s@", run->parts);
    rmdir(all);
    free(all);
}
