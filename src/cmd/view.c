/* `fathom view`: the page of a run from a small server, which reads what is looked at from the
 * trace, so that it is exact however long the run is. */
#include "base/memory.h"
#include "base/visible.h"
#include "cmd/shared/command.h"
#include "cmd/view/browser.h"
#include "cmd/view/follow.h"
#include "cmd/view/http_server.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { OPTION_PORT = 0x300, OPTION_NO_BROWSER, OPTION_BIND, OPTION_IDLE, OPTION_JOBS };

static const struct argp_option options[] = {
    {"port", OPTION_PORT, "N", 0, "Serve on this port (default: any that is free)", 0},
    {"no-browser", OPTION_NO_BROWSER, NULL, 0, "Print the address only", 0},
    {"idle", OPTION_IDLE, "TIME", 0,
     "End when no page has asked for anything for TIME: 90, 10min; 0: never (default: 10min)", 0},
    {"bind", OPTION_BIND, "ADDRESS", 0,
     "Serve on this address of the machine instead of loopback. Others can reach it then, and read "
     "what is sent: nothing is encrypted",
     0},
    FTH_CMD_PROCESS_OPTIONS,
    {"jobs", OPTION_JOBS, "N", 0, "Number of threads (default: one per processor)", 0},
    {0},
};

static const char text[] =
    "Show a run in a browser: the page of `fathom report --html`, from a small server on this "
    "machine, which reads what is looked at from the trace. So it is exact at every zoom, whatever "
    "the size of the trace.\v"
    "TRACE may be the spill folder of a recording that is under way (`fathom merge` lists them): "
    "the page follows it. With several traces, the page shows them side by side. Ctrl-C ends the "
    "server.\n"
    "\n"
    "Examples:\n"
    "  fathom view app.fathom\n"
    "  fathom view with-64.fathom with-128.fathom\n"
    "  fathom view --no-browser --port 8080 app.fathom\n"
    "  fathom view /tmp/fathom-x1y2z3";

#define SECOND INT64_C(1000000000)

struct request {
    size_t path_count;
    const char **paths; /* of traces */
    const char *address;
    struct fth_selection selection;
    unsigned port, jobs;
    int64_t idle; /* ns; 0: for ever */
    bool no_browser;
};

/* What goes on while the server serves. */
struct view {
    const struct request *request;
    struct fth_server *server;
    struct fth_following following; /* place NULL: nothing is followed */
    pthread_mutex_t lock;
    bool failed;
    struct fth_error *error; /* of who has failed */
};

static unsigned port_of(struct argp_state *state, const char *argument)
{
    int64_t port = fth_cmd_integer(state, "port", argument);
    if (port < 0 || port > UINT16_MAX)
        fth_cmd_wrong(state, "--port takes 0 to %d, not '%s'", UINT16_MAX, argument);
    return (unsigned)port;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case OPTION_PORT:
        request->port = port_of(state, argument);
        return 0;
    case OPTION_JOBS:
        request->jobs = fth_cmd_jobs(state, argument);
        return 0;
    case OPTION_NO_BROWSER:
        request->no_browser = true;
        return 0;
    case OPTION_BIND:
        request->address = argument;
        return 0;
    case OPTION_IDLE:
        request->idle = fth_cmd_duration(state, "idle", argument);
        return 0;
    }
    if (fth_cmd_process_option(key, argument, state, &request->selection) != ARGP_ERR_UNKNOWN)
        return 0;
    if (key == ARGP_KEY_ARG) {
        FTH_GROW(request->paths, request->path_count);
        request->paths[request->path_count++] = argument;
        return 0;
    }
    if (key != ARGP_KEY_END)
        return ARGP_ERR_UNKNOWN;
    if (!request->path_count)
        fth_cmd_wrong(state, "give a trace: the file that `fathom record` wrote");
    for (size_t i = 0; request->path_count > 1 && i < request->path_count; i++)
        if (fth_follow_is_folder(request->paths[i]))
            fth_cmd_wrong(state,
                          "'%s' is a folder: a run that is being recorded is shown by itself; "
                          "`fathom merge` makes a trace of it",
                          request->paths[i]);
    return 0;
}

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * SECOND + time.tv_nsec;
}

/* ---- pictures ---- */

static int take_picture(struct view *view, size_t run, const char *path, bool goes_on,
                        struct fth_error **error)
{
    const struct request *request = view->request;
    struct fth_picture *picture =
        fth_picture_take(path, request->paths[run], &request->selection, request->jobs, error);
    if (picture)
        fth_server_show(view->server, run, picture, goes_on);
    return picture ? 0 : -1;
}

static int take_all(struct view *view, struct fth_error **error)
{
    const struct request *request = view->request;
    for (size_t run = 0; run < request->path_count; run++) {
        if (!take_picture(view, run, request->paths[run], false, error))
            continue;
        if (request->path_count > 1)
            fth_fail_in(error, "trace '%s'", request->paths[run]);
        return -1;
    }
    return 0;
}

static void wait_for(int64_t time)
{
    struct timespec left = {time / SECOND, time % SECOND};
    while (nanosleep(&left, &left))
        ;
}

/* One picture after the other, as long as the run is recorded; at most a fifth of the time goes
 * into them. What cannot be merged now may be when more has been recorded. */
static int follow(struct view *view, struct fth_error **error)
{
    struct fth_following *following = &view->following;
    bool shown = false;
    do {
        int64_t began = now();
        fth_error_free(*error);
        *error = NULL;
        int result = fth_follow_merge(following, error);
        if (!result && following->trace)
            result = take_picture(view, 0, following->trace, following->goes_on, error);
        fth_follow_forget(following);
        shown |= !result && following->trace;
        if (!following->goes_on && !shown)
            return result ? -1 : fth_fail(error, "'%s' is gone", view->request->paths[0]);
        if (!following->goes_on) {
            fth_server_show(view->server, 0, NULL, false);
            return 0;
        }
        int64_t took = now() - began;
        wait_for(4 * took > 3 * SECOND ? 4 * took : 3 * SECOND);
    } while (true);
}

static void *take_pictures(void *context)
{
    struct view *view = context;
    struct fth_error *error = NULL;
    int result = view->following.place ? follow(view, &error) : take_all(view, &error);
    pthread_mutex_lock(&view->lock);
    view->failed = result != 0;
    view->error = error;
    pthread_mutex_unlock(&view->lock);
    return NULL;
}

/* ---- serving ---- */

static void say_address(const struct request *request, const struct fth_server *server)
{
    unsigned port = fth_server_port(server);
    const char *token = fth_server_token(server), *address = request->address;
    char host[256] = "HOST";
    gethostname(host, sizeof host - 1);
    bool is_v6 = address && strchr(address, ':');
    if (address)
        fth_say(stderr,
                "fathom view: warning: whoever can reach %s can try to connect, and whoever can "
                "listen to the network can read the address and the data: nothing is encrypted\n",
                address);
    fth_say(stdout, "http://%s%s%s:%u/%s/\n", is_v6 ? "[" : "", address ? address : "127.0.0.1",
            is_v6 ? "]" : "", port, token);
    if (!address)
        fth_say(stdout, "From another machine: ssh -L %u:127.0.0.1:%u %s, and the same address\n",
                port, port, host);
    fth_say(stdout, "Ctrl-C ends it.\n");
    fflush(stdout);
}

/* Until Ctrl-C, an error, or nobody has asked for long. */
static int serve(struct view *view, const sigset_t *signals, struct fth_error **error)
{
    const struct timespec step = {0, 200000000};
    int64_t idle = view->request->idle;
    for (;;) {
        if (sigtimedwait(signals, NULL, &step) > 0)
            return 0;
        pthread_mutex_lock(&view->lock);
        bool failed = view->failed;
        *error = view->error;
        pthread_mutex_unlock(&view->lock);
        if (failed)
            return -1;
        if (idle && now() - fth_server_last_asked(view->server) > idle) {
            fth_say(stderr, "fathom view: ended, as no page has asked for anything for long\n");
            return 0;
        }
    }
}

/* What can be said at once is said before there is an address. */
static int check(const struct request *request, struct fth_error **error)
{
    if (!fth_server_is_built_in)
        return fth_fail(error, "fathom was built without libmicrohttpd: install it (Debian: "
                               "libmicrohttpd-dev, Fedora: libmicrohttpd-devel) and build again. "
                               "`fathom report --html` writes the page as a file");
    int result = 0;
    for (size_t i = 0; i < request->path_count && !result; i++) {
        struct fth_trace *trace = fth_cmd_open_trace(request->paths[i], error);
        result = trace ? fth_analysis_check_selection(&request->selection, trace, error) : -1;
        fth_trace_close(trace);
    }
    return result;
}

static int run(struct view *view, struct fth_error **error)
{
    const struct request *request = view->request;
    bool follows = fth_server_is_built_in && fth_follow_is_folder(request->paths[0]);
    sigset_t signals;
    pthread_t thread;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    signal(SIGPIPE, SIG_IGN);
    if (follows ? fth_follow_begin(&view->following, request->paths[0], error)
                : check(request, error))
        return -1;
    view->server = fth_server_open(request->address, request->port, request->path_count, error);
    if (!view->server)
        return -1;
    pthread_mutex_init(&view->lock, NULL);
    if (pthread_create(&thread, NULL, take_pictures, view))
        return fth_fail(error, "cannot start a thread");
    say_address(request, view->server);
    char *page =
        request->no_browser || request->address
            ? NULL
            : fth_browser_open(fth_server_port(view->server), fth_server_token(view->server));
    int result = serve(view, &signals, error);
    fth_browser_forget(page);
    return result;
}

int fth_cmd_view(int argc, char **argv)
{
    const struct argp argp = {options, parse, "TRACE...", text, NULL, NULL, NULL};
    struct request request = {.idle = 600 * SECOND};
    struct view view = {.request = &request};
    struct fth_error *error = NULL;
    fth_analysis_selection_init(&request.selection);
    if (fth_cmd_parse(&argp, argc, argv, 0, &request))
        return 1;
    int result = run(&view, &error);
    fth_follow_end(&view.following);
    if (result)
        fth_cmd_failed("view", error);
    /* Threads that read or serve end with the process. */
    fflush(stdout);
    _exit(result ? 1 : 0);
}
