/* The browser is started by xdg-open, in a process of its own, and says nothing here. */
#include "cmd/view/browser.h"

#include "base/memory.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdbool.h>
#include <unistd.h>

extern char **environ;

static bool has_screen(void)
{
    const char *x11 = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
    return (x11 && *x11) || (wayland && *wayland);
}

/* A file that only this user can read. */
static char *write_link(unsigned port, const char *token)
{
    const char *parent = getenv("TMPDIR");
    char *path;
    if (asprintf(&path, "%s/fathom-view-XXXXXX.html", parent && *parent ? parent : "/tmp") < 0)
        fth_out_of_memory();
    int file = mkostemps(path, 5, O_CLOEXEC);
    if (file < 0 ||
        dprintf(file,
                "<!DOCTYPE html><meta charset=utf-8><meta name=referrer content=no-referrer>"
                "<meta http-equiv=refresh content=\"0;url=http://127.0.0.1:%u/%s/\">"
                "<title>Fathom</title>",
                port, token) < 0) {
        free(path);
        path = NULL;
    }
    if (file >= 0)
        close(file);
    return path;
}

char *fth_browser_open(unsigned port, const char *token)
{
    char *path = has_screen() ? write_link(port, token) : NULL;
    if (!path)
        return NULL;
    char *words[] = {"xdg-open", path, NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none;
    pid_t pid;
    signal(SIGCHLD, SIG_DFL);
    sigemptyset(&none);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setpgroup(&attributes, 0); /* Ctrl-C is not for it */
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnp(&pid, "xdg-open", &files, &attributes, words, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    return path;
}

void fth_browser_forget(char *path)
{
    if (path)
        unlink(path);
    free(path);
}
