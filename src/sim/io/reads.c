/* What servers do to answer reads: from what they keep, or from the disk. Without a read cache a
 * request reads what it is for; with one, whole blocks of the file, and when it goes on where a
 * block that is there ends, some blocks ahead. */
#include "sim/io/server.h"

/* ---- the answer ---- */

/* So many bytes of the answer can be sent. */
static void append(struct fth_sim_request *request, uint64_t bytes)
{
    if (fth_sim_request_is_local(request))
        fth_sim_local_append(request, bytes);
    else if (request->relay)
        fth_sim_forward_append(request->relay, bytes);
    else
        fth_sim_network_append(request->server->storage->network, &request->data, bytes);
}

/* Memory for what the cache of reads keeps is its own: it is not given back when that has been
 * sent. */
static void append_kept(struct fth_sim_request *request, uint64_t bytes)
{
    request->kept += bytes;
    append(request, bytes);
}

static void data_left(void *user, struct fth_sim_message *message, uint64_t bytes)
{
    (void)user;
    struct fth_sim_request *request = FTH_SIM_REQUEST_OF(message, data);
    struct fth_sim_server *server = request->server;
    uint64_t kept = bytes < request->kept ? bytes : request->kept;
    request->kept -= kept;
    server->used -= bytes - kept;
    fth_sim_server_admit(server);
    fth_sim_server_schedule(server);
}

static void data_over(void *user, struct fth_sim_message *message)
{
    (void)user;
    fth_sim_request_over(FTH_SIM_REQUEST_OF(message, data));
}

static void nothing(void *user, struct fth_sim_message *message)
{
    (void)user;
    (void)message;
}

/* ---- without a read cache ---- */

static void read_from_disk(struct fth_sim_request *request, struct fth_sim_extent rest)
{
    struct fth_sim_server *server = request->server;
    while (rest.bytes) {
        uint64_t part = rest.bytes < server->granularity ? rest.bytes : server->granularity;
        fth_sim_server_add_task(
            server, FTH_SIM_READ,
            &(struct fth_sim_task){
                .request = request, .file = request->file, .offset = rest.offset, .bytes = part});
        fth_sim_server_schedule(server);
        rest.offset += part;
        rest.bytes -= part;
    }
}

/* ---- with one ---- */

/* Blocks one behind the other that the disk reads as one task. */
struct run {
    struct fth_sim_server *server;
    uint32_t file;
    uint64_t first, count, end; /* end: of the server's part of the file */
};

static void end_run(struct run *run)
{
    if (!run->count)
        return;
    uint64_t size = run->server->blocks.size, offset = run->first * size;
    uint64_t bytes = run->count * size, left = run->end - offset;
    run->count = 0;
    fth_sim_server_add_task(run->server, FTH_SIM_READ,
                            &(struct fth_sim_task){.is_kept = true,
                                                   .file = run->file,
                                                   .offset = offset,
                                                   .bytes = bytes < left ? bytes : left});
    fth_sim_server_schedule(run->server);
}

static void add_to_run(struct run *run, uint64_t number)
{
    if (!run->count)
        run->first = number;
    run->count++;
    if ((run->count + 1) * run->server->blocks.size > run->server->granularity)
        end_run(run);
}

static uint64_t end_of_file(const struct fth_sim_server *server, uint32_t file)
{
    const struct fth_sim_storage *storage = server->storage;
    const struct fth_sim_stored_file *stored = &storage->files[file];
    uint32_t self = (uint32_t)(server - storage->servers);
    uint32_t index = (self + storage->server_count - stored->layout.first) % storage->server_count;
    return fth_sim_layout_before(&stored->layout, index, stored->size);
}

/* Whoever goes on where something ends that was wanted, or starts a file, is likely to go on. */
static bool goes_on(const struct fth_sim_blocks *blocks, uint32_t file, uint64_t offset)
{
    return !offset || fth_sim_blocks_find(blocks, file, (offset - 1) / blocks->size);
}

static void read_ahead(struct run *run, uint64_t number)
{
    struct fth_sim_blocks *blocks = &run->server->blocks;
    for (uint64_t last = number + blocks->ahead; number < last && number * blocks->size < run->end;
         number++) {
        if (fth_sim_blocks_find(blocks, run->file, number)) {
            end_run(run);
            continue;
        }
        struct fth_sim_block *block = fth_sim_blocks_add(blocks, run->file, number);
        if (!block)
            break;
        block->is_ahead = true;
        blocks->read_ahead++;
        add_to_run(run, number);
    }
    end_run(run);
}

/* So many bytes of a block. */
static void read_block(struct fth_sim_request *request, struct run *run, uint64_t number,
                       struct fth_sim_extent part)
{
    struct fth_sim_blocks *blocks = &run->server->blocks;
    struct fth_sim_block *block = fth_sim_blocks_find(blocks, run->file, number);
    if (block) {
        end_run(run);
        blocks->hits++;
        fth_sim_blocks_want(blocks, block);
        if (block->is_there)
            append_kept(request, part.bytes);
        else
            fth_sim_blocks_wait(blocks, block, request, part.bytes);
        return;
    }
    blocks->misses++;
    block = fth_sim_blocks_add(blocks, run->file, number);
    if (!block) {
        end_run(run);
        read_from_disk(request, part);
        return;
    }
    fth_sim_blocks_wait(blocks, block, request, part.bytes);
    add_to_run(run, number);
}

static void read_blocks(struct fth_sim_request *request, const struct fth_sim_extent *piece)
{
    struct fth_sim_server *server = request->server;
    uint64_t size = server->blocks.size, from = piece->offset, end = piece->offset + piece->bytes;
    bool more = goes_on(&server->blocks, request->file, from);
    struct run run = {
        .server = server, .file = request->file, .end = end_of_file(server, request->file)};
    while (from < end) {
        uint64_t number = from / size, to = (number + 1) * size < end ? (number + 1) * size : end;
        read_block(request, &run, number, (struct fth_sim_extent){from, to - from});
        from = to;
    }
    end_run(&run); /* nobody waits for what is read ahead */
    if (more)
        read_ahead(&run, (end - 1) / size + 1);
}

/* ---- requests come, tasks are over ---- */

/* The answer begins at once; it grows by what the disk delivers. */
void fth_sim_server_read(struct fth_sim_request *request)
{
    static const struct fth_sim_network_user answers = {
        .left = nothing, .announced = nothing, .arrived = data_over, .part_left = data_left};
    struct fth_sim_server *server = request->server;
    server->done.bytes_read += request->bytes;
    server->done.bytes_of[request->file] += request->bytes;
    request->data = (struct fth_sim_message){
        .bytes = request->bytes, .withheld = request->bytes, .user = &answers, .in_parts = true};
    fth_sim_server_send(request, &request->data, FTH_SIM_FROM_SERVER);
    for (uint32_t i = 0; i < request->piece_count; i++)
        if (server->blocks.size)
            read_blocks(request, &request->pieces[i]);
        else
            read_from_disk(request, request->pieces[i]);
}

void fth_sim_server_was_read(struct fth_sim_server *server, const struct fth_sim_task *task)
{
    struct fth_sim_blocks *blocks = &server->blocks;
    if (!task->is_kept) {
        append(task->request, task->bytes);
        return;
    }
    uint64_t last = (task->offset + task->bytes - 1) / blocks->size;
    for (uint64_t number = task->offset / blocks->size; number <= last; number++)
        fth_sim_blocks_loaded(blocks, fth_sim_blocks_find(blocks, task->file, number), append_kept);
}
