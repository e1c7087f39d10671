/* Runs the commands that read traces, spill folders and texts on changed ones, in this process and
 * one after the other: `readers [OPTION...] SEED...`, where a seed is a trace, a spill folder, or a
 * text (.sim, .yaml, .models, .where). Built with sanitizers. A finding is a crash, a run that asks
 * for a lot of memory or does not end, and output that could send commands to a terminal.
 *
 * --texts: traces get characters in their texts that are commands to terminals, and nothing else is
 * changed. --command NAME: only that one reads traces. --code COMPILER: every other trace gets code
 * of C in its texts. Programs of `fathom proxy` have none of it but in strings and comments, and
 * the compiler takes them.
 *
 * Run number N is the same whenever the seeds are: --first N --runs 1 is that one again. Every
 * other run of a trace sets one of its numbers to an extreme, in turn; the others are changed
 * somehow. Runs are made by children, which end after some hundreds of them: what commands leave
 * behind does not add up, and a crash ends one child. */
#include "cmd/replay/target.h"
#include "cmd/shared/command.h"
#include "fathom/trace.h"
#include "mutate.h"

#include "analysis/language/expression.h"
#include "base/memory.h"
#include "trace/record/spill.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    BATCH = 400, /* runs of a child */
    MOST_SEEDS = 4096,
    MOST_TEXT = 1 << 20,
    /* a few bytes may say that a loop is gone through for hours: that is no error */
    MOST_CALLS = 3000,
    MOST_SECONDS = 20,       /* of processor time, for one run */
    MOST_MEMORY = 1500 << 10 /* kB */
};

enum kind { TRACE, SPILL, PROGRAM, CLUSTER, MODELS, WHERE };

struct seed {
    const char *path;
    enum kind kind;
    struct fth_bytes bytes; /* of a spill folder: none */
    uint64_t numbers;       /* changes of one number that a trace has */
};

static struct seed seeds[MOST_SEEDS];
static size_t seed_count;
static bool only_texts;
static const char *compiler;     /* NULL: programs are not looked at */
static const char *only_command; /* NULL: all */
static const char *seed_trace, *seed_program, *seed_cluster;

/* What parent and child share. */
static struct shared {
    uint64_t run, refused;
    char reader[64];
    int words; /* of its command line */
} * shared;

static FILE *report; /* the standard error stream of the whole program */
static int changed = -1, shown = -1;
static char changed_path[64];

/* ---- a command in this process ---- */

static jmp_buf over;
static bool is_running;

void __real_exit(int status) __attribute__((noreturn));
void __wrap_exit(int status) __attribute__((noreturn));

/* argp ends the program when an argument is wrong. */
void __wrap_exit(int status)
{
    if (is_running)
        longjmp(over, 1);
    __real_exit(status);
}

static void finding(const char *what)
{
    fprintf(report, "FINDING in run %" PRIu64 " (%s): %s\n", shared->run, shared->reader, what);
    fflush(report);
    abort();
}

static void out_of_memory(void)
{
    finding("it asks for more memory than there is");
}

static void hangs(int number)
{
    (void)number;
    static const char text[] = "FINDING: it does not end\n";
    if (write(fileno(report), text, sizeof text - 1) < 0)
        abort();
    abort();
}

typedef int command(int argc, char **argv);

static int run_command(command *run, char **words)
{
    volatile int status = 1;
    int count = 0;
    char *argv[16] = {0};
    for (; words[count]; count++)
        argv[count] = words[count];
    shared->words = count;
    snprintf(shared->reader, sizeof shared->reader, "%s %s", words[0], words[1]);
    /* who reads arguments puts another stream there, and may not come back */
    FILE *volatile own = stderr;
    is_running = true;
    if (setjmp(over) == 0)
        status = run(shared->words, argv);
    is_running = false;
    stderr = own;
    fflush(stdout);
    fflush(stderr);
    return status;
}

/* ---- what they print ---- */

static bool is_command_to_terminal(const unsigned char *at, size_t left)
{
    bool control = (*at < ' ' && *at != '\n' && *at != '\t') || *at == 0x7f;
    bool c1 = left > 1 && at[0] == 0xc2 && at[1] >= 0x80 && at[1] < 0xa0;
    bool turns =
        left > 2 && at[0] == 0xe2 &&
        ((at[1] == 0x80 && ((at[2] >= 0xaa && at[2] <= 0xae) || at[2] == 0x8e || at[2] == 0x8f)) ||
         (at[1] == 0x81 && at[2] >= 0xa6 && at[2] <= 0xa9));
    return control || c1 || turns;
}

static void forget_output(void)
{
    if (ftruncate(shown, 0) != 0 || lseek(shown, 0, SEEK_SET) != 0)
        abort();
}

static void look_at_output(void)
{
    static unsigned char text[MOST_TEXT];
    ssize_t length = pread(shown, text, sizeof text, 0);
    for (ssize_t i = 0; i < length; i++)
        if (is_command_to_terminal(text + i, (size_t)(length - i))) {
            for (ssize_t k = i < 80 ? 0 : i - 80; k <= i; k++)
                fprintf(report, text[k] >= ' ' && text[k] <= '~' ? "%c" : "\\x%02x", text[k]);
            finding(" <- it prints a control character");
        }
    forget_output();
}

/* ---- readers of traces ---- */

/* The usual limit takes many minutes, which is no finding. */
#define MOST_EVENTS "20000"
#define MADE_FOLDER "made" /* removed after each run */
#define WORDS(...) ((char *[]){__VA_ARGS__, NULL})
struct reader {
    command *run;
    char **words; /* "@" becomes the file */
    bool all;     /* also where there are very many calls */
};

static const struct reader readers[] = {
    {fth_cmd_info, WORDS("info", "@"), true},
    {fth_cmd_info, WORDS("info", "--size", "@"), true},
    {fth_cmd_info, WORDS("info", "--json", "@"), true},
    {fth_cmd_stats, WORDS("stats", "--top", "0", "--launchers", "@"), true},
    {fth_cmd_stats, WORDS("stats", "--json", "@"), true},
    {fth_cmd_stats, WORDS("stats", "--where", "duration > 1us and bytes < 4K", "@"), false},
    {fth_cmd_diff, WORDS("diff", "--jobs", "1", "--launchers", "@", "@"), false},
    {fth_cmd_diff, WORDS("diff", "--jobs", "1", "--json", "@", "@", "--", "@"), false},
    {fth_cmd_report, WORDS("report", "--jobs", "1", "--launchers", "@"), false},
    {fth_cmd_report, WORDS("report", "--jobs", "1", "--json", "--threshold", "worth=0", "@"),
     false},
    {fth_cmd_report, WORDS("report", "--jobs", "1", "--launchers", "--html", "@"), false},
    {fth_cmd_report,
     WORDS("report", "--jobs", "1", "--launchers", "--force", "--svg", "pictures", "@"), false},
    {fth_cmd_path, WORDS("path", "--launchers", "@"), false},
    {fth_cmd_path, WORDS("path", "--json", "@"), false},
    {fth_cmd_dump, WORDS("dump", "--launchers", "@"), false},
    {fth_cmd_dump, WORDS("dump", "--json", "@"), false},
    {fth_cmd_dump, WORDS("dump", "--ranges", "@"), false},
    {fth_cmd_dump, WORDS("dump", "--where", "offset % 4K != 0 or region == x", "@"), false},
    {fth_cmd_dump, WORDS("dump", "--handles", "@"), false},
    {fth_cmd_export,
     WORDS("export", "--to", "perfetto", "--force", "-j", "1", "-o", "exported.pftrace", "@"),
     false},
    {fth_cmd_export,
     WORDS("export", "--to", "parquet", "--force", "-j", "1", "-o", "exported.parquet", "@"),
     false},
    {fth_cmd_export, WORDS("export", "--to", "trace-events", "-o", "-", "@"), false},
    {fth_cmd_handles, WORDS("handles", "--launchers", "@"), false},
    {fth_cmd_handles, WORDS("handles", "--json", "@"), false},
    {fth_cmd_query, WORDS("query", "@", "latency breakdown exclusive"), false},
    {fth_cmd_samples, WORDS("samples", "@"), false},
    {fth_cmd_verify, WORDS("verify", "--jobs", "1", "@"), false},
    {fth_cmd_verify, WORDS("verify", "--jobs", "1", "--json", "@"), false},
    {fth_cmd_simulate, WORDS("simulate", "--max-events", MOST_EVENTS, "--on", "CLUSTER", "@"),
     false},
    /* scripts are written, and not played */
    {fth_cmd_replay, WORDS("replay", "--plan", "--incomplete", "@"), false},
    {fth_cmd_replay, WORDS("replay", "--plan", "--incomplete", "--layer", "posix", "@"), false},
    {fth_cmd_replay, WORDS("replay", "--plan", "--incomplete", "--layer", "hdf5", "@"), false},
    {fth_cmd_replay, WORDS("replay", "--plan", "--incomplete", "--originals", "--json", "@"),
     false},
    {fth_cmd_generate, WORDS("generate", "--from", "@"), false},
    {fth_cmd_proxy, WORDS("proxy", "-o", MADE_FOLDER, "@"), false},
    {fth_cmd_proxy, WORDS("proxy", "--anonymous", "--values", "histogram", "-o", MADE_FOLDER, "@"),
     false},
};
enum { READERS = sizeof readers / sizeof *readers };

static bool read_file(const char *path, struct fth_bytes *bytes)
{
    struct stat facts;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    bool good = file >= 0 && fstat(file, &facts) == 0;
    bytes->length = 0;
    if (good) {
        uint8_t *to = fth_bytes_room(bytes, (size_t)facts.st_size + 1);
        good = read(file, to, (size_t)facts.st_size) == facts.st_size;
        bytes->length = (size_t)facts.st_size;
    }
    if (file >= 0)
        close(file);
    return good;
}

/* ---- programs of `fathom proxy` ---- */

/* Behind a string, a character or a comment that begins here; `at` itself: none does. */
static const char *behind_text(const char *at)
{
    if (at[0] == '/' && at[1] == '*') {
        const char *end = strstr(at + 2, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    if (*at != '"' && *at != '\'')
        return at;
    const char *end = at + 1;
    while (*end && *end != *at && *end != '\n')
        end += *end == '\\' && end[1] ? 2 : 1;
    return *end == *at ? end + 1 : end;
}

/* No text of the run is code. */
static void check_code(const char *name)
{
    struct fth_bytes code = {0};
    if (read_file(name, &code)) {
        code.data[code.length] = 0;
        for (const char *at = (char *)code.data; *at; at++) {
            const char *behind = behind_text(at);
            if (behind > at)
                at = behind - 1;
            else if (!strncmp(at, MUTATE_CODE, strlen(MUTATE_CODE))) {
                fprintf(report, "%s has text of the trace as code: %.60s\n", name, at);
                abort();
            }
        }
    }
    fth_bytes_free(&code);
}

static void check_program(void)
{
    char *command;
    if (access(MADE_FOLDER "/proxy.c", F_OK))
        return;
    check_code(MADE_FOLDER "/proxy.c");
    check_code(MADE_FOLDER "/tables.h");
    if (asprintf(&command, "%s -std=gnu11 -w -fsyntax-only %s >&2", compiler,
                 MADE_FOLDER "/proxy.c") < 0)
        abort();
    if (system(command)) {
        fprintf(report, "the program of a trace does not compile\n");
        abort();
    }
    free(command);
}

static void read_with(const struct reader *reader, const char *path)
{
    char *words[16] = {0};
    for (int i = 0; reader->words[i]; i++)
        words[i] = !strcmp(reader->words[i], "@")         ? (char *)(uintptr_t)path
                   : !strcmp(reader->words[i], "CLUSTER") ? (char *)(uintptr_t)seed_cluster
                                                          : reader->words[i];
    run_command(reader->run, words);
    if (access(MADE_FOLDER, F_OK))
        return;
    if (compiler)
        check_program();
    fth_replay_remove(MADE_FOLDER);
}

static bool is_wanted(const struct reader *reader)
{
    return !only_command || !strcmp(reader->words[0], only_command);
}

static const struct reader *draw_reader(void)
{
    size_t count = 0, i = 0;
    for (size_t k = 0; k < READERS; k++)
        count += is_wanted(&readers[k]);
    for (uint64_t left = mutate_draw(count);; i++)
        if (is_wanted(&readers[i]) && !left--)
            return &readers[i];
}

/* Are there few enough calls to go through them? */
static bool is_short(const char *path)
{
    struct fth_error *error = NULL;
    snprintf(shared->reader, sizeof shared->reader, "open");
    struct fth_trace *trace = fth_trace_open(path, &error);
    bool few = trace && fth_trace_info(trace)->calls <= MOST_CALLS;
    shared->refused += trace == NULL;
    fth_trace_close(trace);
    fth_error_free(error);
    return few;
}

static void put_changed(const void *bytes, size_t length)
{
    if (ftruncate(changed, 0) != 0 || pwrite(changed, bytes, length, 0) != (ssize_t)length)
        abort();
}

static void run_trace(const struct seed *seed, uint64_t run)
{
    struct mutated pieces;
    struct fth_bytes made = {0};
    if (mutate_take_apart(seed->bytes.data, seed->bytes.length, &pieces)) {
        if (only_texts)
            mutate_texts(&pieces);
        else if (compiler && run % 2)
            mutate_code(&pieces);
        else if (run % 2)
            mutate_number(&pieces, run / 2 % seed->numbers);
        else if (run % 8 == 0)
            mutate_texts(&pieces);
        else
            for (uint64_t times = 1 + mutate_draw(3); times; times--)
                mutate_somehow(&pieces);
        mutate_put_together(&made, &pieces);
    }
    mutate_free(&pieces);
    put_changed(made.data, made.length);
    fth_bytes_free(&made);
    const struct reader *reader = draw_reader();
    bool few = is_short(changed_path);
    if (few || reader->all)
        read_with(reader, changed_path);
}

/* ---- texts ---- */

static size_t change_bytes(uint8_t *bytes, size_t length, size_t most)
{
    static const char odd[] = "\x1b[2J\x9b\xc2\x9b\xe2\x80\xae\n\t \"'#:,{}[]-0123456789eE.KMG%";
    for (uint64_t times = 1 + mutate_draw(4); times; times--) {
        uint64_t choice = mutate_draw(6), at = length ? mutate_draw(length) : 0;
        if (choice == 0 && length)
            bytes[at] ^= (uint8_t)(1 << mutate_draw(8));
        else if (choice == 1 && length)
            bytes[at] = (uint8_t)mutate_draw(256);
        else if (choice == 2 && length)
            bytes[at] = (uint8_t)odd[mutate_draw(sizeof odd - 1)];
        else if (choice == 3 && length < most) {
            memmove(bytes + at + 1, bytes + at, length++ - at);
            bytes[at] = (uint8_t)odd[mutate_draw(sizeof odd - 1)];
        } else if (choice == 4 && length > 1) {
            memmove(bytes + at, bytes + at + 1, --length - at);
        } else if (choice == 5 && length) {
            uint64_t from = mutate_draw(length), count = 1 + mutate_draw(16);
            for (; count && from < length && at < length; count--)
                bytes[at++] = bytes[from++];
        }
    }
    return length;
}

/* argp ends the program where one is wrong. */
static void run_where(char *trace, char *text)
{
    struct fth_error *error = NULL;
    struct fth_expression *where = fth_expression_parse(text, &error);
    if (where)
        run_command(fth_cmd_dump, WORDS("dump", trace, "--where", text));
    else
        printf("%s\n", fth_error_text(error));
    fflush(stdout);
    fth_error_free(error);
    fth_expression_free(where);
}

static void run_simulate(char *program, char *cluster)
{
    run_command(fth_cmd_simulate,
                WORDS("simulate", "--max-events", MOST_EVENTS, program, "--on", cluster));
}

static void run_text(const struct seed *seed)
{
    size_t length = seed->bytes.length;
    uint8_t *text = malloc(length + 65);
    memcpy(text, seed->bytes.data, length);
    length = change_bytes(text, length, length + 64);
    text[length] = 0;
    put_changed(text, length);
    char *program = (char *)(uintptr_t)seed_program, *cluster = (char *)(uintptr_t)seed_cluster,
         *trace = (char *)(uintptr_t)seed_trace;
    if (seed->kind == PROGRAM)
        run_simulate(changed_path, cluster);
    else if (seed->kind == CLUSTER)
        run_simulate(program, changed_path);
    else if (seed->kind == MODELS)
        run_command(fth_cmd_verify, WORDS("verify", trace, "--model", changed_path));
    else
        run_where(trace, (char *)text);
    free(text);
}

/* ---- spill folders ---- */

/* The two commits of a stream are valid again. */
static void repair(struct fth_bytes *bytes)
{
    struct fth_spill_stream page;
    if (bytes->length < sizeof page)
        return;
    memcpy(&page, bytes->data, sizeof page);
    for (int i = 0; page.magic == FTH_SPILL_STREAM_MAGIC && i < 2; i++)
        if (page.commits[i].sequence)
            page.commits[i].check = fth_spill_check(&page.commits[i]);
    memcpy(bytes->data, &page, sizeof page);
}

/* One or some of the words of it that are not zero. */
static void change_words(struct fth_bytes *bytes)
{
    static const uint64_t extremes[] = {
        0, 1, 255, 65535, INT32_MAX, UINT32_MAX - 1, UINT32_MAX, INT64_MAX, UINT64_MAX};
    for (uint64_t times = 1 + mutate_draw(3), tries = 1000; times && tries; tries--) {
        size_t size = mutate_draw(2) ? 4 : 8;
        if (bytes->length < 16)
            return;
        size_t at = (mutate_draw(2) ? mutate_draw(bytes->length < 512 ? bytes->length - 8 : 504)
                                    : mutate_draw(bytes->length - 8)) /
                    4 * 4;
        uint64_t word = 0, to = extremes[mutate_draw(sizeof extremes / sizeof *extremes)];
        memcpy(&word, bytes->data + at, size);
        if (!word)
            continue;
        to = mutate_draw(2)   ? to
             : mutate_draw(2) ? word + mutate_draw(9) - 4
                              : word ^ (uint64_t)1 << mutate_draw(64);
        memcpy(bytes->data + at, &to, size);
        times--;
    }
    repair(bytes);
}

static void write_file(const char *path, const struct fth_bytes *bytes)
{
    int file = open(path, O_WRONLY | O_TRUNC | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || write(file, bytes->data, bytes->length) != (ssize_t)bytes->length)
        abort();
    close(file);
}

static int is_file(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* A copy of the folder, one of its files changed, merged; what came of it is read. */
static void run_spill(const struct seed *seed)
{
    static char folder[64], output[64];
    static struct fth_bytes bytes;
    struct dirent **entries;
    char from[4096], to[4096];
    snprintf(folder, sizeof folder, "spill.%ld", (long)getpid());
    snprintf(output, sizeof output, "merged.%ld.fathom", (long)getpid());
    if (mkdir(folder, 0700) != 0)
        abort();
    int count = scandir(seed->path, &entries, is_file, alphasort);
    uint64_t chosen = mutate_draw((uint64_t)count);
    for (int i = 0; i < count; i++) {
        snprintf(from, sizeof from, "%s/%s", seed->path, entries[i]->d_name);
        snprintf(to, sizeof to, "%s/%s", folder, entries[i]->d_name);
        if (!read_file(from, &bytes))
            abort();
        if ((uint64_t)i == chosen && strstr(entries[i]->d_name, ".json")) {
            fth_bytes_room(&bytes, 64);
            bytes.length = change_bytes(bytes.data, bytes.length, bytes.length + 64);
        } else if ((uint64_t)i == chosen) {
            change_words(&bytes);
        }
        write_file(to, &bytes);
    }
    bool merged = run_command(fth_cmd_merge, WORDS("merge", folder, "-o", output)) == 0;
    struct fth_error *error = NULL;
    struct fth_trace *trace = merged ? fth_trace_open(output, &error) : NULL;
    if (merged && !trace) {
        fprintf(report, "%s\n", fth_error_text(error));
        finding("merge has written what no reader can open");
    }
    bool few = trace && fth_trace_info(trace)->calls <= MOST_CALLS;
    fth_trace_close(trace);
    if (few)
        read_with(&readers[mutate_draw(READERS)], output);
    for (int i = 0; i < count; i++) {
        snprintf(to, sizeof to, "%s/%s", folder, entries[i]->d_name);
        unlink(to);
        free(entries[i]);
    }
    free(entries);
    unlink(output);
    rmdir(folder);
}

/* ---- runs ---- */

static void run_one(uint64_t run)
{
    const struct seed *seed = &seeds[run % seed_count];
    const struct itimerval limit = {.it_value.tv_sec = MOST_SECONDS}, none = {0};
    shared->run = run;
    mutate_seed(run * 0x9E3779B97F4A7C15u, change_bytes);
    setitimer(ITIMER_PROF, &limit, NULL);
    if (seed->kind == TRACE)
        run_trace(seed, run / seed_count);
    else if (seed->kind == SPILL)
        run_spill(seed);
    else
        run_text(seed);
    setitimer(ITIMER_PROF, &none, NULL);
    look_at_output();
}

static long resident(void)
{
    long pages[2] = {0};
    FILE *file = fopen("/proc/self/statm", "re");
    if (file && fscanf(file, "%ld %ld", &pages[0], &pages[1]) != 2)
        pages[1] = 0;
    if (file)
        fclose(file);
    return pages[1] * 4;
}

static void run_batch(uint64_t first, uint64_t end)
{
    fth_out_of_memory = out_of_memory;
    signal(SIGPROF, hangs);
    long before = resident();
    forget_output();
    for (uint64_t run = first; run < end; run++) {
        run_one(run);
        long now = resident();
        if (now - before > MOST_MEMORY / 2)
            finding("it takes a lot of memory");
        before = now;
        if (now > MOST_MEMORY) { /* of many runs: the next child goes on */
            shared->run = run + 1;
            _exit(2);
        }
    }
    _exit(0);
}

/* Runs them in children; returns how many had a finding. */
static uint64_t run_all(uint64_t first, uint64_t runs)
{
    uint64_t findings = 0, run = first;
    time_t begin = time(NULL), reported = begin;
    while (run < first + runs) {
        uint64_t end = run + BATCH < first + runs ? run + BATCH : first + runs;
        int status;
        fflush(report);
        pid_t child = fork();
        if (child == 0)
            run_batch(run, end);
        if (child < 0 || waitpid(child, &status, 0) != child)
            abort();
        bool ended = WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 2);
        if (!ended) {
            fprintf(report, "run %" PRIu64 " of %s: --first %" PRIu64 " --runs 1\n", shared->run,
                    seeds[shared->run % seed_count].path, shared->run);
            findings++;
        }
        run = !ended ? shared->run + 1 : WEXITSTATUS(status) == 2 ? shared->run : end;
        if (time(NULL) - reported >= 60) {
            reported = time(NULL);
            fprintf(report, "%" PRIu64 " runs, %" PRIu64 " findings, %ld s\n", run - first,
                    findings, (long)(reported - begin));
        }
    }
    fprintf(report, "%" PRIu64 " runs, %" PRIu64 " findings, %" PRIu64 " traces refused, %ld s\n",
            run - first, findings, shared->refused, (long)(time(NULL) - begin));
    return findings;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), size = strlen(end);
    return length >= size && strcmp(text + length - size, end) == 0;
}

static void add_seed(const char *path)
{
    static const struct {
        const char *ending;
        enum kind kind;
    } kinds[] = {{".fathom", TRACE},
                 {".sim", PROGRAM},
                 {".yaml", CLUSTER},
                 {".models", MODELS},
                 {".where", WHERE}};
    struct stat facts;
    struct seed *seed = &seeds[seed_count];
    seed->path = path;
    if (seed_count == MOST_SEEDS || stat(path, &facts) != 0)
        return;
    seed->kind = S_ISDIR(facts.st_mode) ? SPILL : TRACE;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (ends_with(path, kinds[i].ending))
            seed->kind = kinds[i].kind;
    if (seed->kind != SPILL && !read_file(path, &seed->bytes))
        return;
    struct mutated pieces;
    if (seed->kind == TRACE) {
        seed->numbers = mutate_take_apart(seed->bytes.data, seed->bytes.length, &pieces)
                            ? mutate_count(&pieces)
                            : 0;
        mutate_free(&pieces);
        if (!seed->numbers)
            return;
        seed_trace = path;
    }
    seed_program = seed->kind == PROGRAM ? path : seed_program;
    seed_cluster = seed->kind == CLUSTER ? path : seed_cluster;
    seed_count++;
}

int main(int argc, char **argv)
{
    uint64_t first = 0, runs = UINT64_MAX / 2;
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--first") && i + 1 < argc)
            first = strtoull(argv[++i], NULL, 10);
        else if (!strcmp(argv[i], "--runs") && i + 1 < argc)
            runs = strtoull(argv[++i], NULL, 10);
        else if (!strcmp(argv[i], "--texts"))
            only_texts = true;
        else if (!strcmp(argv[i], "--code") && i + 1 < argc)
            compiler = argv[++i];
        else if (!strcmp(argv[i], "--command") && i + 1 < argc)
            only_command = argv[++i];
        else
            add_seed(argv[i]);
    size_t wanted = 0;
    for (size_t i = 0; i < READERS; i++)
        wanted += is_wanted(&readers[i]);
    if (!seed_count || !seed_trace || !seed_cluster || !seed_program || !wanted)
        return 2;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    changed = memfd_create("changed", 0);
    shown = memfd_create("shown", 0);
    snprintf(changed_path, sizeof changed_path, "/proc/self/fd/%d", changed);
    report = fdopen(dup(STDERR_FILENO), "w");
    if (dup2(shown, STDOUT_FILENO) < 0 || fcntl(shown, F_SETFL, O_APPEND) < 0)
        return 2;
    stderr = fdopen(dup(shown), "a"); /* descriptor 2 is that of the sanitizers */
    return run_all(first, runs) ? 1 : 0;
}
