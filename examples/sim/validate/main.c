/* Holds the simulator against published figures: a table for people, and all of it as JSON in the file that is named.
 *
 *     validate [FILE.json [CLUSTER.yaml]]
 *
 * Of the reference cluster, or of another one in its place. The exit status is 1 if any comparison fails: one that differs without a known
 * reason, one that differs by more or less than known, or one that is known to differ and does not. */
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

int main(int argc, char **argv)
{
    if (argc > 2)
        reference_cluster = argv[2];
    fth_sink_open_memory(&sink);
    fth_json_open(&json, &sink, 1);
    fth_json_begin_array(&json);
    printf("%-28s %18s %18s %12s\n", "case", "published", "ours", "tolerance");
    validate_disks();
    validate_network();
    validate_paths();
    validate_messages();
    validate_patterns();
    validate_trends();
    validate_files();
    validate_caches();
    validate_rates();
    validate_partdiff();
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
