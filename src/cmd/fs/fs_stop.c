/* Writing what is attached, and ending an instance. */
#include "cmd/fs/fs_request.h"

#include "base/phrase.h"
#include "cmd/fs/fs_server.h"
#include "fs/protocol/fs_messages.h"
#include "fs/protocol/unsaved.h"
#include "fs/server/node_meeting.h"

#include <stdio.h>
#include <unistd.h>

int fth_cmd_fs_write(struct fth_cmd_fs_request *request, uint8_t kind, FILE *to,
                     struct fth_error **error)
{
    struct fth_bytes answer;
    struct fth_view view;
    int failed = fth_cmd_fs_ask(&request->instance, kind, &answer, &view, error);
    uint64_t files = failed ? 0 : fth_view_varint(&view);
    uint64_t bytes = failed ? 0 : fth_view_varint(&view);
    fth_bytes_free(&answer);
    if (!failed && to)
        fprintf(to, "%s, %s written to %s\n", fth_phrase_several(files, "file", "files").text,
                fth_phrase_bytes(bytes).text, request->instance.under_path);
    return failed;
}

/* The model of a file, by its path. */
static const char *model_of(const struct fth_fs_instance *instance, const char *path)
{
    const struct fth_model_rule *one, *other;
    const char *name = fth_cmd_fs_name_below(instance, path);
    const struct fth_fs_model *model =
        fth_model_rules_of(&instance->rules, name ? name : path, &one, &other);
    return model ? model->name : instance->rules.models[0].name;
}

/* What processes wrote and did not publish before they ended. */
static void tell_of_loss(const struct fth_unsaved *process, const struct fth_unsaved_file *file,
                         void *data)
{
    const struct fth_fs_instance *instance = data;
    fprintf(stderr,
            "fathom fs: %s (process %lld) ended before it had published, under %s consistency, "
            "what it had written: '%s', bytes %llu to %llu%s, is lost\n",
            process->program, (long long)process->process, model_of(instance, file->name),
            file->name, (unsigned long long)file->begin, (unsigned long long)file->end,
            file->has_gaps ? " in parts" : "");
}

/* Of this node, or of all. */
void fth_cmd_fs_tell_of_losses(struct fth_fs_instance *instance, bool of_all)
{
    if (instance->rules.model_count && instance->server_count > 1 && of_all)
        fth_cmd_fs_each_loss(instance, tell_of_loss, instance);
    else if (instance->rules.model_count)
        fth_unsaved_each(instance->folder, tell_of_loss, instance);
}

int fth_cmd_fs_flush(struct fth_cmd_fs_request *request, struct fth_error **error)
{
    return fth_cmd_fs_open(request, error)
               ? -1
               : fth_cmd_fs_write(request, FTH_MESSAGE_FLUSH, stdout, error);
}

/* Is there no server, or none any more within this time? */
static bool has_no_server(const struct fth_fs_instance *instance, unsigned milliseconds)
{
    int lock = fth_instance_lock(instance, milliseconds);
    if (lock >= 0)
        close(lock);
    return lock >= 0;
}

/* Only a server can tell those of other nodes that they end. */
static bool starts_again(const struct fth_fs_instance *instance)
{
    struct fth_error *error = NULL;
    bool starts = instance->server_count > 1 && !fth_cmd_fs_start_server(instance, &error);
    fth_error_free(error);
    return starts;
}

static int discard(struct fth_cmd_fs_request *request, struct fth_error **error)
{
    struct fth_fs_instance *instance = &request->instance;
    if (has_no_server(instance, 0) && !starts_again(instance)) {
        fth_cmd_fs_unmount(instance, true);
        fth_cmd_fs_remove(instance); /* what is on other nodes is ended there */
        return 0;
    }
    fth_cmd_fs_unmount(instance, false);
    fth_cmd_fs_tell_of_losses(instance, true);
    if (fth_cmd_fs_write(request, FTH_MESSAGE_DISCARD, NULL, error)) {
        if (!has_no_server(instance, 1000))
            return -1;
        fth_error_free(*error);
        *error = NULL;
    } else if (instance->server_count > 1 && !fth_instance_is_lost(instance)) {
        fth_node_meeting_remove(instance);
    }
    fth_cmd_fs_remove(instance);
    return 0;
}

int fth_cmd_fs_stop(struct fth_cmd_fs_request *request, struct fth_error **error)
{
    if (fth_cmd_fs_open(request, error))
        return -1;
    if (request->discard)
        return discard(request, error);
    fth_cmd_fs_unmount(&request->instance, false);
    fth_cmd_fs_tell_of_losses(&request->instance, true);
    if (fth_cmd_fs_write(request, FTH_MESSAGE_STOP, stdout, error))
        return fth_fail_in(error, "the instance '%s' stays (--discard ends it all the same)",
                           fth_cmd_fs_name(request));
    if (request->instance.server_count > 1)
        fth_node_meeting_remove(&request->instance);
    fth_cmd_fs_remove(&request->instance);
    return 0;
}
