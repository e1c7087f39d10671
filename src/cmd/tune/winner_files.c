/* What is left of the winner: a hints file, where hints are part of it, and a file for the shell
 * that sets the variables, with the evidence as comments. */
#include "cmd/tune/tune_command.h"

#include "base/memory.h"
#include "base/phrase.h"
#include "base/sink.h"
#include "cmd/shared/output_file.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const ends[2] = {".sh", ".hints"};
/* The function that the file for the shell has, where a command in front of the program's is the
 * winner. */
static const char front_name[] = "on_fathom_fs";

int fth_cmd_tune_check_files(struct fth_cmd_tuning *tuning, struct fth_error **error)
{
    for (size_t i = 0; i < 2; i++) {
        char *path = fth_text_format("%s%s", tuning->output, ends[i]);
        int result = fth_cmd_check_new_file(path, tuning->force, error);
        free(path);
        if (result)
            return -1;
    }
    return 0;
}

static void put(struct fth_sink *sink, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void put(struct fth_sink *sink, const char *format, ...)
{
    char *text = NULL;
    va_list values;
    va_start(values, format);
    if (vasprintf(&text, format, values) < 0)
        text = NULL;
    va_end(values);
    fth_sink_text(sink, text ? text : "");
    free(text);
}

/* In single quotes of the shell. */
static void put_quoted(struct fth_sink *sink, const char *word)
{
    fth_sink_char(sink, '\'');
    for (; *word; word++) {
        if (*word == '\'')
            fth_sink_text(sink, "'\\''");
        else
            fth_sink_char(sink, *word);
    }
    fth_sink_char(sink, '\'');
}

static bool is_plain(const char *word)
{
    return *word &&
           !word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "_-+=./,:@%")];
}

static void put_word(struct fth_sink *sink, const char *word)
{
    if (is_plain(word))
        fth_sink_text(sink, word);
    else
        put_quoted(sink, word);
}

/* A line of comment: no newline of a command's words ends it. */
static void put_command(struct fth_sink *sink, char *const *command)
{
    for (size_t i = 0; command[i]; i++) {
        fth_sink_text(sink, i ? " " : "");
        put_word(sink, command[i]);
    }
}

static char *text_of(struct fth_sink *sink)
{
    fth_sink_char(sink, 0);
    char *text = fth_text_copy(sink->bytes);
    fth_sink_close_memory(sink);
    return text;
}

static char *on_one_line(char *text)
{
    for (char *at = text; *at; at++)
        if (*at == '\n' || *at == '\r')
            *at = ' ';
    return text;
}

static void put_times(struct fth_sink *sink, const char *what, const int64_t *times, size_t count)
{
    put(sink, "# %s:", what);
    for (size_t i = 0; i < count; i++)
        put(sink, "%s %s", i ? "," : "", fth_phrase_duration(times[i]).text);
    put(sink, "\n");
}

static void put_evidence(struct fth_sink *sink, const struct fth_cmd_tuning *tuning)
{
    const struct fth_tune_judgement *judgement = &tuning->judgement;
    struct fth_sink command;
    fth_sink_open_memory(&command);
    put_command(&command, tuning->command);
    char *text = on_one_line(text_of(&command));
    put(sink, "# Made by fathom tune for: %s\n", text);
    free(text);
    put_times(sink, "unchanged", tuning->search.unchanged, tuning->search.unchanged_count);
    put_times(sink, "with this", tuning->search.changed, tuning->search.changed_count);
    put(sink, "# medians: %s and %s; such a difference comes by chance with probability %.3g\n",
        fth_phrase_duration(judgement->unchanged).text,
        fth_phrase_duration(judgement->changed).text, judgement->p);
}

static int save(const char *path, struct fth_sink *sink, bool force, struct fth_error **error)
{
    return fth_cmd_save(path, sink, force, error);
}

static int write_hints(const struct fth_cmd_tuning *tuning, const char *path,
                       const struct fth_cmd_tuned *tuned, struct fth_error **error)
{
    struct fth_sink sink;
    char *lines = fth_cmd_tuned_lines(tuned);
    fth_sink_open_memory(&sink);
    put_evidence(&sink, tuning);
    fth_sink_text(&sink, lines);
    int result = save(path, &sink, tuning->force, error);
    fth_sink_close_memory(&sink);
    free(lines);
    return result;
}

/* A function of the shell, with the words in front of the command; nothing if there are none. */
static void put_front(struct fth_sink *sink, const struct fth_cmd_tuning *tuning)
{
    char fathom[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", fathom, sizeof fathom - 1);
    fathom[length > 0 ? length : 0] = 0;
    char **words =
        fth_cmd_tuned_words(tuning->search.best, &tuning->run, *fathom ? fathom : "fathom");
    if (!words)
        return;
    put(sink,
        "# What the program syncs is in the memory of the node until it ends: a crash of the "
        "node loses it.\n%s() { ",
        front_name);
    put_command(sink, words);
    put(sink, " \"$@\"; }\n");
    free(words);
}

static int write_variables(const struct fth_cmd_tuning *tuning, const char *path,
                           const struct fth_cmd_tuned *tuned, struct fth_error **error)
{
    struct fth_sink sink;
    fth_sink_open_memory(&sink);
    put_evidence(&sink, tuning);
    for (size_t i = 0; i < tuned->variables.count; i++) {
        put(&sink, "export %s=", tuned->variables.list[i].key);
        put_word(&sink, tuned->variables.list[i].value);
        put(&sink, "\n");
    }
    put_front(&sink, tuning);
    int result = save(path, &sink, tuning->force, error);
    fth_sink_close_memory(&sink);
    return result;
}

static char *apply_line(const struct fth_cmd_tuning *tuning, const char *path)
{
    struct fth_sink line;
    fth_sink_open_memory(&line);
    fth_sink_text(&line, ". ");
    char *with_folder = strchr(path, '/') ? fth_text_copy(path) : fth_text_format("./%s", path);
    put_word(&line, with_folder);
    free(with_folder);
    fth_sink_text(&line, " && ");
    if (fth_tune_choice_get(tuning->search.best, FTH_TUNE_MODEL)) {
        fth_sink_text(&line, front_name);
        fth_sink_text(&line, " ");
    }
    put_command(&line, tuning->command);
    return text_of(&line);
}

int fth_cmd_tune_write_files(struct fth_cmd_tuning *tuning, struct fth_error **error)
{
    struct fth_cmd_tuned tuned;
    char *script = fth_text_format("%s%s", tuning->output, ends[0]),
         *hints = fth_text_format("%s%s", tuning->output, ends[1]), *folder = getcwd(NULL, 0);
    char *absolute = *hints == '/' ? fth_text_copy(hints)
                                   : fth_text_format("%s/%s", folder ? folder : ".", hints);
    fth_cmd_tuned_make(&tuned, tuning->search.best, &tuning->before, absolute);
    int result = tuned.hints.count ? write_hints(tuning, hints, &tuned, error) : 0;
    if (!result)
        result = write_variables(tuning, script, &tuned, error);
    if (!result) {
        tuning->apply = apply_line(tuning, script);
        tuning->files[0] = fth_text_copy(script);
        tuning->files[1] = tuned.hints.count ? fth_text_copy(hints) : NULL;
    }
    fth_cmd_tuned_free(&tuned);
    free(absolute);
    free(folder);
    free(script);
    free(hints);
    return result;
}
