/* fathom-mount DIR PREFIX: DIR as a mount at PREFIX, until it is unmounted, or a signal ends it.
 *
 * `fathom fs` starts it (cmd/fs/fs_mount.c). Its input is a file that it locks for as long as it
 * lives. To its output and its errors it writes "mounted", or why it cannot be; what comes later
 * goes to descriptor 3. */
#include "mount/mount.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Who waits for a lock waits in a thread. */
enum { THREADS = 4096, IDLE_THREADS = 8, LOG = 3 };

/* Who started it hears until it is mounted; then its messages go to the log. */
static void begin(void *data, struct fuse_conn_info *connection)
{
    static const char word[] = "mounted\n";
    (void)data;
    connection->want &=
        ~(unsigned)(FUSE_CAP_SPLICE_READ | FUSE_CAP_SPLICE_WRITE | FUSE_CAP_SPLICE_MOVE |
                    FUSE_CAP_READDIRPLUS | FUSE_CAP_READDIRPLUS_AUTO | FUSE_CAP_HANDLE_KILLPRIV);
    connection->want |= connection->capable &
                        (FUSE_CAP_POSIX_LOCKS | FUSE_CAP_FLOCK_LOCKS | FUSE_CAP_ATOMIC_O_TRUNC |
                         FUSE_CAP_ASYNC_DIO | FUSE_CAP_PARALLEL_DIROPS);
    dup2(LOG, STDERR_FILENO);
    if (write(STDOUT_FILENO, word, sizeof word - 1) < 0)
        fprintf(stderr, "fathom-mount: who started it is gone\n");
    dup2(LOG, STDOUT_FILENO);
}

static int work(struct fuse_session *session)
{
    struct fuse_loop_config *config = fuse_loop_cfg_create();
    if (!config)
        return -1;
    fuse_loop_cfg_set_max_threads(config, THREADS);
    fuse_loop_cfg_set_idle_threads(config, IDLE_THREADS);
    int result = fuse_session_loop_mt(session, config);
    fuse_loop_cfg_destroy(config);
    return result;
}

static int mount_and_work(const char *prefix)
{
    struct fuse_lowlevel_ops operations = {.init = begin};
    struct fuse_args arguments = FUSE_ARGS_INIT(0, NULL);
    fth_mount_add_names(&operations);
    fth_mount_add_facts(&operations);
    fth_mount_add_bytes(&operations);
    fth_mount_add_folders(&operations);
    fth_mount_add_locks(&operations);
    if (fuse_opt_add_arg(&arguments, "fathom-mount") ||
        fuse_opt_add_arg(&arguments, "-ofsname=fathom-fs,subtype=fathom-fs,nosuid,nodev"))
        return -1;
    struct fuse_session *session =
        fuse_session_new(&arguments, &operations, sizeof operations, NULL);
    fuse_opt_free_args(&arguments);
    if (!session)
        return -1;
    int result = -1;
    if (!fuse_set_signal_handlers(session) && !fuse_session_mount(session, prefix)) {
        result = work(session);
        fuse_session_unmount(session);
    }
    fuse_remove_signal_handlers(session);
    fuse_session_destroy(session);
    return result;
}

int main(int count, char **arguments)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (count != 3) {
        fputs("fathom-mount is started by `fathom fs`, with a folder and where it is mounted\n",
              stderr);
        return 1;
    }
    if (fcntl(STDIN_FILENO, F_SETLK, &whole)) {
        fputs("another process has mounted it\n", stderr);
        return 1;
    }
    if (fth_mount_begin(arguments[1])) {
        fprintf(stderr, "the folder below cannot be opened: %s\n", strerror(errno));
        return 1;
    }
    umask(0);
    signal(SIGPIPE, SIG_IGN);
    return mount_and_work(arguments[2]) ? 1 : 0;
}
