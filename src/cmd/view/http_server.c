/* HTTP by libmicrohttpd: one thread takes requests and answers what is there; windows and calls
 * wait for their job, and their connection sleeps meanwhile. Nothing that comes in is believed
 * before fth_views_judge has let it in. */
#include "cmd/view/http_server.h"

#ifdef FATHOM_MICROHTTPD
#include "base/json.h"
#include "base/memory.h"
#include "cmd/view/jobs.h"
#include "cmd/view/microhttpd.h"
#include "views/browser/asked.h"
#include "views/browser/pack.h"
#include "views/browser/browser_page.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

const bool fth_server_is_built_in = true;

enum {
    MOST_CONNECTIONS = 64,
    MOST_HEAD = 16 << 10, /* bytes of a request */
    PATIENCE = 60,        /* seconds without a byte */
    UNPROCESSABLE = 422,  /* of HTTP */
    MOST_FILTERED = 4,    /* pictures of filtered runs that are kept */
};

struct fth_server {
    struct fth_asked_door door;
    struct MHD_Daemon *daemon;
    struct fth_jobs *jobs;
    struct fth_sink page;
    pthread_mutex_t lock; /* of the pictures */
    size_t run_count;
    struct fth_picture **runs;                   /* the picture of each run; NULL: not yet */
    struct fth_picture *filtered[MOST_FILTERED]; /* the latest one first; NULL: none */
    unsigned pictures;                           /* numbers that were given */
    bool goes_on;
    _Atomic int64_t last_asked;
};

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

/* ---- answers ---- */

static const char *const headers[][2] = {
    {"X-Content-Type-Options", "nosniff"},
    {"Cache-Control", "no-store"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Content-Security-Policy",
     "default-src 'none'; connect-src 'self'; style-src 'unsafe-inline'; script-src "
     "'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'; "
     "frame-ancestors 'none'"},
};

static enum MHD_Result answer(struct MHD_Connection *connection, unsigned status, const char *type,
                              bool is_deflated, const char *bytes, size_t count)
{
    struct MHD_Response *response =
        fth_http.create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
    if (!response)
        return MHD_NO;
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        fth_http.add_response_header(response, headers[i][0], headers[i][1]);
    fth_http.add_response_header(response, "Content-Type", type);
    if (is_deflated)
        fth_http.add_response_header(response, "Content-Encoding", "gzip");
    if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
        fth_http.add_response_header(response, "Allow", "GET");
    enum MHD_Result result = fth_http.queue_response(connection, status, response);
    fth_http.destroy_response(response);
    return result;
}

static enum MHD_Result refuse(struct MHD_Connection *connection, unsigned status, const char *why)
{
    return answer(connection, status, "text/plain; charset=utf-8", false, why, strlen(why));
}

static enum MHD_Result send_part(struct MHD_Connection *connection, const struct fth_sink *part,
                                 const char *type)
{
    return answer(connection, MHD_HTTP_OK, type, true, part->bytes, part->used);
}

/* The picture of this number, of whichever run; NULL: it is none, or outdated. */
static struct fth_picture *take_picture(struct fth_server *server, const char *number)
{
    struct fth_picture *picture = NULL;
    int64_t asked;
    if (!fth_views_take_number(number, 1, UINT32_MAX, &asked))
        return NULL;
    pthread_mutex_lock(&server->lock);
    for (size_t i = 0; i < server->run_count && !picture; i++)
        if (server->runs[i] && server->runs[i]->number == asked)
            picture = fth_picture_hold(server->runs[i]);
    for (size_t i = 0; i < MOST_FILTERED && !picture; i++)
        if (server->filtered[i] && server->filtered[i]->number == asked)
            picture = fth_picture_hold(server->filtered[i]);
    pthread_mutex_unlock(&server->lock);
    return picture;
}

static void put_verifying(struct fth_json *json, struct fth_jobs *jobs)
{
    struct fth_jobs_verifying verifying;
    fth_json_key(json, "verifying");
    if (!fth_jobs_verifies(jobs, &verifying)) {
        fth_json_null(json);
        return;
    }
    fth_json_begin_object(json);
    fth_json_key_unsigned(json, "picture", verifying.picture);
    fth_json_key_unsigned(json, "read", verifying.read);
    fth_json_key_unsigned(json, "total", verifying.total);
    fth_json_end_object(json);
}

/* The pictures of all runs; none before the last one is there. */
static enum MHD_Result send_state(struct fth_server *server, struct MHD_Connection *connection)
{
    struct fth_sink text;
    struct fth_json json;
    fth_sink_open_memory(&text);
    fth_json_open(&json, &text, 0);
    pthread_mutex_lock(&server->lock);
    bool is_there = true;
    for (size_t i = 0; i < server->run_count; i++)
        is_there = is_there && server->runs[i];
    fth_json_begin_object(&json);
    fth_json_key_unsigned(&json, "picture", is_there ? server->runs[0]->number : 0);
    fth_json_key(&json, "runs");
    fth_json_begin_array(&json);
    for (size_t i = 0; is_there && i < server->run_count; i++)
        fth_json_unsigned(&json, server->runs[i]->number);
    fth_json_end_array(&json);
    fth_json_key_boolean(&json, "goes_on", server->goes_on);
    pthread_mutex_unlock(&server->lock);
    put_verifying(&json, server->jobs);
    fth_json_end_object(&json);
    enum MHD_Result result =
        answer(connection, MHD_HTTP_OK, "application/json", false, text.bytes, text.used);
    fth_sink_close_memory(&text);
    return result;
}

/* ---- jobs ---- */

static const char *word(struct MHD_Connection *connection, const char *name)
{
    return fth_http.lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, name);
}

static bool take_window(struct MHD_Connection *connection, struct fth_job *job)
{
    const struct fth_asked_window asked = {word(connection, "begin"), word(connection, "width"),
                                           word(connection, "count"), word(connection, "rows")};
    const char *page = word(connection, "page");
    size_t rows = job->picture->overview->row_count;
    bool *wanted = fth_new(rows + 1, sizeof *wanted);
    job->window.rows = wanted;
    if (!page || !fth_views_take_number(word(connection, "turn"), 0, INT64_MAX, &job->turn) ||
        !fth_views_take_window(&asked, rows, wanted, &job->window))
        return false;
    job->page = fth_text_copy(page);
    return asprintf(&job->key, "%s %s %s %s", asked.begin, asked.width, asked.count, asked.rows) >=
           0;
}

static bool take_call(struct MHD_Connection *connection, struct fth_job *job)
{
    const char *id = word(connection, "id"), *start = word(connection, "start"),
               *ranges = word(connection, "ranges");
    job->start = (struct fth_picture_start){INT64_MIN, ranges};
    if (!id || (ranges && strcmp(ranges, "yes") != 0) ||
        (start && !fth_views_take_number(start, INT64_MIN + 1, INT64_MAX, &job->start.time)))
        return false;
    job->id = fth_text_copy(id);
    return asprintf(&job->key, "%s %s %s", id, start ? start : "", ranges ? ranges : "") >= 0;
}

static bool take_verdict(struct MHD_Connection *connection, struct fth_job *job)
{
    (void)connection;
    job->key = fth_text_copy("verify");
    return true;
}

static bool take_filter(struct MHD_Connection *connection, struct fth_job *job)
{
    const char *where = word(connection, "where");
    if (!where || job->picture->whole)
        return false;
    job->where = fth_text_copy(where);
    job->key = fth_text_format("filter %s", where);
    return true;
}

/* The picture that a filter has made gets its number, and the oldest one goes. */
static enum MHD_Result send_filtered(struct fth_server *server, struct MHD_Connection *connection,
                                     struct fth_job *job)
{
    char number[16];
    pthread_mutex_lock(&server->lock);
    struct fth_picture *oldest = server->filtered[MOST_FILTERED - 1];
    memmove(server->filtered + 1, server->filtered, (MOST_FILTERED - 1) * sizeof *server->filtered);
    server->filtered[0] = job->made;
    job->made->number = ++server->pictures;
    snprintf(number, sizeof number, "%u", job->made->number);
    job->made = NULL;
    pthread_mutex_unlock(&server->lock);
    fth_picture_let_go(oldest);
    return answer(connection, MHD_HTTP_OK, "application/json", false, number, strlen(number));
}

static void wake(struct fth_job *job)
{
    fth_http.resume_connection(job->context);
}

static enum MHD_Result send_job(struct fth_server *server, struct MHD_Connection *connection,
                                struct fth_job *job)
{
    if (job->end == FTH_JOB_OUTDATED)
        return refuse(connection, MHD_HTTP_CONFLICT, "outdated\n");
    if (job->end == FTH_JOB_FAILED)
        return answer(connection, UNPROCESSABLE, "text/plain; charset=utf-8", false,
                      job->answer.bytes, job->answer.used);
    if (job->made)
        return send_filtered(server, connection, job);
    return send_part(connection, &job->answer, "application/octet-stream");
}

static enum MHD_Result begin_job(struct fth_server *server, struct MHD_Connection *connection,
                                 struct fth_picture *picture, enum fth_asked_what what,
                                 void **state)
{
    static bool (*const take[])(struct MHD_Connection *, struct fth_job *) = {
        [FTH_ASKED_WINDOW] = take_window,
        [FTH_ASKED_CALL] = take_call,
        [FTH_ASKED_VERIFY] = take_verdict,
        [FTH_ASKED_FILTER] = take_filter,
    };
    struct fth_job *job = fth_new(1, sizeof *job);
    job->picture = fth_picture_hold(picture);
    job->context = connection;
    job->what = what;
    fth_sink_open_memory(&job->answer);
    *state = job; /* freed when the request is over */
    if (!take[what](connection, job)) {
        job->end = FTH_JOB_FAILED;
        return refuse(connection, MHD_HTTP_BAD_REQUEST, "not a request that this page makes\n");
    }
    fth_http.suspend_connection(connection);
    if (fth_jobs_add(server->jobs, job))
        fth_http.resume_connection(connection);
    return MHD_YES;
}

static enum MHD_Result stop_verdict(struct fth_server *server, struct MHD_Connection *connection,
                                    const struct fth_picture *picture)
{
    fth_jobs_stop_verdict(server->jobs, picture->number);
    return send_state(server, connection);
}

/* ---- requests ---- */

static enum MHD_Result send_of_picture(struct fth_server *server, struct MHD_Connection *connection,
                                       enum fth_asked_what what, void **state)
{
    static_assert(FTH_ASKED_SAMPLES - FTH_ASKED_REPORT == FTH_PICTURE_SAMPLES,
                  "parts in one order");
    struct fth_picture *picture = take_picture(server, word(connection, "picture"));
    enum MHD_Result result;
    if (!picture)
        result = refuse(connection, MHD_HTTP_CONFLICT, "not this picture\n");
    else if (what == FTH_ASKED_STOP)
        result = stop_verdict(server, connection, picture);
    else if (what > FTH_ASKED_SAMPLES)
        result = begin_job(server, connection, picture, what, state);
    else
        result = send_part(connection, &picture->parts[what - FTH_ASKED_REPORT],
                           "application/octet-stream");
    fth_picture_let_go(picture);
    return result;
}

static const char *header(struct MHD_Connection *connection, const char *name)
{
    return fth_http.lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static const char *reason(unsigned status)
{
    switch (status) {
    case MHD_HTTP_METHOD_NOT_ALLOWED:
        return "this server answers GET only\n";
    case MHD_HTTP_NOT_FOUND:
        return "there is nothing of this name\n";
    case MHD_HTTP_FORBIDDEN:
        return "use the address that `fathom view` printed, with its token and its port\n";
    }
    return "a request of this page has no body\n";
}

static enum MHD_Result take_request(void *context, struct MHD_Connection *connection,
                                    const char *path, const char *method, const char *version,
                                    const char *body, size_t *body_size, void **state)
{
    struct fth_server *server = context;
    enum fth_asked_what what;
    (void)version, (void)body;
    if (*state)
        return *body_size ? MHD_NO : send_job(server, connection, *state);
    const struct fth_asked_head head = {.method = method,
                                        .path = path,
                                        .host = header(connection, "Host"),
                                        .origin = header(connection, "Origin"),
                                        .fetch_site = header(connection, "Sec-Fetch-Site"),
                                        .fetch_mode = header(connection, "Sec-Fetch-Mode"),
                                        .destination = header(connection, "Sec-Fetch-Dest"),
                                        .length = header(connection, "Content-Length"),
                                        .encoding = header(connection, "Transfer-Encoding")};
    unsigned refused = fth_views_judge(&server->door, &head, &what);
    if (refused)
        return refuse(connection, refused, reason(refused));
    server->last_asked = now();
    if (what == FTH_ASKED_PAGE)
        return send_part(connection, &server->page, "text/html; charset=utf-8");
    return what == FTH_ASKED_STATE ? send_state(server, connection)
                                   : send_of_picture(server, connection, what, state);
}

static void forget_request(void *context, struct MHD_Connection *connection, void **state,
                           enum MHD_RequestTerminationCode code)
{
    (void)context, (void)connection, (void)code;
    fth_job_free(*state);
    *state = NULL;
}

/* ---- doors ---- */

static void say_nothing(void *context, const char *format, va_list values)
{
    (void)context, (void)format, (void)values;
}

static int make_token(char *token, struct fth_error **error)
{
    uint8_t bytes[FTH_ASKED_TOKEN / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return fth_fail_errno(error, "cannot get random numbers for the token");
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return 0;
}

union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
};

static bool find_address(const char *text, unsigned port, union address *address)
{
    *address = (union address){0};
    if (inet_pton(AF_INET6, text, &address->v6.sin6_addr) == 1) {
        address->v6.sin6_family = AF_INET6;
        address->v6.sin6_port = htons((uint16_t)port);
        return true;
    }
    address->v4 = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    return inet_pton(AF_INET, text, &address->v4.sin_addr) == 1;
}

static int start(struct fth_server *server, const char *text, unsigned port,
                 struct fth_error **error)
{
    union address address;
    if (!find_address(text, port, &address))
        return fth_fail(error, "'%s' is not an address such as 192.168.1.2", text);
    unsigned flags = MHD_USE_AUTO_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME;
    if (address.any.sa_family == AF_INET6)
        flags |= MHD_USE_IPv6;
    errno = 0;
    server->daemon = fth_http.start_daemon(
        flags, (uint16_t)port, NULL, NULL, take_request, server, MHD_OPTION_EXTERNAL_LOGGER,
        say_nothing, NULL, MHD_OPTION_SOCK_ADDR, &address.any, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)MOST_CONNECTIONS, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)MOST_HEAD,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)PATIENCE, MHD_OPTION_NOTIFY_COMPLETED,
        forget_request, NULL, MHD_OPTION_END);
    if (!server->daemon)
        return errno ? fth_fail_errno(error, "cannot serve on %s, port %u", text, port)
                     : fth_fail(error, "cannot serve on %s, port %u", text, port);
    const union MHD_DaemonInfo *info =
        fth_http.get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT);
    server->door.port = info ? info->port : port;
    return 0;
}

struct fth_server *fth_server_open(const char *address, unsigned port, size_t runs,
                                   struct fth_error **error)
{
    struct fth_server *server = fth_new(1, sizeof *server);
    struct fth_sink page;
    if (fth_http_load(error) || make_token(server->door.token, error)) {
        free(server);
        return NULL;
    }
    pthread_mutex_init(&server->lock, NULL);
    server->run_count = runs;
    server->runs = fth_new(runs, sizeof *server->runs);
    fth_sink_open_memory(&page);
    fth_views_put_empty_page(&page);
    fth_sink_open_memory(&server->page);
    fth_views_deflate(&server->page, page.bytes, page.used);
    fth_sink_close_memory(&page);
    server->door.address = address;
    server->last_asked = now();
    server->jobs = fth_jobs_new(wake);
    if (!start(server, address ? address : "127.0.0.1", port, error))
        return server;
    fth_sink_close_memory(&server->page);
    free(server->runs);
    free(server);
    return NULL;
}

unsigned fth_server_port(const struct fth_server *server)
{
    return server->door.port;
}

const char *fth_server_token(const struct fth_server *server)
{
    return server->door.token;
}

void fth_server_show(struct fth_server *server, size_t run, struct fth_picture *picture,
                     bool goes_on)
{
    pthread_mutex_lock(&server->lock);
    struct fth_picture *before = picture ? server->runs[run] : NULL;
    if (picture) {
        picture->number = ++server->pictures;
        server->runs[run] = picture;
    }
    server->goes_on = goes_on;
    pthread_mutex_unlock(&server->lock);
    fth_picture_let_go(before);
}

int64_t fth_server_last_asked(const struct fth_server *server)
{
    return server->last_asked;
}

#else

const bool fth_server_is_built_in = false;

struct fth_server *fth_server_open(const char *address, unsigned port, size_t runs,
                                   struct fth_error **error)
{
    (void)address, (void)port, (void)runs;
    fth_fail(error, "it was built without libmicrohttpd");
    return NULL;
}

unsigned fth_server_port(const struct fth_server *server)
{
    (void)server;
    return 0;
}

const char *fth_server_token(const struct fth_server *server)
{
    (void)server;
    return "";
}

void fth_server_show(struct fth_server *server, size_t run, struct fth_picture *picture,
                     bool goes_on)
{
    (void)server, (void)run, (void)goes_on;
    fth_picture_let_go(picture);
}

int64_t fth_server_last_asked(const struct fth_server *server)
{
    (void)server;
    return 0;
}

#endif
