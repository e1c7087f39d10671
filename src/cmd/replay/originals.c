/* The files of the run, before a replay uses them: see the header. */
#include "cmd/replay/originals.h"

#include "base/memory.h"
#include "base/phrase.h"

#include <libgen.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_NAMED = 3 };

int64_t fth_replay_overwrites(const struct fth_repeat_place *place)
{
    struct stat now;
    bool is_there = place->below && place->is_written && !lstat(place->path, &now);
    return is_there && !S_ISDIR(now.st_mode) ? (int64_t)now.st_size : -1;
}

/* That the run makes, so that it need not be there. */
static bool is_made(const struct fth_repeat_places *places, const char *folder)
{
    const struct fth_repeat_place *place = fth_repeat_place_of(places, folder);
    return place && place->below && place->folder && place->before != FTH_REPEAT_PRESENT;
}

static int check_folder(const struct fth_repeat_places *places,
                        const struct fth_repeat_place *place, struct fth_error **error)
{
    char *copy = fth_text_copy(place->path);
    const char *folder = dirname(copy);
    struct stat now;
    int result =
        stat(folder, &now) != 0 && place->is_used && !is_made(places, folder)
            ? fth_fail_errno(error, "the folder '%s', which the run used, cannot be used", folder)
            : 0;
    free(copy);
    return result;
}

static int check_found(const struct fth_repeat_place *place, struct fth_error **error)
{
    struct stat now;
    if (place->before != FTH_REPEAT_PRESENT || !place->is_used)
        return 0;
    if (stat(place->path, &now) != 0)
        return fth_fail_errno(error, "'%s', which the run found, cannot be used", place->path);
    if (!place->folder && S_ISREG(now.st_mode) && (uint64_t)now.st_size < place->length)
        return fth_fail(error,
                        "'%s' has %lld bytes now, and the run found %llu; make it anew, or "
                        "leave out --originals",
                        place->path, (long long)now.st_size, (unsigned long long)place->length);
    return 0;
}

static int check_overwritten(const struct fth_repeat_places *places, struct fth_error **error)
{
    size_t count = 0;
    uint64_t bytes = 0;
    char *names = fth_text_copy("");
    for (size_t i = 0; i < fth_repeat_place_count(places); i++) {
        const struct fth_repeat_place *place = fth_repeat_place_at(places, i);
        int64_t length = fth_replay_overwrites(place);
        if (length < 0)
            continue;
        bytes += (uint64_t)length;
        if (count++ >= MOST_NAMED)
            continue;
        char *longer = fth_text_format("%s%s'%s'", names, *names ? ", " : "", place->path);
        free(names);
        names = longer;
    }
    int result = 0;
    if (count)
        result = fth_fail(error,
                          "the replay would write over %s of %s, or delete what is there: %s%s; "
                          "--overwrite lets it, and without --originals it makes files of its own",
                          fth_phrase_several(count, "file", "files").text,
                          fth_phrase_bytes(bytes).text, names, count > MOST_NAMED ? " ..." : "");
    free(names);
    return result;
}

int fth_replay_check_originals(const struct fth_repeat_places *places, bool overwrite,
                               struct fth_error **error)
{
    for (size_t i = 0; i < fth_repeat_place_count(places); i++) {
        const struct fth_repeat_place *place = fth_repeat_place_at(places, i);
        if (place->below && (check_found(place, error) || check_folder(places, place, error)))
            return -1;
    }
    return overwrite ? 0 : check_overwritten(places, error);
}
