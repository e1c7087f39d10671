/* The environment of programs that this process starts: whatever it passes on, they are recorded
 * too. What `fathom record` has set is put aside when this program starts and put back where it is
 * missing. FATHOM_IMAGE names the process image that a new program comes from. Nothing here
 * allocates but by mmap: a vforked child may be running us in its parent's memory. */
#include "capture/process/environment.h"

#include "base/settings.h"
#include "capture/process/process.h"
#include "interpose/own/own_memory.h"
#include "interpose/own/put.h"
#include "interpose/own/readable.h"
#include "interpose/reach/load.h"
#include "trace/program/program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    MOST_KEPT = 32,
    MOST_TEXT = 40 << 10,
    IMAGE_DIGITS = 16,
};

static uint64_t image; /* of this process; 0: it has none */

static const char preload_key[] = "LD_PRELOAD=", image_key[] = FTH_SETTING_LITERAL(IMAGE) "=",
                  spill_key[] = FTH_SETTING_LITERAL(SPILL) "=", asan_key[] = FTH_ASAN_OPTIONS "=";

/* What this program was started with. */
static struct {
    unsigned count;
    char *entries[MOST_KEPT]; /* FATHOM_... */
    char *spill;     /* the one of them that distinguishes recordings; NULL: nobody records us */
    char *libraries; /* the entries of LD_PRELOAD that are ours, with colons; NULL: none */
    char *first;     /* of them */
    size_t used;
    char text[MOST_TEXT];
} kept;

/* A vector made here, at the start of its own mapping. */
struct made {
    struct made *next;
    size_t bytes;
    char *text; /* room for it behind the entries */
    char *entries[];
};
static __thread struct made *made_in_vfork __attribute__((tls_model("initial-exec")));

static bool has_key(const char *entry, const char *key)
{
    return strncmp(entry, key, strlen(key)) == 0;
}

/* Have both entries the same name in front of their '='? */
static bool same_key(const char *one, const char *other)
{
    for (; *one == *other && *one && *one != '='; one++, other++)
        ;
    return *one == '=' && *other == '=';
}

/* ---- what is put aside ---- */

static char *keep(const char *text, size_t length)
{
    char *to = kept.text + kept.used;
    if (length >= sizeof kept.text - kept.used)
        return NULL;
    memcpy(to, text, length);
    to[length] = 0;
    kept.used += length + 1;
    return to;
}

/* The length of the library that LD_PRELOAD names at `list`; colons and blanks stand between
 * them. */
static size_t library_length(const char *list)
{
    return strcspn(list, ": ");
}

static bool is_ours(const char *library, size_t length)
{
    static const char name[] = "libfathom";
    const char *base = memrchr(library, '/', length);
    base = base ? base + 1 : library;
    return (size_t)(library + length - base) >= sizeof name - 1 &&
           memcmp(base, name, sizeof name - 1) == 0;
}

static void keep_libraries(const char *list)
{
    char *start = kept.text + kept.used;
    for (size_t length; *list; list += length + (list[length] != 0)) {
        length = library_length(list);
        if (!length || !is_ours(list, length) || !keep(list, length))
            continue;
        if (kept.libraries)
            start[-1] = ':'; /* where the one before ended */
        else
            kept.libraries = start;
        start = kept.text + kept.used;
    }
}

static void keep_entry(const char *entry)
{
    if (has_key(entry, preload_key) && !kept.libraries)
        keep_libraries(entry + sizeof preload_key - 1);
    if (!has_key(entry, FTH_SETTING_PREFIX) || has_key(entry, image_key) || kept.count == MOST_KEPT)
        return;
    char *copy = keep(entry, strlen(entry));
    if (!copy)
        return;
    kept.entries[kept.count++] = copy;
    if (has_key(copy, spill_key))
        kept.spill = copy;
}

static void keep_first(void)
{
    if (kept.libraries)
        kept.first = keep(kept.libraries, library_length(kept.libraries));
}

void fth_environment_keep(void)
{
    for (char **entry = environ; entry && *entry; entry++)
        keep_entry(*entry);
    keep_first();
}

static const char *given_settings;
static bool are_given; /* from then on the environment names a recording that is over, if of any */
static char spill_before[4096]; /* of that one; "": there was none */

void fth_environment_given(const char *settings)
{
    if (!are_given && kept.spill && strlen(kept.spill) < sizeof spill_before)
        strcpy(spill_before, kept.spill);
    are_given = true;
    given_settings = settings;
    kept.spill = NULL; /* nobody records us, until all of it is there */
    kept.libraries = kept.first = NULL;
    kept.count = 0;
    kept.used = 0;
    for (; settings && *settings; settings += strlen(settings) + 1)
        keep_entry(settings);
    keep_first();
}

const char *fth_setting(const char *name)
{
    size_t length = strlen(name);
    if (!are_given && !fth_is_loaded_later())
        return getenv(name);
    for (const char *entry = given_settings; entry && *entry; entry += strlen(entry) + 1)
        if (strncmp(entry, name, length) == 0 && entry[length] == '=')
            return entry + length + 1;
    return NULL;
}

static void put_image(char *digits)
{
    fth_put_image(digits, image);
}

/* system and popen pass `environ` on behind our back: the place that `record` has made in it is
 * filled in. */
void fth_environment_name_image(uint64_t now)
{
    image = now;
    for (char **entry = environ; entry && *entry; entry++)
        if (has_key(*entry, image_key) && strlen(*entry) == sizeof image_key - 1 + IMAGE_DIGITS)
            put_image(*entry + sizeof image_key - 1);
}

/* ---- what is passed on ---- */

/* Does LD_PRELOAD's value name the first of our libraries? */
static bool names_us(const char *list)
{
    size_t ours = library_length(kept.libraries), length;
    for (; *list; list += length + (list[length] != 0)) {
        length = library_length(list);
        if (length == ours && memcmp(list, kept.libraries, ours) == 0)
            return true;
    }
    return false;
}

/* Writes "LD_PRELOAD=OURS" or "LD_PRELOAD=OURS:THEIRS" at *text, moves *text behind it. */
static char *put_preload(char **text, const char *theirs)
{
    char *entry = *text, *at = fth_put_text(fth_put_text(entry, preload_key), kept.libraries);
    if (*theirs)
        at = fth_put_text(fth_put_text(at, ":"), theirs);
    *text = at + 1;
    return entry;
}

/* Writes "ASAN_OPTIONS=OURS" or "ASAN_OPTIONS=THEIRS:OURS" at *text, moves *text behind it. */
static char *put_asan_options(char **text, const char *theirs)
{
    char *entry = *text, *at = fth_put_text(fth_put_text(entry, asan_key), theirs);
    if (*theirs)
        at = fth_put_text(at, ":");
    *text = fth_put_text(at, FTH_ASAN_MAY_COME_LATER) + 1;
    return entry;
}

static bool passed_on(char *const *environment, const char *entry)
{
    for (; environment && *environment; environment++)
        if (same_key(*environment, entry))
            return true;
    return false;
}

/* What the recording that this program was started in has left in the environment, and this one
 * puts its own in place of. */
static bool is_left_over(char *const *environment)
{
    for (; *spill_before && environment && *environment; environment++)
        if (has_key(*environment, spill_key))
            return strcmp(*environment, spill_before) == 0;
    return false;
}

/* Another recording's environment, or one that asks not to be recorded, is left alone. */
static bool is_of_another_recording(char *const *environment)
{
    for (; environment && *environment; environment++)
        if (has_key(*environment, spill_key) && strcmp(*environment, kept.spill) != 0)
            return !is_left_over(environment);
    return false;
}

static void fill(struct made *made, char *const *environment)
{
    char *text = made->text;
    char **to = made->entries;
    bool preloads = !kept.libraries, has_asan_options = !kept.libraries;
    bool leaves_out = is_left_over(environment);
    for (char *const *given = environment; given && *given; given++) {
        char *entry = *given;
        if (has_key(entry, image_key) || (leaves_out && has_key(entry, FTH_SETTING_PREFIX)))
            continue;
        if (kept.libraries && has_key(entry, preload_key)) {
            preloads = true;
            if (!names_us(entry + sizeof preload_key - 1))
                entry = put_preload(&text, entry + sizeof preload_key - 1);
        }
        if (kept.libraries && has_key(entry, asan_key)) {
            has_asan_options = true;
            if (!strstr(entry, FTH_ASAN_MAY_COME_LATER))
                entry = put_asan_options(&text, entry + sizeof asan_key - 1);
        }
        *to++ = entry;
    }
    if (!preloads)
        *to++ = put_preload(&text, "");
    if (!has_asan_options)
        *to++ = put_asan_options(&text, "");
    for (unsigned i = 0; i < kept.count; i++)
        if (leaves_out || !passed_on(environment, kept.entries[i]))
            *to++ = kept.entries[i];
    *to++ = text;
    put_image(fth_put_text(text, image_key));
    *to = NULL;
}

/* ---- where the loader cannot find us ---- */

/* Can a program that starts now load us? If not, the loader would complain on its standard
 * error. */
static bool is_reachable(void)
{
    int before = errno;
    bool reachable = !kept.first ||
                     syscall(SYS_faccessat2, AT_FDCWD, kept.first, R_OK, AT_EACCESS) == 0 ||
                     (errno == ENOSYS && syscall(SYS_faccessat, AT_FDCWD, kept.first, R_OK) == 0);
    errno = before;
    return reachable;
}

/* Writes LD_PRELOAD's value without our libraries; `to` may be `list`. */
static void leave_us_out(char *to, const char *list)
{
    char *start = to;
    for (size_t length; *list; list += length + (list[length] != 0)) {
        length = library_length(list);
        if (!length || is_ours(list, length))
            continue;
        if (to > start)
            *to++ = ':';
        memmove(to, list, length);
        to += length;
    }
    *to = 0;
}

void fth_environment_moved(void)
{
    if (is_reachable())
        return;
    for (char **entry = environ; entry && *entry; entry++)
        if (has_key(*entry, preload_key))
            leave_us_out(*entry + sizeof preload_key - 1, *entry + sizeof preload_key - 1);
}

static void fill_without_us(struct made *made, char *const *environment)
{
    char *text = made->text;
    char **to = made->entries;
    for (char *const *given = environment; given && *given; given++) {
        char *entry = *given;
        if (has_key(entry, preload_key)) {
            entry = text;
            char *list = fth_put_text(text, preload_key);
            leave_us_out(list, *given + sizeof preload_key - 1);
            text = list + strlen(list) + 1;
        }
        *to++ = entry;
    }
    *to = NULL;
}

/* ---- for one new program ---- */

/* Room for an environment with so many more entries and bytes of text. NULL: there is no memory. */
static struct made *make_room(char *const *environment, size_t more, size_t text)
{
    size_t count = 0;
    while (environment && environment[count])
        count++;
    size_t vector = (count + more + 1) * sizeof(char *);
    struct made *made = fth_map_memory(sizeof *made + vector + text);
    if (!made)
        return NULL;
    made->bytes = sizeof *made + vector + text;
    made->text = (char *)made->entries + vector;
    if (fth_vforked) { /* this memory is the parent's, who goes on when an exec has succeeded */
        made->next = made_in_vfork;
        made_in_vfork = made;
    }
    return made;
}

bool fth_environment_is_readable(char *const *environment)
{
    return environment == environ || !environment || fth_are_readable_texts(environment);
}

bool fth_environment_is_passed_on(void)
{
    return kept.spill != NULL;
}

void fth_environment_handed_over(void)
{
    static bool noted;
    bool has_us = false;
    for (char *const *entry = environ; entry && *entry; entry++)
        has_us |= has_key(*entry, preload_key) && strstr(*entry, "libfathom");
    if (fth_environment_is_passed_on() && !has_us &&
        !__atomic_exchange_n(&noted, true, __ATOMIC_RELAXED))
        fth_process_note("unseen=", "programs that the C library started (system, popen) after "
                                    "the environment was cleared");
}

char **fth_environment_without_us(char *const *environment)
{
    size_t text = 0;
    if (!fth_environment_is_readable(environment))
        return (char **)environment;
    for (char *const *entry = environment; entry && *entry; entry++)
        text += has_key(*entry, preload_key) ? strlen(*entry) + 1 : 0;
    struct made *made = make_room(environment, 0, text);
    if (!made)
        return (char **)environment;
    fill_without_us(made, environment);
    return made->entries;
}

char **fth_environment_with_us(char *const *environment)
{
    if (!kept.spill || !fth_environment_is_readable(environment) ||
        is_of_another_recording(environment))
        return (char **)environment;
    size_t preloads = 1, options = 1, text = sizeof image_key + IMAGE_DIGITS;
    for (char *const *entry = environment; entry && *entry; entry++) {
        bool preload = has_key(*entry, preload_key);
        bool option = has_key(*entry, asan_key);
        preloads += preload;
        options += option;
        text += preload || option ? strlen(*entry) : 0;
    }
    if (kept.libraries)
        text += preloads * (sizeof preload_key + strlen(kept.libraries) + 1) +
                options * (sizeof asan_key + sizeof FTH_ASAN_MAY_COME_LATER);
    struct made *made = make_room(environment, kept.count + 3, text);
    if (!made)
        return (char **)environment;
    if (is_reachable())
        fill(made, environment);
    else
        fill_without_us(made, environment);
    return made->entries;
}

void fth_environment_done(char **environment, char *const *given)
{
    if (environment == given)
        return;
    struct made *made = (struct made *)((char *)environment - offsetof(struct made, entries));
    if (made == made_in_vfork)
        made_in_vfork = made->next;
    fth_unmap(made, made->bytes);
}

void fth_environment_done_in_vfork(void)
{
    for (struct made *made; (made = made_in_vfork);) {
        made_in_vfork = made->next;
        fth_unmap(made, made->bytes);
    }
}
