/* Runs on an instrumented stack, or on the original one: a script for each combination of processes
 * and servers, which starts the servers, runs the programs at once, and ends the servers. Nothing
 * is compiled. */
#include "cmd/instrument/instrument_command.h"

#include "base/json.h"
#include "base/memory.h"
#include "base/visible.h"
#include "cmd/shared/output_file.h"
#include "cmd/shared/output_folder.h"
#include "trace/program/plugin_file.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* One combination. */
struct point {
    const struct fth_cmd_instrumenting *instrumenting;
    const struct fth_instrument_run *run;
    uint32_t processes, servers;
    bool original;
};

static const char *tree_of(const struct point *point, const struct fth_instrument_layer *layer)
{
    const struct fth_instrument_tree *tree =
        fth_instrument_tree_of(&point->instrumenting->trees, layer);
    return point->original ? tree->original : tree->copy;
}

/* ---- the script ---- */

/* {processes}, {servers}, {server}, and {LAYER}, the folder of its sources; other braces stay. */
static bool put_word(const struct point *point, const char *word, size_t length, uint32_t server,
                     struct fth_sink *sink)
{
    const struct fth_instrument_setup *setup = point->instrumenting->setup;
    const struct {
        const char *name;
        uint32_t value;
    } numbers[] = {
        {"processes", point->processes}, {"servers", point->servers}, {"server", server}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strlen(numbers[i].name) == length && !memcmp(numbers[i].name, word, length)) {
            fth_sink_unsigned(sink, numbers[i].value);
            return true;
        }
    for (size_t i = 0; i < setup->layer_count; i++)
        if (strlen(setup->layers[i].word) == length &&
            !memcmp(setup->layers[i].word, word, length)) {
            fth_sink_text(sink, tree_of(point, &setup->layers[i]));
            return true;
        }
    return false;
}

static void put_command(const struct point *point, const char *command, uint32_t server,
                        struct fth_sink *sink)
{
    while (*command) {
        size_t length = *command == '{' ? strcspn(command + 1, "{}") : 0;
        if (length && command[length + 1] == '}' &&
            put_word(point, command + 1, length, server, sink))
            command += length + 2;
        else
            fth_sink_char(sink, *command++);
    }
}

static void put_text(struct fth_sink *sink, const char *text)
{
    fth_sink_text(sink, text);
}

/* 'text', for the shell. */
static void put_quoted(struct fth_sink *sink, const char *text)
{
    fth_sink_char(sink, '\'');
    for (; *text; text++)
        if (*text == '\'')
            fth_sink_text(sink, "'\\''");
        else
            fth_sink_char(sink, *text);
    fth_sink_char(sink, '\'');
}

static void put_libraries(const struct point *point, struct fth_sink *sink)
{
    const struct fth_instrument_setup *setup = point->instrumenting->setup;
    for (size_t i = 0; i < setup->layer_count; i++)
        for (size_t k = 0; k < setup->layers[i].libraries.count; k++) {
            char *folder = fth_text_format("%s/%s", tree_of(point, &setup->layers[i]),
                                           setup->layers[i].libraries.list[k]);
            put_text(sink, "LD_LIBRARY_PATH=");
            put_quoted(sink, folder);
            put_text(sink, "${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}\n");
            free(folder);
        }
    put_text(sink, "export LD_LIBRARY_PATH\n");
}

static void put_servers(const struct point *point, struct fth_sink *sink)
{
    if (!point->run->server)
        return;
    put_text(sink, "servers=\ntrap 'kill $servers 2>/dev/null' EXIT\n");
    for (uint32_t i = 0; i < point->servers; i++) {
        put_command(point, point->run->server, i, sink);
        put_text(sink, " &\nservers=\"$servers $!\"\n");
    }
    for (uint32_t i = 0; i < point->servers && point->run->ready; i++) {
        put_text(sink, "tries=0\nuntil ");
        put_command(point, point->run->ready, i, sink);
        put_text(sink, "; do\n    tries=$((tries + 1))\n    [ $tries -lt 300 ] || { echo \"the "
                       "servers do not become ready\"; exit 1; }\n    sleep 0.1\ndone\n");
    }
}

static void put_script(const struct point *point, struct fth_sink *sink)
{
    const struct fth_instrument_words *programs = &point->run->programs;
    put_text(sink, "#!/bin/sh\n# Made by fathom instrument.\n");
    put_libraries(point, sink);
    put_servers(point, sink);
    put_text(sink, "programs=\n");
    for (size_t i = 0; i < programs->count; i++) {
        put_command(point, programs->list[i], 0, sink);
        put_text(sink, " &\nprograms=\"$programs $!\"\n");
    }
    put_text(sink, "status=0\nfor program in $programs; do wait \"$program\" || status=$?; done\n");
    if (point->run->server)
        put_text(sink, "trap - EXIT\nkill $servers\nwait\n");
    put_text(sink, "exit $status\n");
}

/* ---- running ---- */

static char *name_of(const struct point *point)
{
    const struct fth_instrument_run *run = point->run;
    char processes[24] = "", servers[24] = "";
    if (run->process_count > 1)
        snprintf(processes, sizeof processes, "-p%u", point->processes);
    if (run->server_count > 1)
        snprintf(servers, sizeof servers, "-s%u", point->servers);
    return fth_text_format("%s%s%s%s", run->name, processes, servers,
                           point->original ? "-original" : "");
}

static int save_script(const struct point *point, const char *path, struct fth_error **error)
{
    struct fth_sink sink;
    fth_sink_open_memory(&sink);
    put_script(point, &sink);
    int result = fth_cmd_save(path, &sink, true, error);
    fth_sink_close_memory(&sink);
    if (!result && chmod(path, 0777) != 0)
        result = fth_fail_errno(error, "cannot make '%s' executable", path);
    return result;
}

static void say(const struct point *point, const char *trace, bool in_json)
{
    struct fth_sink sink;
    struct fth_json json;
    if (!in_json) {
        if (!point->instrumenting->quiet)
            fth_say(stderr, "fathom: %s with %u processes%s -> %s\n", point->run->name,
                    point->processes, point->original ? ", on the original sources" : "", trace);
        return;
    }
    fth_sink_open_memory(&sink);
    fth_json_open(&json, &sink, 0);
    fth_json_begin_object(&json);
    fth_json_key_text(&json, "run", point->run->name);
    fth_json_key_unsigned(&json, "processes", point->processes);
    fth_json_key_unsigned(&json, "servers", point->run->server ? point->servers : 0);
    fth_json_key_boolean(&json, "original", point->original);
    fth_json_key_text(&json, "trace", trace);
    fth_json_end_object(&json);
    fth_json_end_document(&json);
    fwrite(sink.bytes, 1, sink.used, stdout);
    fth_sink_close_memory(&sink);
}

static int record(const struct point *point, const char *folder, const char *base,
                  struct fth_error **error)
{
    const struct fth_cmd_instrumenting *instrumenting = point->instrumenting;
    char *script = fth_text_format("%s.sh", base), *trace = fth_text_format("%s.fathom", base);
    char *log = fth_text_format("%s.log", base);
    char *plugin =
        fth_text_format("%s/libfathom-%s.so", instrumenting->folder, instrumenting->setup->name);
    char *words[] = {(char *)"/proc/self/exe",
                     (char *)"record",
                     (char *)"-q",
                     (char *)"--force",
                     (char *)"-o",
                     trace,
                     (char *)"--with",
                     plugin,
                     (char *)"--",
                     script,
                     NULL};
    if (point->original || access(plugin, R_OK) != 0) {
        words[6] = (char *)"--";
        words[7] = script;
        words[8] = NULL;
    }
    unlink(log);
    int result = save_script(point, script, error);
    int status = result ? -1 : fth_cmd_run_in_folder(words, folder, log, error);
    if (status > 0) {
        fth_cmd_run_show_log(log);
        result = fth_fail(error, "%s ended with exit status %d; the end of its output is above",
                          script, status);
    }
    free(script);
    free(trace);
    free(log);
    free(plugin);
    return result || status ? -1 : 0;
}

static int run_point(const struct point *point, bool in_json, struct fth_error **error)
{
    char *name = name_of(point);
    char *base = fth_text_format("%s/runs/%s", point->instrumenting->folder, name);
    char *trace = fth_text_format("%s.fathom", base);
    fth_cmd_remove_tree(base); /* of an earlier run: sockets of its servers, say */
    int result = mkdir(base, 0777) == 0 ? record(point, base, base, error)
                                        : fth_fail_errno(error, "cannot make '%s'", base);
    if (!result)
        say(point, trace, in_json);
    free(trace);
    free(base);
    free(name);
    return result;
}

static int run_all_points(const struct fth_cmd_instrumenting *instrumenting,
                          const struct fth_instrument_run *run, bool original, bool in_json,
                          struct fth_error **error)
{
    for (size_t i = 0; i < run->process_count; i++)
        for (size_t k = 0; k < run->server_count; k++) {
            const struct point point = {instrumenting, run, run->processes[i], run->servers[k],
                                        original};
            if (run_point(&point, in_json, error))
                return -1;
        }
    return 0;
}

/* One that another build of Fathom made would not be loaded. */
static int renew_plugin(const struct fth_cmd_instrumenting *instrumenting, struct fth_error **error)
{
    char *path =
        fth_text_format("%s/libfathom-%s.so", instrumenting->folder, instrumenting->setup->name);
    char *rows = NULL;
    size_t length;
    bool is_foreign = false;
    int result = 0;
    if (access(path, R_OK) == 0)
        result = fth_plugin_read(path, &rows, &length, &is_foreign, error);
    if (result && is_foreign) {
        fth_error_free(*error);
        *error = NULL;
        result = fth_cmd_instrument_plugin(instrumenting, error);
    }
    free(rows);
    free(path);
    return result;
}

int fth_cmd_instrument_runs(struct fth_cmd_instrumenting *instrumenting, const char *name,
                            bool original, bool in_json, struct fth_error **error)
{
    const struct fth_instrument_setup *setup = instrumenting->setup;
    char *runs = fth_text_format("%s/runs", instrumenting->folder);
    char *mark = fth_text_format("%s/" FTH_INSTRUMENT_MARK, instrumenting->folder);
    size_t done = 0;
    int result = 0;
    if (access(mark, R_OK) != 0)
        result = fth_fail(error,
                          "'%s' is no folder that this command made; make it first, by the "
                          "same command without --run",
                          instrumenting->folder);
    else if (mkdir(runs, 0777) != 0 && errno != EEXIST)
        result = fth_fail_errno(error, "cannot make '%s'", runs);
    if (!result && !original)
        result = renew_plugin(instrumenting, error);
    for (size_t i = 0; i < setup->run_count && !result; i++)
        if (!name || !strcmp(setup->runs[i].name, name)) {
            result = run_all_points(instrumenting, &setup->runs[i], original, in_json, error);
            done++;
        }
    if (!result && !done)
        result = name ? fth_fail(error, "%s has no run '%s'", setup->path, name)
                      : fth_fail(error, "%s has no 'runs'", setup->path);
    free(runs);
    free(mark);
    return result;
}
