/* Servers of one instance on several nodes, each started there. */
#include "cmd/fs/fs_nodes.h"

#include "base/launchers.h"
#include "base/memory.h"
#include "fs/protocol/fs_messages.h"
#include "fs/protocol/held_files.h"
#include "fs/server/node_meeting.h"
#include "fs/server/sealed_link.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the launcher gives: one server for each of its ranks, which are one on each node. */
static int count_ranks(struct fth_fs_instance *instance, int64_t *self, struct fth_error **error)
{
    struct fth_launch launch;
    instance->server_count = 1;
    if (!fth_launch_find(&launch) || launch.size < 2)
        return 0;
    if (launch.local_size > 1)
        return fth_fail(error,
                        "%s has started %d servers on this node: one is enough (mpirun --map-by "
                        "ppr:1:node, srun --ntasks-per-node 1)",
                        launch.launcher->name, launch.local_size);
    if (launch.size > FTH_SERVERS_MOST)
        return fth_fail(error, "there are at most %d servers", FTH_SERVERS_MOST);
    instance->server_count = (uint32_t)launch.size;
    *self = launch.rank;
    return 0;
}

/* Is it the name of this node, with or without its domain? */
static bool is_own_name(const char *name, size_t length)
{
    char own[FTH_NODE_NAME_MOST + 1];
    fth_node_name(own);
    size_t whole = strlen(own), part = strcspn(own, ".");
    return (length == whole || length == part) && memcmp(own, name, length) == 0;
}

static int find_name(struct fth_fs_instance *instance, const char *nodes, int64_t *self,
                     struct fth_error **error)
{
    uint32_t count = 0;
    *self = -1;
    for (const char *name = nodes; *name; count++) {
        size_t length = strcspn(name, ",");
        if (is_own_name(name, length))
            *self = count;
        name += length + (name[length] == ',');
    }
    if (*self < 0 || count > FTH_SERVERS_MOST)
        return fth_fail(error, "this node is not one of the nodes '%s'", nodes);
    instance->server_count = count;
    return 0;
}

int fth_cmd_fs_count_nodes(struct fth_fs_instance *instance, const char *nodes, int64_t *self,
                           struct fth_error **error)
{
    char *end;
    *self = -1;
    if (!nodes)
        return count_ranks(instance, self, error);
    unsigned long count = strtoul(nodes, &end, 10);
    if (*end || end == nodes)
        return find_name(instance, nodes, self, error);
    if (count < 1 || count > FTH_SERVERS_MOST)
        return fth_fail(error,
                        "--nodes is a number from 1 to %d, or the names of the nodes, not '%s'",
                        FTH_SERVERS_MOST, nodes);
    instance->server_count = (uint32_t)count;
    return 0;
}

static void put_job(FILE *text)
{
    struct fth_launch launch;
    if (!fth_launch_find(&launch))
        return;
    for (int i = 0; i < 2; i++) {
        const char *job = launch.launcher->job[i] ? getenv(launch.launcher->job[i]) : NULL;
        if (job && !strchr(job, '\n'))
            fprintf(text, "run of the launcher %s\n", job);
    }
}

/* What all servers have to have alike, for people as well; to be freed. */
static char *list_facts(const struct fth_fs_instance *instance)
{
    char *facts = NULL;
    size_t length;
    FILE *text = open_memstream(&facts, &length);
    if (!text)
        fth_out_of_memory();
    fprintf(text, "version %d.%d\nservers %u\n", FTH_MESSAGE_VERSION, FTH_LINK_VERSION,
            instance->server_count);
    fprintf(text, "times of birth %s\n", fth_held_born(instance->under, "") ? "yes" : "no");
    fprintf(text, "prefix %s\nwithin %llu\n", instance->prefix,
            (unsigned long long)instance->within);
    fprintf(text, "copies %u\n", instance->copies);
    const struct fth_model_rules *rules = &instance->rules;
    for (size_t i = 0; i < rules->model_count; i++)
        fprintf(text, "model %s %u %u\n", rules->models[i].name, rules->models[i].moments.publishes,
                rules->models[i].moments.fetches);
    for (size_t i = 0; i < rules->rule_count; i++)
        fprintf(text, "files %s %s\n", rules->rules[i].names,
                rules->models[rules->rules[i].model].name);
    fprintf(text, "rdma %s\n", *instance->rdma ? "yes" : "no");
    put_job(text);
    if (fclose(text))
        fth_out_of_memory();
    return facts;
}

static int open_under(struct fth_fs_instance *instance, struct fth_error **error)
{
    instance->under = open(instance->under_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return instance->under < 0 ? fth_fail_errno(error, "the folder below, '%s', cannot be opened",
                                                instance->under_path)
                               : 0;
}

static void close_under(struct fth_fs_instance *instance)
{
    close(instance->under);
    instance->under = -1;
}

int fth_cmd_fs_meet(struct fth_fs_instance *instance, const char *path, int64_t self,
                    struct fth_error **error)
{
    if (instance->server_count == 1)
        return 0;
    snprintf(instance->path, sizeof instance->path, "%s", path);
    if (open_under(instance, error))
        return -1;
    char *facts = list_facts(instance);
    int failed = fth_node_meeting_join(instance, self, facts, error);
    free(facts);
    close_under(instance);
    return failed;
}

void fth_cmd_fs_miss(struct fth_fs_instance *instance)
{
    if (instance->server_count == 1 || (instance->under < 0 && open_under(instance, NULL)))
        return;
    fth_node_meeting_leave(instance);
    close_under(instance);
}
