/* Files are asked for when the trace is there, which names them, and by a process that is given up
 * when it takes too long. */
#include "cmd/run/run_stripes.h"

#include "base/intern.h"
#include "machine/stripes.h"
#include "trace/file/append.h"
#include "trace/file/container.h"

#include <fathom/trace.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_FILES = 10000, PATIENCE = 5000, BETWEEN_LOOKS = 2 /* ms */ };

static bool is_striped(const struct fth_mount *mount)
{
    return strcmp(mount->type, "lustre") == 0 || strncmp(mount->type, "beegfs", 6) == 0;
}

/* The mounts of this node, if files may be in stripes there. */
static const struct fth_mounts *find_striped(const struct fth_run_mounts *mounts,
                                             const struct fth_cmd_run *run)
{
    const char *host = json_string_value(json_object_get(run->meta, "host"));
    for (size_t i = 0; host && i < mounts->count; i++)
        for (size_t k = 0; k < mounts->nodes[i].mount_count; k++)
            if (strcmp(mounts->nodes[i].host, host) == 0 && is_striped(&mounts->nodes[i].mounts[k]))
                return &mounts->nodes[i];
    return NULL;
}

static void ask_for(const char *path, const struct fth_mounts *node, struct fth_intern *asked,
                    struct fth_mounts *found)
{
    struct fth_stripes stripes;
    const struct fth_mount *mount = *path == '/' ? fth_mounts_find(node, path) : NULL;
    if (!mount || !is_striped(mount) || asked->count == MOST_FILES ||
        fth_interned_before(asked, path, strlen(path)))
        return;
    fth_intern(asked, path, strlen(path));
    if (fth_stripes_ask(mount->type, path, &stripes))
        fth_mounts_add_file(found, path, stripes.count, stripes.size);
}

static void ask_for_all(struct fth_trace *trace, const struct fth_mounts *node,
                        struct fth_mounts *found)
{
    struct fth_intern asked = {0};
    for (size_t proc = 0; proc < fth_trace_process_count(trace); proc++) {
        const struct fth_file_sum *files;
        size_t count;
        if (strcmp(fth_trace_process(trace, proc)->host, node->host) != 0 ||
            !fth_trace_file_sums(trace, proc, &files, &count, NULL))
            continue;
        for (size_t i = 0; i < count; i++)
            ask_for(files[i].path, node, &asked, found);
    }
    fth_intern_free(&asked);
}

static void add_stripes(const struct fth_cmd_run *run, const struct fth_mounts *node)
{
    struct fth_mounts found = {.host = node->host};
    struct fth_bytes raw = {0}, section = {0};
    struct fth_trace *trace = fth_trace_open(run->output, NULL);
    if (!trace)
        return;
    ask_for_all(trace, node, &found);
    fth_trace_close(trace);
    if (!found.file_count)
        return;
    fth_mounts_write(&found, &raw);
    fth_section_append(&section, FTH_SECTION_MOUNTS, 0, raw.data, raw.length);
    fth_trace_append(run->output, section.data, section.length, NULL);
}

void fth_run_add_stripes(const struct fth_cmd_run *run, const struct fth_run_mounts *mounts)
{
    const struct timespec pause = {.tv_nsec = BETWEEN_LOOKS * 1000000};
    const struct fth_mounts *node = find_striped(mounts, run);
    pid_t child = node ? fork() : -1;
    if (child == 0) {
        add_stripes(run, node);
        _exit(0);
    }
    for (int waited = 0; child > 0; waited += BETWEEN_LOOKS) {
        if (waitpid(child, NULL, WNOHANG) == child)
            return;
        if (waited > PATIENCE)
            kill(child, SIGKILL); /* one that hangs in the kernel is left to the system */
        if (waited > PATIENCE + 10 * BETWEEN_LOOKS)
            break;
        nanosleep(&pause, NULL);
    }
    if (child > 0)
        fth_trace_append_forget(run->output, child);
}
