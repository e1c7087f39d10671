/* Holds the simulator against published figures: a table for people, and all of it as JSON in the
 * file that is named.
 *
 *     validate [FILE.json [CLUSTER.yaml [PART...]]]
 *
 * Of the reference cluster, or of another one in its place; all parts, or those that are named. The
 * exit status is 1 if any comparison fails: one that differs without a known reason, one that
 * differs by more or less than known, or one that is known to differ and does not. */
#include "case.h"

#include "base/json.h"
#include "known.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *reference_cluster = CLUSTERS "/pvs.yaml";

static struct fth_sink sink;
static struct fth_json json;
static unsigned compared, agreed, explained;

static const char *verdict(bool ok, const struct known *known, double ours)
{
    if (!known)
        return ok ? "ok" : "FAILS";
    if (ok)
        return "FAILS: known.c says that it differs";
    return is_as_known(known, ours) ? "differs: "
                                    : "FAILS: known.c says that it differs otherwise: ";
}

void compare(const char *id, const char *what, const char *source, double published, double ours,
             double tolerance)
{
    bool ok = fabs(ours - published) <= tolerance;
    const struct known *known = known_difference(id);
    bool is_known = known && !ok && is_as_known(known, ours);
    compared++;
    agreed += ok && !known;
    explained += is_known;
    printf("%-28s %18.9f %18.9f %12.9f  %s%s\n", id, published, ours, tolerance,
           verdict(ok, known, ours), known && !ok ? known->why : "");
    fth_json_begin_object(&json);
    fth_json_key(&json, "id");
    fth_json_text(&json, id);
    fth_json_key(&json, "what");
    fth_json_text(&json, what);
    fth_json_key(&json, "source");
    fth_json_text(&json, source);
    fth_json_key(&json, "published");
    fth_json_number(&json, published);
    fth_json_key(&json, "ours");
    fth_json_number(&json, ours);
    fth_json_key(&json, "tolerance");
    fth_json_number(&json, tolerance);
    fth_json_key(&json, "ok");
    fth_json_boolean(&json, ok);
    fth_json_key(&json, "why");
    fth_json_text(&json, is_known ? known->why : NULL);
    fth_json_end_object(&json);
}

static const struct {
    const char *name;
    void (*validate)(void);
} parts[] = {
    {"disks", validate_disks},       {"network", validate_network},   {"paths", validate_paths},
    {"messages", validate_messages}, {"patterns", validate_patterns}, {"trends", validate_trends},
    {"files", validate_files},       {"caches", validate_caches},     {"rates", validate_rates},
    {"partdiff", validate_partdiff},
};

static bool is_wanted(const char *part, char **wanted, int count)
{
    bool found = count == 0;
    for (int i = 0; i < count; i++)
        found |= strcmp(part, wanted[i]) == 0;
    return found;
}

int main(int argc, char **argv)
{
    if (argc > 2)
        reference_cluster = argv[2];
    fth_sink_open_memory(&sink);
    fth_json_open(&json, &sink, 1);
    fth_json_begin_array(&json);
    printf("%-28s %18s %18s %12s\n", "case", "published", "ours", "tolerance");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (is_wanted(parts[i].name, argv + 3, argc > 3 ? argc - 3 : 0))
            parts[i].validate();
    fth_json_end_array(&json);
    fth_json_end_document(&json);
    printf("%u comparisons: %u agree, %u differ for a known reason, %u fail\n", compared, agreed,
           explained, compared - agreed - explained);
    printf("What each case is, in which unit, and its source: %s\n",
           argc > 1 ? argv[1] : "validate FILE.json");
    int status = agreed + explained < compared;
    if (argc > 1) {
        FILE *file = fopen(argv[1], "w");
        if (!file || fwrite(sink.bytes, 1, sink.used, file) != sink.used || fclose(file)) {
            fprintf(stderr, "cannot write %s\n", argv[1]);
            status = 1;
        }
    }
    fth_sink_close_memory(&sink);
    return status;
}
