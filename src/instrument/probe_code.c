/* Code of probes: Fathom's own, which calls <fathom/probe.h>, and templates of users. All of it
 * stands on the line that is there, so that lines keep their numbers. */
#include "instrument/probe_code.h"

#include "base/memory.h"
#include "base/text_file.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_BYTES = 1 << 20 };
static const char own_folder[] = "Lib/Fathom/";
static const char *const own_names[] = {"scope", "begin", "end", "event"};

/* ---- which code ---- */

static char *read_template(const char *path, struct fth_error **error)
{
    FILE *file = fth_text_file(path, MOST_BYTES, error);
    if (!file)
        return NULL;
    char *text = fth_new(MOST_BYTES + 1, 1);
    size_t length = fread(text, 1, MOST_BYTES, file);
    while (length && strchr("\r\n", text[length - 1]))
        length--;
    text[length] = 0;
    fclose(file);
    return text;
}

int fth_probe_code_find(struct fth_probe_code *code, const char *library,
                        const struct fth_probe_list *probes, const struct fth_probe_entry *entry,
                        struct fth_error **error)
{
    *code = (struct fth_probe_code){.kind = FTH_CODE_TEMPLATE};
    if (!strncmp(entry->code, own_folder, sizeof own_folder - 1))
        for (size_t i = 0; i < sizeof own_names / sizeof *own_names; i++)
            if (!strcmp(entry->code + sizeof own_folder - 1, own_names[i])) {
                code->kind = (enum fth_probe_code_kind)i;
                return 0;
            }
    char *path = fth_text_format("%s/%s", library, entry->code);
    int result = 0;
    if (strstr(entry->code, "..") || access(path, R_OK) != 0)
        result = fth_probe_entry_fail(probes, entry, error,
                                      "there is no probe '%s': it is not a file in %s, and "
                                      "Fathom's own are Lib/Fathom/scope, "
                                      "begin, end and event",
                                      entry->code, library);
    else if (!(code->text = read_template(path, error)))
        result = -1;
    free(path);
    return result;
}

void fth_probe_code_free(struct fth_probe_code *code)
{
    free(code->text);
    code->text = NULL;
}

int fth_probe_code_check(const struct fth_probe_code *code, const struct fth_probe_list *probes,
                         const struct fth_probe_entry *entry, const struct fth_anchor_place *place,
                         const struct fth_probe_setting *setting, struct fth_error **error)
{
    bool file = entry->anchor == FTH_ANCHOR_LINE && !entry->number;
    if (file && code->kind != FTH_CODE_TEMPLATE)
        return fth_probe_entry_fail(probes, entry, error,
                                    "-n 0 is the beginning of the file, where no code runs");
    if (code->kind == FTH_CODE_SCOPE && !place->around && !place->at_level)
        return fth_probe_entry_fail(probes, entry, error,
                                    "the statement in line %u of %s is alone in an if or a loop, "
                                    "so nothing is behind it in "
                                    "a scope; write 'around'",
                                    setting->line, setting->file);
    if (code->kind != FTH_CODE_SCOPE && place->around)
        return fth_probe_entry_fail(probes, entry, error,
                                    "'%s' stands at one place; write 'before' or 'after', or use "
                                    "Lib/Fathom/scope",
                                    entry->code);
    return 0;
}

/* ---- Fathom's own ---- */

static void put_integer(struct fth_sink *sink, int64_t value)
{
    fth_sink_integer(sink, value);
}

static void put_value(const struct fth_probe_row *row, const struct fth_probe_entry *entry,
                      uint32_t number, struct fth_sink *sink)
{
    const char *expression = NULL;
    bool sends = number < row->value_count && !strcmp(row->values[number].name, "sends");
    for (uint32_t i = 0; i < entry->value_count && number < row->value_count; i++)
        if (!strcmp(entry->values[i].name, row->values[number].name))
            expression = entry->values[i].expression;
    if (!expression) {
        fth_sink_text(sink, ", 0");
        return;
    }
    fth_sink_text(sink, ", (fathom_probe_value)(");
    fth_sink_text(sink, expression);
    fth_sink_text(sink, sends ? " = fathom_probe_identity())" : ")");
}

/* FUNCTION(&site, six values) */
static void put_call(const char *function, const struct fth_probe_row *row,
                     const struct fth_probe_entry *entry, struct fth_sink *sink)
{
    fth_sink_text(sink, function);
    fth_sink_text(sink, "(&fathom_site_");
    fth_sink_text(sink, row->name);
    for (uint32_t i = 0; i < FTH_PROBE_MOST_VALUES; i++)
        put_value(row, entry, i, sink);
    fth_sink_text(sink, ")");
}

static void put_own(const struct fth_probe_code *code, const struct fth_probe_row *row,
                    const struct fth_probe_entry *entry, size_t number, struct fth_sink *sink)
{
    switch (code->kind) {
    case FTH_CODE_BEGIN:
        fth_sink_text(sink, "(void)");
        put_call("fathom_probe_enter", row, entry, sink);
        break;
    case FTH_CODE_END:
        if (entry->value_count) {
            put_call("fathom_probe_leave_with", row, entry, sink);
            break;
        }
        fth_sink_text(sink, "fathom_probe_leave_site(&fathom_site_");
        fth_sink_text(sink, row->name);
        fth_sink_text(sink, ")");
        break;
    case FTH_CODE_EVENT:
        fth_sink_text(sink, "{ struct fathom_probe fathom_probe = ");
        put_call("fathom_probe_enter", row, entry, sink);
        fth_sink_text(sink, "; fathom_probe_leave(&fathom_probe); }");
        return;
    default:
        fth_sink_text(sink, "struct fathom_probe fathom_probe_");
        put_integer(sink, (int64_t)number);
        fth_sink_text(sink, " __attribute__((cleanup(fathom_probe_leave), unused)) = ");
        put_call("fathom_probe_enter", row, entry, sink);
    }
    fth_sink_text(sink, ";");
}

/* ---- templates ---- */

struct placeholder {
    const char *name, *text; /* text NULL: the number */
    int64_t number;
};

static bool put_placeholder(const char *at, size_t length, const struct placeholder *known,
                            size_t count, struct fth_sink *sink)
{
    for (size_t i = 0; i < count; i++) {
        if (strlen(known[i].name) != length || memcmp(known[i].name, at, length) != 0)
            continue;
        if (known[i].text)
            fth_sink_text(sink, known[i].text);
        else
            put_integer(sink, known[i].number);
        return true;
    }
    return false;
}

static void put_template(const struct fth_probe_code *code, const struct fth_probe_row *row,
                         const struct fth_probe_entry *entry, const struct fth_anchor_place *place,
                         const struct fth_probe_setting *setting, struct fth_sink *sink)
{
    static const char *const operations[] = {"", "write", "read", ""};
    const struct placeholder known[] = {
        {"LOGFILE", setting->log, 0},
        {"LEVEL", NULL, entry->level},
        {"LAYER", row->layer, 0},
        {"NAME", row->name, 0},
        {"OP", operations[entry->of_class], 0},
        {"LINE", NULL, setting->line},
        {"FILE", setting->file, 0},
        {"FUNCTION", place->function ? place->function : "", 0},
        {"CALL", place->call ? place->call : entry->text, 0},
        {"NUMBER", NULL, (int64_t)setting->number},
        {"RANGE_FIRST", NULL, setting->first},
        {"RANGE_LAST", NULL, setting->last == UINT32_MAX ? 0 : setting->last},
    };
    for (const char *at = code->text; *at;) {
        size_t length = *at == '@' ? strspn(at + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") : 0;
        if (length && at[length + 1] == '@' &&
            put_placeholder(at + 1, length, known, sizeof known / sizeof *known, sink)) {
            at += length + 2;
            continue;
        }
        fth_sink_char(sink, *at++);
    }
    if (!strchr(code->text, '\n'))
        return;
    fth_sink_text(sink, "\n#line "); /* what follows is where it was */
    put_integer(sink, setting->line);
    fth_sink_text(sink, "\n");
}

/* ---- at a place ---- */

void fth_probe_code_put(const struct fth_probe_code *code, const struct fth_probe_row *row,
                        const struct fth_probe_entry *entry, const struct fth_anchor_place *place,
                        const struct fth_probe_setting *setting, struct fth_sink *sink)
{
    fth_sink_text(sink, " ");
    if (code->kind == FTH_CODE_TEMPLATE)
        put_template(code, row, entry, place, setting, sink);
    else
        put_own(code, row, entry, setting->number, sink);
    fth_sink_text(sink, " ");
}

void fth_probe_code_site(const struct fth_probe_row *row, struct fth_sink *sink)
{
    const char *const pieces[] = {"static struct fathom_probe_site fathom_site_",
                                  row->name,
                                  " __attribute__((unused)) = {\"",
                                  row->layer,
                                  "\", \"",
                                  row->name,
                                  row->moves ? "\", 1, " : "\", 0, "};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        fth_sink_text(sink, pieces[i]);
    put_integer(sink, row->value_count);
    fth_sink_text(sink, ", 0, 0}; ");
}
