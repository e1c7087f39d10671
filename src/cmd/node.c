/* Other nodes. Open MPI's daemons there do not get the environment of mpirun; they are started through us. What processes leave behind comes
 * by way of PARTS@/HOST~NUMBER, beside the output (see src/capture/node.c). */
#include "cmd/node.h"

#include "base/sink.h"
#include "cmd/command.h"

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
        if (!settings->value || (strncmp(settings->name, "FATHOM_", 7) != 0 &&
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
    char *made = sink.failed ? NULL : strdup(sink.bytes);
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
    if (strncmp(entry, "FATHOM_", 7) != 0 && theirs && *theirs &&
        asprintf(&both, "%s:%s", value, theirs) >= 0)
        value = both;
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
    fprintf(stderr, "fathom on-node: cannot run '%s': %s\n", argv[2], strerror(errno));
    return fth_launch_status_of_error(errno);
}

/* ---- back ---- */

static char *beside(const char *folder, const char *name)
{
    char *path;
    return asprintf(&path, "%s/%s", folder, name) < 0 ? NULL : path;
}

/* Holes stay holes: a stream is mostly made of them. */
static int copy_file(const char *from_path, const char *to_path, struct fth_error **error)
{
    struct stat facts;
    int from = open(from_path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    int to = from < 0 ? -1 : open(to_path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    bool good = to >= 0 && fstat(from, &facts) == 0 && ftruncate(to, facts.st_size) == 0;
    for (off_t at = 0, data; good && (data = lseek(from, at, SEEK_DATA)) >= 0;) {
        at = lseek(from, data, SEEK_HOLE);
        good = lseek(to, data, SEEK_SET) == data;
        while (good && data < at)
            good = sendfile(to, from, &data, (size_t)(at - data)) > 0;
    }
    int result = good ? 0 : fth_fail_errno(error, "cannot copy '%s' to '%s'", from_path, to_path);
    if (from >= 0)
        close(from);
    if (to >= 0)
        close(to);
    return result;
}

int fth_node_take(const struct fth_cmd_run *run, const char *folder, struct fth_error **error)
{
    DIR *directory = opendir(folder);
    int result = 0, found = 0;
    if (!directory)
        return fth_fail_errno(error, "cannot open '%s'", folder);
    for (struct dirent *entry; result == 0 && (entry = readdir(directory));) {
        if (!fth_run_is_recorded(entry->d_name))
            continue;
        char *from = beside(folder, entry->d_name), *to = beside(run->spill, entry->d_name);
        if (!from || !to)
            result = fth_fail(error, "out of memory");
        else
            result = copy_file(from, to, error);
        found++;
        free(from);
        free(to);
    }
    closedir(directory);
    if (result == 0 && !found)
        return fth_fail(error, "'%s' has nothing of a recording in it", folder);
    return result;
}

/* The folder that an announcement names; NULL: everything has been brought. */
static char *left_behind(const char *place)
{
    char text[PATH_MAX], *path = beside(place, "spill");
    FILE *file = path ? fopen(path, "re") : NULL;
    size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    free(path);
    text[length] = 0;
    return length ? strdup(text) : NULL;
}

static void each_node(const struct fth_cmd_run *run,
                      void (*visit)(const char *host, const char *place, void *context),
                      void *context)
{
    char *all;
    if (asprintf(&all, "%s@", run->parts) < 0)
        return;
    DIR *directory = opendir(all);
    for (struct dirent *entry; directory && (entry = readdir(directory));)
        if (entry->d_name[0] != '.') {
            char *place = beside(all, entry->d_name);
            if (place)
                visit(entry->d_name, place, context);
            free(place);
        }
    if (directory)
        closedir(directory);
    free(all);
}

struct collecting {
    struct fth_cmd_run *run;
    bool incomplete;
};

static void collect_one(const char *host, const char *place, void *context)
{
    struct collecting *collecting = context;
    struct fth_error *error = NULL;
    char *folder = left_behind(place), *sentence;
    if (fth_node_take(collecting->run, place, &error) && !folder)
        collecting->incomplete = true; /* a full disk */
    fth_error_free(error);
    error = NULL;
    /* Another TMPDIR on a shared file system: it can be had from here. */
    if (folder && fth_node_take(collecting->run, folder, &error) &&
        asprintf(&sentence,
                 "what is still in %s on %.*s: copy that folder here, and name it to fathom merge",
                 folder, (int)strcspn(host, "~"), host) >= 0) {
        json_array_append_new(collecting->run->blind_spots, fth_run_text(sentence));
        collecting->incomplete = true;
        free(sentence);
    }
    fth_error_free(error);
    free(folder);
}

/* Is a sampler of that node still to bring what it has? */
static bool is_sampled(const char *host, const char *place)
{
    char *marker;
    if (asprintf(&marker, "%s/%.*s.sampling", place, (int)strcspn(host, "~"), host) < 0)
        return false;
    bool sampled = access(marker, F_OK) == 0;
    free(marker);
    return sampled;
}

static void look_for_more(const char *host, const char *place, void *context)
{
    char *folder = left_behind(place);
    *(bool *)context |= (folder && access(folder, F_OK) != 0) || is_sampled(host, place);
    free(folder);
}

/* Daemons on other nodes end after their launcher has, and what they do there is seen here after a while. */
static void wait_for_more(const struct fth_cmd_run *run)
{
    const struct timespec pause = {.tv_nsec = BETWEEN_LOOKS * 1000000};
    for (int waited = 0; waited < PATIENCE; waited += BETWEEN_LOOKS) {
        bool more = false;
        each_node(run, look_for_more, &more);
        if (!more)
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

static void forget_one(const char *host, const char *place, void *unused)
{
    (void)host;
    (void)unused;
    DIR *directory = opendir(place);
    for (struct dirent *entry; directory && (entry = readdir(directory));)
        unlinkat(dirfd(directory), entry->d_name, 0);
    if (directory)
        closedir(directory);
    rmdir(place);
}

/* One that we could take from is ours to remove, too. */
static void remove_left_behind(const char *host, const char *place, void *unused)
{
    struct fth_cmd_run there = {.spill = left_behind(place)};
    (void)host;
    (void)unused;
    if (there.spill)
        fth_run_remove_spill(&there);
    free(there.spill);
}

void fth_node_forget(const struct fth_cmd_run *run)
{
    char *all;
    each_node(run, remove_left_behind, NULL);
    each_node(run, forget_one, NULL);
    if (asprintf(&all, "%s@", run->parts) < 0)
        return;
    rmdir(all);
    free(all);
}
