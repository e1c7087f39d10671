/* The project file: see the header. */
#include "export/hdtrace/project_file.h"

#include "base/memory.h"
#include "export/hdtrace/hdtrace_statistics.h"
#include "export/hdtrace/xml.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

struct writer {
    const struct fth_hdtrace_project *of;
    const struct fth_exported *exported;
    struct fth_output *output;
    struct fth_sink *to;
};

/* ---- description, files ---- */

static void put_description(struct writer *writer)
{
    json_t *meta = writer->exported->names
                       ? NULL
                       : json_loads(fth_trace_info(writer->exported->trace)->meta_json, 0, NULL);
    const json_t *command = json_object_get(meta, "command");
    size_t i;
    json_t *word;
    fth_sink_text(writer->to, "<Application");
    fth_xml_text(writer->to, "name",
                 json_string_value(json_array_get(command, 0))
                     ? json_string_value(json_array_get(command, 0))
                     : "");
    fth_sink_text(writer->to, ">\n<Description>");
    json_array_foreach(command, i, word)
    {
        fth_sink_text(writer->to, i ? " " : "");
        fth_xml_put(writer->to, json_string_value(word) ? json_string_value(word) : "");
    }
    fth_sink_text(writer->to, "</Description>\n");
    json_decref(meta);
}

static int by_text(const void *one, const void *other)
{
    return strcmp(*(char *const *)one, *(char *const *)other);
}

/* Sorted: threads found them in any order. How large a file was before the run is not in a
 * trace. */
static void put_files(struct writer *writer)
{
    const struct fth_intern *files = &writer->of->files;
    char **paths = fth_new(files->count + 1, sizeof *paths);
    size_t length;
    for (uint32_t i = 0; i < files->count; i++) {
        const char *start = (const char *)fth_interned(files, i, &length);
        paths[i] = fth_text_part(start, length);
    }
    qsort(paths, files->count, sizeof *paths, by_text);
    fth_sink_text(writer->to, "<FileList>\n");
    for (uint32_t i = 0; i < files->count; i++) {
        fth_sink_text(writer->to, "<File");
        fth_xml_text(writer->to, "name", paths[i]);
        fth_sink_text(writer->to, "/>\n");
        free(paths[i]);
    }
    fth_sink_text(writer->to, "</FileList>\n");
    free(paths);
}

/* ---- topology ---- */

static void put_node(struct writer *writer, const char *name)
{
    fth_sink_text(writer->to, "<Node");
    fth_xml_text(writer->to, "name", name);
    fth_sink_char(writer->to, '>');
}

static void put_process(struct writer *writer, size_t proc)
{
    char name[FTH_HDTRACE_NODE];
    put_node(writer, fth_hdtrace_process(&writer->of->places, proc, name));
    for (uint32_t thread = 0; thread < writer->of->threads[proc]; thread++) {
        snprintf(name, sizeof name, "%u", thread);
        put_node(writer, name);
        fth_sink_text(writer->to, "</Node>");
    }
    fth_sink_text(writer->to, "</Node>\n");
}

/* Ranks that are not exported are members of communicators all the same. */
static void put_topology(struct writer *writer)
{
    const struct fth_hdtrace_places *places = &writer->of->places;
    char name[FTH_HDTRACE_NODE];
    size_t count = fth_trace_process_count(places->trace);
    fth_sink_text(writer->to, "<Topology>\n<Level type='Hostname'><Level type='Rank'>"
                              "<Level type='Thread'/></Level></Level>\n");
    for (uint32_t host = 0; host < places->hosts.count; host++) {
        put_node(writer, fth_hdtrace_host(places, host, name));
        fth_sink_char(writer->to, '\n');
        for (size_t proc = 0; proc < count; proc++)
            if (places->host[proc] == host && (writer->of->threads[proc] || places->is_rank[proc]))
                put_process(writer, proc);
        fth_sink_text(writer->to, "</Node>\n");
    }
    fth_sink_text(writer->to, "</Topology>\n");
}

/* ---- communicators ---- */

struct member {
    uint32_t communicator, rank, proc;
    uint64_t handle;
};

static int by_communicator(const void *one, const void *other)
{
    const struct member *a = one, *b = other;
    const uint64_t left[] = {a->communicator, a->rank, a->handle},
                   right[] = {b->communicator, b->rank, b->handle};
    for (int i = 0; i < 3; i++)
        if (left[i] != right[i])
            return left[i] < right[i] ? -1 : 1;
    return 0;
}

/* Places of processes in each communicator. */
static uint32_t *ranks_of(const struct fth_exported_communicator *communicator, uint32_t *rank)
{
    for (uint32_t i = 0; i < communicator->size; i++)
        rank[communicator->procs[i]] = i;
    return rank;
}

/* Names of the ranks of the first world only: others have no global rank in a project. */
static bool has_global_ranks(const struct writer *writer,
                             const struct fth_exported_communicator *communicator)
{
    for (uint32_t i = 0; i < communicator->size; i++)
        if (fth_trace_process(writer->exported->trace, communicator->procs[i])->world != 0 ||
            !writer->of->places.is_rank[communicator->procs[i]])
            return false;
    return true;
}

static struct member *members(const struct writer *writer, uint32_t *count)
{
    const struct fth_exported_communicators *all = &writer->of->communicators;
    struct member *list = fth_new(all->handles.count + 1, sizeof *list);
    for (uint32_t i = 0; i < all->handles.count; i++) {
        uint64_t words[2];
        size_t length;
        memcpy(words, fth_interned(&all->handles, i, &length), sizeof words);
        list[i] = (struct member){
            .communicator = all->of_handle[i], .proc = (uint32_t)words[0], .handle = words[1]};
    }
    *count = all->handles.count;
    return list;
}

static void put_communicator(struct writer *writer, uint32_t number, const struct member *list,
                             uint32_t count)
{
    const struct fth_exported_communicator *of = &writer->of->communicators.list[number];
    if (!has_global_ranks(writer, of))
        return;
    char *name = fth_pseudonym_of_object(writer->exported->names, of->name ? of->name : "");
    fth_sink_text(writer->to, "<Communicator");
    fth_xml_text(writer->to, "name", strcmp(name, "MPI_COMM_WORLD") ? name : "WORLD");
    free(name);
    fth_sink_text(writer->to, ">\n");
    for (uint32_t i = 0; i < count; i++) {
        fth_sink_text(writer->to, "<Rank");
        fth_xml_integer(writer->to, "global",
                        fth_trace_process(writer->exported->trace, list[i].proc)->rank);
        fth_xml_integer(writer->to, "local", list[i].rank);
        fth_xml_integer(writer->to, "cid", (int64_t)list[i].handle);
        fth_sink_text(writer->to, "/>\n");
    }
    fth_sink_text(writer->to, "</Communicator>\n");
}

static void put_communicators(struct writer *writer)
{
    const struct fth_exported_communicators *all = &writer->of->communicators;
    uint32_t count;
    struct member *list = members(writer, &count);
    uint32_t *rank = fth_new(fth_trace_process_count(writer->exported->trace) + 1, sizeof *rank);
    qsort(list, count, sizeof *list, by_communicator);
    for (uint32_t i = 0; i < count; i++) {
        if (!i || list[i].communicator != list[i - 1].communicator)
            ranks_of(&all->list[list[i].communicator], rank);
        list[i].rank = rank[list[i].proc];
    }
    qsort(list, count, sizeof *list, by_communicator);
    fth_sink_text(writer->to, "<CommunicatorList>\n");
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i; end < count && list[end].communicator == list[i].communicator;)
            end++;
        put_communicator(writer, list[i].communicator, list + i, end - i);
    }
    fth_sink_text(writer->to, "</CommunicatorList>\n");
    free(rank);
    free(list);
}

/* ---- datatypes, statistics ---- */

char *fth_hdtrace_info_path(const struct fth_hdtrace_project *project, const char *folder,
                            size_t proc)
{
    char host[FTH_HDTRACE_NODE], name[FTH_HDTRACE_NODE];
    return fth_text_format("%s/trace_%s_%s.info", folder,
                           fth_hdtrace_host(&project->places, project->places.host[proc], host),
                           fth_hdtrace_process(&project->places, proc, name));
}

/* What a process has kept of its datatypes goes here, and the file is gone. */
static int put_info(struct writer *writer, size_t proc, struct fth_error **error)
{
    char *path = fth_hdtrace_info_path(writer->of, writer->exported->folder, proc);
    char bytes[4096], name[FTH_HDTRACE_NODE];
    ssize_t count = 0;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        fth_sink_text(writer->to, "<Rank");
        fth_xml_text(writer->to, "name", fth_hdtrace_process(&writer->of->places, proc, name));
        fth_sink_text(writer->to, " thread='0'>\n");
        while ((count = read(file, bytes, sizeof bytes)) > 0)
            fth_sink_bytes(writer->to, bytes, (size_t)count);
        fth_sink_text(writer->to, "</Rank>\n");
        close(file);
        unlink(path);
    }
    int result = count < 0 ? fth_fail_errno(error, "cannot read '%s'", path) : 0;
    free(path);
    return result;
}

static int put_datatypes(struct writer *writer, struct fth_error **error)
{
    int result = 0;
    fth_sink_text(writer->to, "<Datatypes>\n");
    for (size_t i = 0; !result && i < writer->exported->process_count; i++)
        result = put_info(writer, writer->exported->processes[i], error);
    fth_sink_text(writer->to, "</Datatypes>\n");
    return result;
}

static void put_statistics(struct writer *writer)
{
    char name[FTH_HDTRACE_NODE];
    fth_sink_text(writer->to, "<ExternalStatistics>");
    for (uint32_t i = 0; i < writer->of->statistic_count; i++) {
        fth_sink_char(writer->to, '<');
        fth_sink_text(writer->to, fth_hdtrace_group(i, name));
        fth_sink_text(writer->to, "/>");
    }
    fth_sink_text(writer->to, "</ExternalStatistics>\n</Application>\n");
}

/* ---- the whole ---- */

int fth_hdtrace_write_project(const struct fth_hdtrace_project *project,
                              const struct fth_exported *exported, struct fth_error **error)
{
    static struct fth_output output;
    struct writer writer = {project, exported, &output, &output.sink};
    char *path = fth_text_format("%s/" FTH_HDTRACE_PROJECT, exported->folder);
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0) {
        fth_fail_errno(error, "cannot write '%s'", path);
        free(path);
        return -1;
    }
    fth_views_open_file(&output, file, path);
    fth_sink_text(writer.to, "<?xml version='1.0' encoding='UTF-8'?>\n");
    put_description(&writer);
    put_files(&writer);
    put_topology(&writer);
    put_communicators(&writer);
    int result = put_datatypes(&writer, error);
    put_statistics(&writer);
    if (!result)
        result = fth_views_finish(&output, error);
    close(file);
    free(path);
    return result;
}
