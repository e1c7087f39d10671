/* Each message is an active message of UCX: the key of the way and a number in its header, and its
 * bytes, which UCX moves as it finds best. Messages of one way may overtake one another: they are
 * put in order where they are taken. */
#include "fs/server/ucx_ways.h"

#include "fs/server/ucx_library.h"

#ifdef FATHOM_UCX
#include "base/memory.h"
#include "fs/protocol/fs_messages.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MESSAGE = 1, KEY_BYTES = 16, ADDRESS_MOST = 64 << 10, SETTLE_STEP = 1 /* ms */ };

const bool fth_ucx_is_built_in = true;

/* Of the receiver's way. */
struct header {
    uint8_t key[KEY_BYTES];
    uint32_t place;
    uint64_t number;
};

struct arrived {
    struct arrived *next;
    struct header header;
    struct fth_ucx *ucx;
    uint64_t length;
    uint8_t data[];
};

struct fth_ucx_way {
    struct fth_ucx *ucx;
    uint64_t mark;
    struct header own, other; /* what comes, and what goes: their numbers are the next ones */
    ucp_ep_h endpoint;
    struct arrived *first; /* by number */
    uint32_t flying;       /* messages that UCX has not sent yet */
    bool broken, ended;
};

struct sent {
    struct fth_ucx_way *way;
    struct header header;
    uint8_t data[];
};

struct fth_ucx {
    ucp_context_h context;
    ucp_worker_h worker;
    ucp_address_t *address;
    size_t address_length;
    int file;
    struct fth_ucx_way **ways; /* by place; NULL: none */
    uint32_t way_count;
    bool has_something;
};

/* ---- begin and end ---- */

static int fail(struct fth_error **error, const char *device, ucs_status_t status)
{
    return fth_fail(error,
                    "UCX cannot use the device '%s': %s. `ucx_info -d` lists the devices; without "
                    "--rdma servers speak by TCP",
                    device, fth_ucp.text_of(status));
}

static ucs_status_t receive(void *data, const void *header, size_t header_length, void *message,
                            size_t length, const ucp_am_recv_param_t *how);

/* Servers of one node are not meant to speak to one another: its shared memory is no way. */
static ucs_status_t open_context(struct fth_ucx *ucx, const char *device)
{
    const ucp_params_t wanted = {.field_mask = UCP_PARAM_FIELD_FEATURES,
                                 .features = UCP_FEATURE_AM | UCP_FEATURE_WAKEUP};
    ucp_config_t *config;
    ucs_status_t status = fth_ucp.config_read(NULL, NULL, &config);
    if (status != UCS_OK)
        return status;
    status = fth_ucp.config_modify(config, "NET_DEVICES", device);
    if (status == UCS_OK)
        status = fth_ucp.config_modify(config, "TLS", "^sm,self");
    if (status == UCS_OK)
        status = fth_ucp.init_version(UCP_API_MAJOR, UCP_API_MINOR, &wanted, config, &ucx->context);
    fth_ucp.config_release(config);
    return status;
}

static ucs_status_t open_worker(struct fth_ucx *ucx)
{
    const ucp_worker_params_t wanted = {.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
                                        .thread_mode = UCS_THREAD_MODE_SINGLE};
    const ucp_am_handler_param_t handler = {
        .field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_FLAGS |
                      UCP_AM_HANDLER_PARAM_FIELD_CB | UCP_AM_HANDLER_PARAM_FIELD_ARG,
        .id = MESSAGE,
        .flags = UCP_AM_FLAG_WHOLE_MSG,
        .cb = receive,
        .arg = ucx};
    ucs_status_t status = fth_ucp.worker_create(ucx->context, &wanted, &ucx->worker);
    if (status == UCS_OK)
        status = fth_ucp.worker_set_am_recv_handler(ucx->worker, &handler);
    if (status == UCS_OK)
        status = fth_ucp.worker_get_efd(ucx->worker, &ucx->file);
    if (status == UCS_OK)
        status = fth_ucp.worker_get_address(ucx->worker, &ucx->address, &ucx->address_length);
    return status == UCS_OK && ucx->address_length > ADDRESS_MOST ? UCS_ERR_EXCEEDS_LIMIT : status;
}

static void break_way(void *data, ucp_ep_h endpoint, ucs_status_t status)
{
    struct fth_ucx_way *way = data;
    (void)endpoint;
    (void)status;
    way->broken = way->ucx->has_something = true;
}

static ucs_status_t connect_way(struct fth_ucx_way *way, const ucp_address_t *address)
{
    const ucp_ep_params_t wanted = {.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS |
                                                  UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE |
                                                  UCP_EP_PARAM_FIELD_ERR_HANDLER,
                                    .address = address,
                                    .err_mode = UCP_ERR_HANDLING_MODE_PEER,
                                    .err_handler = {.cb = break_way, .arg = way}};
    return fth_ucp.ep_create(way->ucx->worker, &wanted, &way->endpoint);
}

/* By a device that is not there nobody is reached, not even oneself. */
static ucs_status_t reach_oneself(struct fth_ucx *ucx)
{
    struct fth_ucx_way *way = fth_ucx_way_new(ucx, 0);
    ucs_status_t status = connect_way(way, ucx->address);
    fth_ucx_way_end(way);
    return status;
}

struct fth_ucx *fth_ucx_begin(const char *device, struct fth_error **error)
{
    if (fth_ucx_load(error))
        return NULL;
    struct fth_ucx *ucx = fth_new(1, sizeof *ucx);
    ucs_status_t status = open_context(ucx, device);
    if (status == UCS_OK)
        status = open_worker(ucx);
    if (status == UCS_OK)
        status = reach_oneself(ucx);
    if (status == UCS_OK)
        return ucx;
    fail(error, device, status);
    fth_ucx_end(ucx);
    return NULL;
}

void fth_ucx_end(struct fth_ucx *ucx)
{
    if (ucx->address)
        fth_ucp.worker_release_address(ucx->worker, ucx->address);
    if (ucx->worker)
        fth_ucp.worker_destroy(ucx->worker);
    if (ucx->context)
        fth_ucp.cleanup(ucx->context);
    free(ucx->ways);
    free(ucx);
}

int fth_ucx_try(const char *device, struct fth_error **error)
{
    char why[1024] = "";
    int ends[2];
    if (pipe(ends))
        return fth_fail_errno(error, "UCX cannot be tried");
    pid_t child = fork();
    if (child == 0) {
        struct fth_error *failed = NULL;
        if (!fth_ucx_begin(device, &failed))
            dprintf(ends[1], "%.1000s", fth_error_text(failed));
        _exit(failed != NULL);
    }
    close(ends[1]);
    ssize_t length = child < 0 ? -1 : read(ends[0], why, sizeof why - 1);
    int status = -1;
    close(ends[0]);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (status == 0)
        return 0;
    return length > 0
               ? fth_fail(error, "%s", why)
               : fth_fail(error, "UCX cannot use the device '%s': it ended by itself", device);
}

/* ---- what comes ---- */

static struct fth_ucx_way *way_of(const struct fth_ucx *ucx, const struct header *header)
{
    struct fth_ucx_way *way = header->place < ucx->way_count ? ucx->ways[header->place] : NULL;
    uint8_t differs = 0;
    for (int i = 0; way && i < KEY_BYTES; i++)
        differs |= way->own.key[i] ^ header->key[i];
    return differs ? NULL : way;
}

/* Its way may have ended while it came. */
static void add_arrived(struct fth_ucx *ucx, struct arrived *message)
{
    struct fth_ucx_way *way = way_of(ucx, &message->header);
    struct arrived **at = way ? &way->first : NULL;
    if (!way) {
        free(message);
        return;
    }
    while (*at && (*at)->header.number < message->header.number)
        at = &(*at)->next;
    message->next = *at;
    *at = message;
    ucx->has_something = true;
}

static void received(void *request, ucs_status_t status, size_t length, void *data)
{
    struct arrived *message = data;
    struct fth_ucx_way *way = way_of(message->ucx, &message->header);
    (void)length;
    if (status == UCS_OK) {
        add_arrived(message->ucx, message);
    } else {
        if (way)
            break_way(way, NULL, status);
        free(message);
    }
    fth_ucp.request_free(request);
}

/* Its sender keeps it until it is fetched. */
static ucs_status_t fetch(struct arrived *message, void *from)
{
    const ucp_request_param_t how = {.op_attr_mask =
                                         UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA,
                                     .cb.recv_am = received,
                                     .user_data = message};
    ucs_status_ptr_t request =
        fth_ucp.am_recv_data_nbx(message->ucx->worker, from, message->data, message->length, &how);
    if (UCS_PTR_IS_PTR(request))
        return UCS_INPROGRESS;
    if (UCS_PTR_STATUS(request) == UCS_OK)
        add_arrived(message->ucx, message);
    else
        free(message);
    return UCS_PTR_STATUS(request);
}

/* What does not have the key of a way is nobody's. */
static ucs_status_t receive(void *data, const void *header, size_t header_length, void *message,
                            size_t length, const ucp_am_recv_param_t *how)
{
    struct fth_ucx *ucx = data;
    struct header of;
    if (header_length != sizeof of || length > FTH_MESSAGE_MOST)
        return UCS_OK;
    memcpy(&of, header, sizeof of);
    if (!way_of(ucx, &of))
        return UCS_OK;
    struct arrived *made = fth_new(1, sizeof *made + length);
    made->header = of;
    made->ucx = ucx;
    made->length = length;
    if (how->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV)
        return fetch(made, message);
    memcpy(made->data, message, length);
    add_arrived(ucx, made);
    return UCS_OK;
}

static int take_way(struct fth_ucx *ucx, uint32_t place,
                    void (*take)(void *data, uint64_t mark, struct fth_view *message), void *data)
{
    struct fth_ucx_way *way;
    int count = 0;
    while ((way = ucx->ways[place]) && !way->broken && way->first &&
           way->first->header.number == way->own.number) {
        struct arrived *message = way->first;
        struct fth_view view = fth_view_of(message->data, message->length);
        way->first = message->next;
        way->own.number++;
        count++;
        take(data, way->mark, &view); /* which may end it */
        free(message);
    }
    if (way && way->broken) {
        take(data, way->mark, NULL);
        count++;
    }
    return count;
}

static void go_on(const struct fth_ucx *ucx)
{
    while (fth_ucp.worker_progress(ucx->worker)) {
    }
}

int fth_ucx_take(struct fth_ucx *ucx,
                 void (*take)(void *data, uint64_t mark, struct fth_view *message), void *data)
{
    int count = 0;
    go_on(ucx);
    if (!ucx->has_something)
        return 0;
    ucx->has_something = false;
    for (uint32_t i = 0; i < ucx->way_count; i++)
        count += take_way(ucx, i, take, data);
    return count;
}

int fth_ucx_file(const struct fth_ucx *ucx)
{
    return ucx->file;
}

bool fth_ucx_rest(struct fth_ucx *ucx)
{
    do
        go_on(ucx);
    while (fth_ucp.worker_arm(ucx->worker) == UCS_ERR_BUSY);
    return !ucx->has_something;
}

/* ---- ways ---- */

struct fth_ucx_way *fth_ucx_way_new(struct fth_ucx *ucx, uint64_t mark)
{
    struct fth_ucx_way *way = fth_new(1, sizeof *way);
    uint32_t place = 0;
    while (place < ucx->way_count && ucx->ways[place])
        place++;
    if (place == ucx->way_count) {
        FTH_GROW(ucx->ways, ucx->way_count);
        ucx->way_count++;
    }
    way->ucx = ucx;
    way->mark = mark;
    way->own.place = place;
    if (getrandom(way->own.key, KEY_BYTES, 0) != KEY_BYTES)
        abort();
    ucx->ways[place] = way;
    return way;
}

void fth_ucx_way_tell(const struct fth_ucx_way *way, struct fth_bytes *out)
{
    fth_bytes_put(out, way->own.key, KEY_BYTES);
    fth_bytes_varint(out, way->own.place);
    fth_bytes_text(out, way->ucx->address, way->ucx->address_length);
}

bool fth_ucx_way_reach(struct fth_ucx_way *way, struct fth_view *said)
{
    const uint8_t *key = fth_view_bytes(said, KEY_BYTES);
    uint64_t place = fth_view_varint(said), length = fth_view_varint(said);
    const uint8_t *address = fth_view_bytes(said, length);
    if (said->failed || place > UINT32_MAX || !length || length > ADDRESS_MOST || way->endpoint) {
        errno = EBADMSG;
        return false;
    }
    memcpy(way->other.key, key, KEY_BYTES);
    way->other.place = (uint32_t)place;
    uint8_t *aligned = fth_new(1, length);
    memcpy(aligned, address, length);
    ucs_status_t status = connect_way(way, (const ucp_address_t *)aligned);
    free(aligned);
    errno = EHOSTUNREACH;
    return status == UCS_OK;
}

bool fth_ucx_way_is_reached(const struct fth_ucx_way *way)
{
    return way->endpoint != NULL;
}

static void free_ended(struct fth_ucx_way *way)
{
    if (way->ended && !way->flying)
        free(way);
}

static void end_sent(struct sent *message, ucs_status_t status)
{
    struct fth_ucx_way *way = message->way;
    if (status != UCS_OK && !way->ended)
        break_way(way, NULL, status);
    way->flying--;
    free(message);
    free_ended(way);
}

static void has_sent(void *request, ucs_status_t status, void *data)
{
    fth_ucp.request_free(request);
    end_sent(data, status);
}

void fth_ucx_way_send(struct fth_ucx_way *way, const struct fth_bytes *message)
{
    struct sent *made = fth_new(1, sizeof *made + message->length);
    const ucp_request_param_t how = {.op_attr_mask =
                                         UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA,
                                     .cb.send = has_sent,
                                     .user_data = made};
    made->way = way;
    made->header = way->other;
    way->other.number++;
    way->flying++;
    memcpy(made->data, message->data, message->length);
    ucs_status_ptr_t request =
        fth_ucp.am_send_nbx(way->endpoint, MESSAGE, &made->header, sizeof made->header, made->data,
                            message->length, &how);
    if (!UCS_PTR_IS_PTR(request))
        end_sent(made, UCS_PTR_STATUS(request));
}

/* Goes on until a request is done. */
static void wait_for(struct fth_ucx *ucx, ucs_status_ptr_t request, int most)
{
    if (!UCS_PTR_IS_PTR(request))
        return;
    for (int i = 0; fth_ucp.request_check_status(request) == UCS_INPROGRESS && i < most;) {
        if (!fth_ucp.worker_progress(ucx->worker)) {
            poll(NULL, 0, SETTLE_STEP);
            i += SETTLE_STEP;
        }
    }
    fth_ucp.request_free(request);
}

void fth_ucx_way_settle(struct fth_ucx_way *way, int most)
{
    const ucp_request_param_t how = {.op_attr_mask = 0};
    if (way->endpoint && !way->broken)
        wait_for(way->ucx, fth_ucp.ep_flush_nbx(way->endpoint, &how), most);
}

void fth_ucx_way_end(struct fth_ucx_way *way)
{
    enum { CLOSE_MOST = 100 /* ms */ };
    const ucp_request_param_t how = {.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS,
                                     .flags = UCP_EP_CLOSE_FLAG_FORCE};
    way->ucx->ways[way->own.place] = NULL;
    way->ended = true;
    while (way->first) {
        struct arrived *message = way->first;
        way->first = message->next;
        free(message);
    }
    way->flying++; /* while it is closed */
    if (way->endpoint)
        wait_for(way->ucx, fth_ucp.ep_close_nbx(way->endpoint, &how), CLOSE_MOST);
    way->flying--;
    free_ended(way);
}

#endif
