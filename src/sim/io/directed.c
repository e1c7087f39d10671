/* Disk-directed writes. A client only announces its write. The server fetches the data in the
 * order of its disk, and only as much as keeps the disk busy (Kotz, Disk-directed I/O for MIMD
 * multiprocessors, 1994; Seamons et al., Server-directed collective I/O in Panda, 1995). So no
 * data arrives without space for it, and the NIC is never closed. */
#include "sim/io/server.h"

#include "sim/io/task_batch.h"

/* The server asks for so many bytes, and the client sends them. */
struct fth_sim_pull {
    struct fth_sim_message asked, data;
    struct fth_sim_request *request;
    struct fth_sim_catch *catch;
    struct fth_sim_pull *next; /* of the same catch; that are free */
};

/* Data of one or several clients, one behind the other, that become one task for the disk when all
 * of them are there. */
struct fth_sim_catch {
    struct fth_sim_pull *pulls;
    struct fth_sim_catch *next; /* of those that are free */
    uint32_t file;
    uint64_t offset, bytes, missing;
};

/* While the disk works with one operation, the data of the next one come. */
enum { AHEAD = 2 };

#define PULL_OF(message, member)                                                                   \
    ((struct fth_sim_pull *)(void *)((char *)(message)-offsetof(struct fth_sim_pull, member)))

static void nothing(void *user, struct fth_sim_message *message)
{
    (void)user;
    (void)message;
}

static void land(struct fth_sim_server *server, struct fth_sim_catch *catch)
{
    struct fth_sim_storage *storage = server->storage;
    server->used -= catch->bytes; /* they were kept free; now the data are there, or are already */
    if (!fth_sim_server_store(server, catch->file, catch->offset, catch->bytes))
        server->fetched--;
    for (struct fth_sim_pull *pull = catch->pulls, *next; pull; pull = next) {
        struct fth_sim_request *request = pull->request;
        next = pull->next;
        request->stored += pull->data.bytes;
        if (request->stored == request->bytes)
            fth_sim_server_acknowledge(request);
        pull->next = storage->free_pulls;
        storage->free_pulls = pull;
    }
    catch->next = storage->free_catches;
    storage->free_catches = catch;
    fth_sim_server_schedule(server);
}

static void data_arrived(void *user, struct fth_sim_message *message)
{
    (void)user;
    struct fth_sim_pull *pull = PULL_OF(message, data);
    pull->catch->missing -= pull->data.bytes;
    if (!pull->catch->missing)
        land(pull->request->server, pull->catch);
}

static void asked(void *user, struct fth_sim_message *message)
{
    static const struct fth_sim_network_user data = {
        .left = nothing, .announced = nothing, .arrived = data_arrived};
    (void)user;
    struct fth_sim_pull *pull = PULL_OF(message, asked);
    pull->data.user = &data;
    fth_sim_server_send(pull->request, &pull->data, FTH_SIM_TO_SERVER);
}

static void add_pull(struct fth_sim_catch *catch, struct fth_sim_request *request, uint64_t bytes)
{
    struct fth_sim_storage *storage = request->server->storage;
    struct fth_sim_pull *pull = storage->free_pulls;
    if (pull)
        storage->free_pulls = pull->next;
    else
        pull = fth_sim_new(storage->engine, sizeof *pull);
    *pull = (struct fth_sim_pull){
        .data = {.bytes = bytes}, .request = request, .catch = catch, .next = catch->pulls};
    catch->pulls = pull;
    catch->bytes += bytes;
    request->server->used += bytes;
}

static void send_pulls(struct fth_sim_catch *catch)
{
    static const struct fth_sim_network_user pulls = {
        .left = nothing, .announced = nothing, .arrived = asked};
    catch->missing = catch->bytes;
    for (struct fth_sim_pull *pull = catch->pulls; pull; pull = pull->next) {
        pull->asked = (struct fth_sim_message){.bytes = FTH_SIM_REQUEST_BYTES, .user = &pulls};
        fth_sim_server_send(pull->request, &pull->asked, FTH_SIM_FROM_SERVER);
    }
}

/* ---- which data are next ---- */

static uint64_t place_of(const struct fth_sim_request *request)
{
    return request->pieces[request->piece].offset + request->within;
}

static bool is_before(const struct fth_sim_request *one, const struct fth_sim_request *other)
{
    return one->file != other->file ? one->file < other->file : place_of(one) < place_of(other);
}

static struct fth_sim_request **find_next(struct fth_sim_server *server)
{
    struct fth_sim_request **best = NULL;
    for (struct fth_sim_request **at = &server->writes.offered; *at; at = &(*at)->next)
        if (!best || is_before(*at, *best))
            best = at;
    return best;
}

/* The next bytes that are offered go with the catch if they lie behind it and there is room. */
static bool extend(struct fth_sim_server *server, struct fth_sim_catch *catch)
{
    struct fth_sim_request **at = find_next(server), *request = at ? *at : NULL;
    if (!request || (catch->bytes && (request->file != catch->file ||
                                      place_of(request) != catch->offset + catch->bytes)))
        return false;
    uint64_t left = request->pieces[request->piece].bytes - request->within;
    uint64_t room = server->granularity - catch->bytes, bytes = left < room ? left : room;
    if (!bytes || !fth_sim_server_fits(server, bytes))
        return false;
    if (!catch->bytes) {
        catch->file = request->file;
        catch->offset = place_of(request);
    }
    request->within += bytes;
    if (bytes == left) {
        request->within = 0;
        if (++request->piece == request->piece_count)
            *at = request->next;
    }
    add_pull(catch, request, bytes);
    return true;
}

void fth_sim_server_fetch(struct fth_sim_server *server)
{
    struct fth_sim_storage *storage = server->storage;
    while (server->writes.offered && server->fetched < AHEAD * server->most_at_disk) {
        struct fth_sim_catch *catch = storage->free_catches;
        if (catch)
            storage->free_catches = catch->next;
        else
            catch = fth_sim_new(storage->engine, sizeof *catch);
        *catch = (struct fth_sim_catch){0};
        while (extend(server, catch))
            continue;
        if (!catch->bytes) {
            catch->next = storage->free_catches;
            storage->free_catches = catch;
            return;
        }
        server->fetched++;
        send_pulls(catch);
    }
}

void fth_sim_server_offer(struct fth_sim_request *request)
{
    struct fth_sim_server *server = request->server;
    struct fth_sim_request **at = &server->writes.offered;
    while (*at)
        at = &(*at)->next;
    request->next = NULL;
    *at = request;
    fth_sim_server_fetch(server);
}
