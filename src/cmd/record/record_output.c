/* Where a trace goes: a name after the program or the script that is recorded and the job that it
 * is in, what stands for something in --output, and a name that is free. Given the command and the
 * name that was asked for. */
#include "base/batch_systems.h"
#include "base/launchers.h"
#include "base/mask.h"
#include "base/memory.h"
#include "base/settings.h"
#include "base/sink.h"
#include "base/visible.h"
#include "cmd/record/record.h"
#include "cmd/run/run.h"
#include "cmd/run/launched_together.h"
#include "trace/program/program.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

/* Is `word` one of the words with blanks between them? */
static bool is_one_of(const char *words, const char *word, size_t length)
{
    for (size_t item; *words; words += item + (words[item] != 0)) {
        item = strcspn(words, " ");
        if (item == length && strncmp(words, word, length) == 0)
            return true;
    }
    return false;
}

/* ---- the program ---- */

/* Does it run another program, which is named later in its command? Launchers do, and these. */
static bool runs_another(const char *name)
{
    static const char names[] =
        "ibrun numactl env nice nohup timeout stdbuf time setsid xvfb-run catchsegv";
    return fth_is_launcher(name) || is_one_of(names, name, strlen(name));
}

/* Programs that run a script. */
static const struct interpreter {
    const char *name;   /* without its version */
    const char *valued; /* options whose value is the next word */
    const char *code;   /* options behind which there is no script */
    const char *naming; /* options whose value names what is run */
} interpreters[] = {
    {"python", "-W -X -Q", "-c", "-m"},
    {"pypy", "-W -X", "-c", "-m"},
    {"sh", "-o -O", "-c -s", ""},
    {"bash", "-o -O --rcfile --init-file", "-c -s", ""},
    {"dash", "-o", "-c -s", ""},
    {"ksh", "-o", "-c -s", ""},
    {"zsh", "-o", "-c -s", ""},
    {"csh", "", "-c", ""},
    {"tcsh", "", "-c", ""},
    {"perl", "", "-e -E", ""},
    {"ruby", "-I -r -C", "-e", ""},
    {"java", "-cp -classpath --class-path -p --module-path --add-modules", "", "-jar -m --module"},
    {"Rscript", "", "-e", ""},
    {"R", "-e", "", "-f"},
    {"julia", "-C -J -p -t -L -H", "-e -E", ""},
    {"node", "-r --require", "-e -p", ""},
    {"lua", "-l", "-e", ""},
    {"tclsh", "", "", ""},
    {"octave", "", "--eval", ""},
};

/* "python3.11" is Python's. */
static const struct interpreter *find_interpreter(const char *name)
{
    for (size_t i = 0; i < sizeof interpreters / sizeof *interpreters; i++) {
        size_t length = strlen(interpreters[i].name);
        if (strncmp(name, interpreters[i].name, length) == 0 &&
            name[length + strspn(name + length, "0123456789.")] == 0)
            return &interpreters[i];
    }
    return NULL;
}

/* What it is given to run; NULL: nothing that has a name. `words`: behind its own. */
static const char *find_script(const struct interpreter *interpreter, char *const *words)
{
    for (; *words; words++) {
        const char *word = *words;
        size_t length = strlen(word);
        if (*word != '-')
            return word;
        if (is_one_of(interpreter->naming, word, length))
            return words[1];
        if (is_one_of(interpreter->code, word, length) || strcmp(word, "-") == 0)
            return NULL;
        if (is_one_of(interpreter->valued, word, length) && !*++words)
            return NULL;
    }
    return NULL;
}

/* Behind launchers, as far as they name one. */
static char *const *find_program(char *const *command)
{
    char path[PATH_MAX];
    char *const *program = command;
    for (char *const *word = command; *word && runs_another(base_name(*program)); word++)
        if (word != command && **word != '-' && fth_program_find(*word, path, sizeof path))
            program = word;
    return program;
}

/* ---- the job ---- */

struct job {
    char number[64], task[32]; /* "": none */
};

/* Up to what cannot stand in a name: of "12[3].server" the 12. */
static void take_word(char *to, size_t size, const char *value)
{
    size_t length = 0;
    while (value &&
           (isalnum((unsigned char)value[length]) || value[length] == '-' || value[length] == '_'))
        length++;
    snprintf(to, size, "%.*s", (int)length, value ? value : "");
}

static const char *own_variable(const void *context, const char *name)
{
    (void)context;
    return getenv(name);
}

static struct job find_job(void)
{
    struct fth_batch_job found;
    struct job job = {"", ""};
    if (fth_batch_find(own_variable, NULL, &found)) {
        take_word(job.number, sizeof job.number, found.number);
        take_word(job.task, sizeof job.task, found.task);
    }
    return job;
}

char *fth_record_default_output(char *const *command)
{
    char *const *program = find_program(command);
    const char *name = base_name(*program), *script = NULL;
    const struct interpreter *interpreter = find_interpreter(name);
    const struct job job = find_job();
    if (interpreter)
        script = find_script(interpreter, program + 1);
    if (script && strstr(script, FTH_MASKED)) /* no name for a file */
        script = NULL;
    if (script)
        name = base_name(script);
    /* "json.tool" is no file */
    const char *ending = script && access(script, F_OK) == 0 ? strrchr(name, '.') : NULL;
    int length = (int)(ending && ending > name ? (size_t)(ending - name) : strlen(name));
    return fth_text_format("%.*s%s%s%s%s.fathom", length, name, *job.number ? "." : "", job.number,
                           *job.task ? "_" : "", job.task);
}

/* ---- what stands for something in --output ---- */

static bool put_meant(struct fth_sink *sink, char letter)
{
    const struct job job = find_job();
    struct utsname node;
    char number[24];
    snprintf(number, sizeof number, "%d", (int)getpid());
    switch (letter) {
    case '%':
        fth_sink_char(sink, '%');
        return true;
    case 'j':
        fth_sink_text(sink, *job.number ? job.number : "0");
        return true;
    case 't':
        fth_sink_text(sink, *job.task ? job.task : "0");
        return true;
    case 'p':
        fth_sink_text(sink, number);
        return true;
    case 'h':
        node.nodename[0] = 0;
        uname(&node);
        node.nodename[strcspn(node.nodename, "./")] = 0;
        fth_sink_text(sink, node.nodename);
        return true;
    }
    return false;
}

char *fth_record_expand_output(const char *asked, struct fth_error **error)
{
    struct fth_sink sink;
    fth_sink_open_memory(&sink);
    bool good = true;
    for (; *asked && good; asked++) {
        if (*asked != '%')
            fth_sink_char(&sink, *asked);
        else
            good = put_meant(&sink, *++asked);
        if (!good && *asked)
            fth_fail(error,
                     "--output: '%%%c' is unknown; there are %%j (job), %%t (task of a job), %%p "
                     "(process), %%h (host), and %%%% for a percent sign",
                     *asked);
        else if (!good)
            fth_fail(error, "--output: write %%%% for a percent sign at the end");
    }
    fth_sink_char(&sink, 0);
    char *made = good && !sink.failed ? fth_text_copy(sink.bytes) : NULL;
    if (good && !made)
        fth_fail(error, "out of memory");
    fth_sink_close_memory(&sink);
    return made;
}

/* ---- a name that is free ---- */

enum taken { FREE, TAKEN, GONE };

/* An empty file is free; who takes it has its lock, until a trace is there in its place. `held`:
 * its descriptor. */
static enum taken take(const char *path, int *held)
{
    struct stat facts;
    *held = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (*held < 0)
        return FREE; /* the merge says why it cannot be written */
    bool locked = flock(*held, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    bool known = fstat(*held, &facts) == 0;
    if (locked && known && facts.st_nlink > 0 && facts.st_size == 0)
        return FREE;
    close(*held);
    *held = -1;
    return locked && known && facts.st_nlink == 0 ? GONE : TAKEN;
}

/* Makes the names those of the trace before a number was added, with this one. */
static bool number_names(char **path, char **shown, const char *first, const char *first_shown,
                         int number)
{
    struct stat facts;
    char word[16];
    snprintf(word, sizeof word, "%d", number);
    /* where a link led, what is beside the link is another place */
    bool is_link = lstat(first_shown, &facts) == 0 && S_ISLNK(facts.st_mode);
    char *new_path = fth_together_rename(first, word),
         *new_shown = fth_together_rename(is_link ? first : first_shown, word);
    if (!new_path || !new_shown) {
        free(new_path);
        free(new_shown);
        return false;
    }
    free(*path);
    free(*shown);
    *path = new_path;
    *shown = new_shown;
    return true;
}

/* Where a trace is at `path` that is not to be replaced, or another one is being made, adds a
 * number to both names. Returns the descriptor that keeps the name for us until the trace is there,
 * to be closed; -1: there is none. */
static int take_name(char **path, char **shown, bool replaces)
{
    enum { MOST = 100000 };
    int held = -1;
    char *first = fth_text_copy(*path), *first_shown = fth_text_copy(*shown);
    for (int number = 1; !replaces && first && first_shown && number < MOST;) {
        enum taken taken = take(*path, &held);
        if (taken == FREE)
            break;
        number += taken == TAKEN;
        if (taken == TAKEN && !number_names(path, shown, first, first_shown, number))
            break;
    }
    free(first);
    free(first_shown);
    return held;
}

static bool is_empty(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 && facts.st_size == 0;
}

bool fth_record_replaces(const struct fth_record_options *options)
{
    const char *always = getenv(FTH_SETTING_NAME(REPLACE));
    return options->force || (always && *always && strcmp(always, "0") != 0);
}

int fth_record_merge(struct fth_cmd_run *run, char **shown, bool replaces,
                     struct fth_merge_report *report, struct fth_error **error)
{
    int held = take_name(&run->output, shown, replaces);
    json_object_set_new(run->meta, "output", fth_run_text(run->output));
    fth_run_save(run, NULL); /* for a merge later on */
    int result = fth_run_merge(run, report, error);
    if (result && held >= 0 && is_empty(run->output))
        unlink(run->output);
    if (held >= 0)
        close(held);
    return result;
}

void fth_record_say_name(const char *asked, const char *shown)
{
    if (asked && strcmp(asked, shown) != 0)
        fth_say(stderr, "fathom: the trace is %s, not %s\n", shown, asked);
}
