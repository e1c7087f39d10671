/* Bytes that a client publishes, on their way to the node that has the copy of this one: before
 * anybody hears of them. */
#include "fs/server/spread_task.h"

#include "base/memory.h"
#include "fs/protocol/buffer_file.h"
#include "fs/protocol/fs_messages.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { AT_ONCE = 8 /* pieces that are on their way */ };

/* Ranges are read from task->ranges, one after the other. */
struct fth_copied_ranges {
    fth_spread_task_step *then;
    struct fth_view view;
    uint64_t left_ranges;
    uint64_t place, left; /* of the one that is being copied */
    struct fth_keyed buffers;
};

static void end(struct fth_spread_task *task)
{
    struct fth_copied_ranges *copied = task->copied;
    fth_spread_task_step *then = copied->then;
    fth_buffer_file_close_all(&copied->buffers);
    free(copied);
    task->copied = NULL;
    task->miss = NULL;
    then(task);
}

/* Who has no copy any more is not the next node any more: that one is lost. */
static void miss(struct fth_spread_task *task, uint32_t server, const char *why)
{
    struct fth_copies *copies = task->spread->parts->copies;
    char text[FTH_TASK_WHY];
    (void)server;
    snprintf(text, sizeof text, "what was written has no copy on the next node: %.440s", why);
    if (!fth_copies_look(copies) || copies->is_lost)
        fth_spread_task_fail(task, EHOSTDOWN, text);
}

/* false: there is none, or no bytes are to be copied. */
static bool find_range(struct fth_copied_ranges *copied)
{
    while (!copied->left && copied->left_ranges && !copied->view.failed) {
        copied->left_ranges--;
        fth_view_varint(&copied->view);
        copied->left = fth_view_varint(&copied->view);
        copied->place = fth_view_varint(&copied->view);
    }
    return copied->left && !copied->view.failed;
}

static void copy_piece(struct fth_spread_task *task)
{
    struct fth_copied_ranges *copied = task->copied;
    const struct fth_fs_instance *instance = task->spread->requests->instance;
    uint64_t bytes = copied->left < FTH_FETCH_MOST ? copied->left : FTH_FETCH_MOST;
    struct fth_bytes fields = {.data = NULL};
    const struct fth_buffer_file *buffer =
        fth_buffer_file_of(&copied->buffers, instance->folder, task->asker.client);
    fth_bytes_varint(&fields, task->asker.client);
    fth_bytes_varint(&fields, copied->place);
    uint8_t *to = fth_bytes_room(&fields, bytes);
    if (buffer && fth_buffer_file_copy(buffer, copied->place, to, bytes)) {
        fields.length += bytes;
        fth_spread_task_ask(task, fth_partner_of(instance), FTH_MESSAGE_COPY_BYTES, &fields, NULL);
        task->spread->parts->copies->copied_bytes += bytes;
    } else {
        fth_spread_task_fail(task, EIO, "what was written is not in the buffer of its process");
    }
    copied->place += bytes;
    copied->left -= bytes;
    fth_bytes_free(&fields);
}

static void copy(struct fth_spread_task *task)
{
    const struct fth_copies *copies = task->spread->parts->copies;
    struct fth_copied_ranges *copied = task->copied;
    bool has_more = !task->error && copies->is_on && find_range(copied);
    fth_spread_task_begin_step(task, has_more ? copy : end);
    for (int i = 0; i < AT_ONCE && !task->error && has_more && find_range(copied); i++)
        copy_piece(task);
    fth_spread_task_end_step(task);
}

void fth_spread_copy(struct fth_spread_task *task, fth_spread_task_step *then)
{
    const struct fth_copies *copies = task->spread->parts->copies;
    if (task->error || !copies || !copies->is_on) {
        then(task);
        return;
    }
    task->copied = fth_new(1, sizeof *task->copied);
    *task->copied =
        (struct fth_copied_ranges){.then = then,
                                   .view = fth_view_of(task->ranges.data, task->ranges.length),
                                   .buffers.size = sizeof(struct fth_buffer_file)};
    task->copied->left_ranges = fth_view_count(&task->copied->view, 3);
    task->miss = miss;
    copy(task);
}
