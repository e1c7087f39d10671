/* The instrumented stack: the sources are copied and built as they are, recorded, so that it is
 * known how each file is compiled; then the copies get their probes and are built again. */
#include "cmd/instrument/instrument_command.h"

#include "base/hash.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/visible.h"
#include "cmd/shared/output_file.h"
#include "cmd/shared/output_folder.h"

#include <errno.h>
#include <ftw.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OPEN_FOLDERS = 16 };

static char self[] = "/proc/self/exe";

/* ---- what must stay as it is ---- */

static uint64_t fingerprint;

static int add_to_fingerprint(const char *path, const struct stat *facts, int type,
                              struct FTW *place)
{
    (void)place;
    if (type != FTW_F)
        return 0;
    const int64_t words[] = {facts->st_size, facts->st_mtim.tv_sec, facts->st_mtim.tv_nsec};
    uint64_t hash = fth_hash_words(FTH_HASH_START, path);
    fingerprint += fth_hash_bytes(hash, words, sizeof words); /* in any order */
    return 0;
}

static uint64_t fingerprint_of(const char *folder)
{
    fingerprint = 0;
    nftw(folder, add_to_fingerprint, OPEN_FOLDERS, FTW_PHYS);
    return fingerprint;
}

/* ---- copies and builds ---- */

static int copy_tree(const struct fth_instrument_tree *tree, const char *log,
                     struct fth_error **error)
{
    char *from = fth_text_format("%s/.", tree->original);
    char *words[] = {(char *)"cp", (char *)"-a", (char *)"--", from, tree->copy, NULL};
    struct stat facts;
    int result = 0;
    if (stat(tree->original, &facts) != 0 || !S_ISDIR(facts.st_mode))
        result = fth_fail(error, "there is no folder of sources '%s'", tree->original);
    else if (mkdir(tree->copy, 0777) != 0)
        result = fth_fail_errno(error, "cannot make '%s'", tree->copy);
    else if (fth_cmd_run_in_folder(words, "/", log, error) != 0)
        result = *error ? -1 : fth_fail(error, "cannot copy '%s'", tree->original);
    free(from);
    return result;
}

/* The command, recorded if `trace` is not NULL. */
static int build(const struct fth_instrument_tree *tree, const char *trace, const char *log,
                 const char *what, struct fth_error **error)
{
    char *record[] = {self,         (char *)"record",  (char *)"-q",       (char *)"--force",
                      (char *)"-o", (char *)trace,     (char *)"--layers", (char *)"process",
                      (char *)"--", (char *)"/bin/sh", (char *)"-c",       (char *)tree->build,
                      NULL};
    char **words = trace ? record : record + 9;
    int status = fth_cmd_run_in_folder(words, tree->copy, log, error);
    if (status <= 0)
        return status;
    fth_cmd_run_show_log(log);
    return fth_fail(error, "%s: '%s' ended with exit status %d; the end of its output is above",
                    what, tree->build, status);
}

/* With the probes' times later than those of what was built, make compiles them again. */
static int build_original(struct fth_cmd_instrumenting *instrumenting, size_t number,
                          const char *log, struct fth_error **error)
{
    struct fth_instrument_tree *tree = &instrumenting->trees.list[number];
    char *trace = fth_text_format("%s/build%zu.fathom", instrumenting->folder, number);
    uint64_t before = fingerprint_of(tree->original);
    int result = copy_tree(tree, log, error) ||
                 fth_instrument_tree_renew(instrumenting->setup, tree, error) ||
                 build(tree, trace, log, "the sources do not build without probes", error);
    if (!result && fingerprint_of(tree->original) != before)
        result = fth_fail(error,
                          "the build of the copy of '%s' changed the original: files in it name "
                          "the original by its path; let 'build' configure the copy anew",
                          tree->original);
    if (!result)
        result = fth_instrument_tree_built(tree, trace, error);
    unlink(trace);
    free(trace);
    return result ? -1 : 0;
}

/* ---- what belongs to them ---- */

static int save(const struct fth_cmd_instrumenting *instrumenting, const char *name,
                const char *text, size_t length, struct fth_error **error)
{
    char *path = fth_text_format("%s/%s", instrumenting->folder, name);
    struct fth_sink sink;
    fth_sink_open_memory(&sink);
    fth_sink_bytes(&sink, text, length);
    int result = fth_cmd_save(path, &sink, true, error);
    fth_sink_close_memory(&sink);
    free(path);
    return result;
}

int fth_cmd_instrument_plugin(const struct fth_cmd_instrumenting *instrumenting,
                              struct fth_error **error)
{
    char *rows = fth_text_format("%s.calls", instrumenting->setup->name);
    char *plugin = fth_text_format("libfathom-%s.so", instrumenting->setup->name);
    char *log = fth_text_format("%s/build.log", instrumenting->folder);
    char *words[] = {self, (char *)"wrap", (char *)"-q", (char *)"-o", plugin, rows, NULL};
    int result = fth_cmd_run_in_folder(words, instrumenting->folder, log, error);
    if (result > 0) {
        fth_cmd_run_show_log(log);
        result = fth_fail(error, "no plug-in could be made of %s; see above", rows);
    }
    free(rows);
    free(plugin);
    free(log);
    return result;
}

static int make_plugin(const struct fth_cmd_instrumenting *instrumenting,
                       const struct fth_instrument_result *made, struct fth_error **error)
{
    char *rows = fth_text_format("%s.calls", instrumenting->setup->name);
    int result = save(instrumenting, rows, made->rows.bytes, made->rows.used, error);
    free(rows);
    return result ? result : fth_cmd_instrument_plugin(instrumenting, error);
}

static void describe(const struct fth_cmd_instrumenting *instrumenting,
                     const struct fth_instrument_result *made, struct fth_sink *sink)
{
    struct fth_json json;
    fth_json_open(&json, sink, 0);
    fth_json_begin_object(&json);
    fth_json_key_text(&json, "setup", instrumenting->setup->path);
    fth_json_key_text(&json, "folder", instrumenting->folder);
    fth_json_key_text(&json, "name", instrumenting->setup->name);
    fth_json_key_unsigned(&json, "probes", made->probes);
    fth_json_key_unsigned(&json, "places", made->places);
    fth_json_key_unsigned(&json, "files", made->files);
    fth_json_key(&json, "sources");
    fth_json_begin_array(&json);
    for (size_t i = 0; i < instrumenting->trees.count; i++) {
        fth_json_begin_object(&json);
        fth_json_key_text(&json, "original", instrumenting->trees.list[i].original);
        fth_json_key_text(&json, "copy", instrumenting->trees.list[i].copy);
        fth_json_end_object(&json);
    }
    fth_json_end_array(&json);
    fth_json_end_object(&json);
    fth_json_end_document(&json);
}

static int finish(const struct fth_cmd_instrumenting *instrumenting,
                  const struct fth_instrument_result *made, bool in_json, struct fth_error **error)
{
    struct fth_sink sink;
    fth_sink_open_memory(&sink);
    describe(instrumenting, made, &sink);
    int result = save(instrumenting, FTH_INSTRUMENT_MARK, sink.bytes, sink.used, error);
    if (!result && in_json)
        fwrite(sink.bytes, 1, sink.used, stdout);
    fth_sink_close_memory(&sink);
    if (result || instrumenting->quiet)
        return result;
    char *rest = NULL;
    fth_sink_char(&((struct fth_instrument_result *)(uintptr_t)made)->remarks, 0);
    for (char *line = strtok_r(made->remarks.bytes, "\n", &rest); line;
         line = strtok_r(NULL, "\n", &rest))
        fth_say(stderr, "%s\n", line);
    fth_say(stderr, "fathom: %zu probes at %zu places in %zu files -> %s\n", made->probes,
            made->places, made->files, instrumenting->folder);
    fth_say(stderr, "fathom: next: fathom instrument %s -o %s --run\n", instrumenting->setup->path,
            instrumenting->folder);
    return 0;
}

static int make_in(struct fth_cmd_instrumenting *instrumenting, bool in_json,
                   struct fth_error **error)
{
    struct fth_instrument_trees *trees = &instrumenting->trees;
    struct fth_instrument_result made = {0};
    char *log = fth_text_format("%s/build.log", instrumenting->folder);
    char *header = fth_text_format("%s/fathom_probe.h", instrumenting->folder);
    int result = save(instrumenting, "fathom_probe.h", fth_probe_header_text,
                      strlen(fth_probe_header_text), error);
    for (size_t i = 0; i < trees->count && !result; i++)
        result = build_original(instrumenting, i, log, error);
    if (!result)
        result = fth_instrument_apply(instrumenting->setup, trees, header, &made, error);
    for (size_t i = 0; i < trees->count && !result; i++)
        result =
            build(&trees->list[i], NULL, log, "the sources do not build with their probes", error);
    if (!result)
        result = made.rows.used ? make_plugin(instrumenting, &made, error) : 0;
    if (!result)
        result = finish(instrumenting, &made, in_json, error);
    fth_instrument_result_free(&made);
    free(header);
    free(log);
    return result;
}

int fth_cmd_instrument_make(struct fth_cmd_instrumenting *instrumenting, bool in_json,
                            struct fth_error **error)
{
    struct fth_cmd_draft_folder folder;
    if (fth_instrument_check_probes(instrumenting->setup, error) ||
        fth_cmd_open_placed_folder(&folder, instrumenting->folder, FTH_INSTRUMENT_MARK,
                                   instrumenting->force, error))
        return -1;
    return fth_cmd_close_draft_folder(&folder, make_in(instrumenting, in_json, error), error);
}
