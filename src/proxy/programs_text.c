/* Processes of a run as forked ones of its program: see the header. */
#include "proxy/programs_text.h"
#include "proxy/threads_text.h"

#include "base/memory.h"

#include <string.h>

/* ---- functions ---- */

static const char *name_of(const struct fth_writing *writing, const struct fth_body *body)
{
    const struct fth_process *process = fth_trace_process(writing->trace, body->members[0]->proc);
    const char *executable = process->executable ? process->executable : "a program",
               *slash = strrchr(executable, '/');
    return slash ? slash + 1 : executable;
}

static void put_comment(struct fth_writing *writing, const struct fth_body *body)
{
    FILE *to = writing->functions.file;
    bool threads = body->members[0]->thread;
    const char *name = writing->settings->anonymous || threads ? "" : name_of(writing, body);
    fputs("\n/* ", to);
    for (const char *at = name; *at; at++)
        fputc(*at >= ' ' && *at <= '~' && *at != '*' && *at != '/' ? *at : '_', to);
    const char *one = threads ? "thread" : "process", *several = threads ? "threads" : "processes";
    fprintf(to, "%s%zu %s of the run. */\n", *name ? ": " : "", body->member_count,
            body->member_count == 1 ? one : several);
}

static void write_program(struct fth_writing *writing, const struct fth_body *body)
{
    struct fth_growing_text text;
    fth_growing_text_open(&text);
    writing->rank_count = (int64_t)body->member_count;
    writing->self = "number";
    fth_proxy_write_body(writing, body, text.file, 1);
    if (body->ends_itself)
        fputs("    exit(0); /* writes what its streams have */\n", text.file);
    fth_growing_text_end(&text);
    put_comment(writing, body);
    fprintf(writing->functions.file, "static void program_%u(void)\n{\n%s}\n",
            (unsigned)body->program, text.text);
    free(text.text);
}

void fth_proxy_write_programs(const struct fth_proxy_parts *parts)
{
    struct fth_writing *writing = parts->writing;
    int64_t ranks = writing->rank_count;
    const char *self = writing->self;
    FILE *to = writing->functions.file;
    writing->programs = parts->program_count;
    if (!parts->program_count)
        return;
    fth_intern(&writing->used, FTH_WRITING_CHECK, strlen(FTH_WRITING_CHECK));
    for (uint32_t i = 1; i <= parts->program_count; i++)
        write_program(writing, &parts->programs[i]);
    writing->rank_count = ranks;
    writing->self = self;
    writing->body = NULL;
    fputs("\nstatic void program(int which)\n{\n    switch (which) {\n", to);
    for (uint32_t i = 1; i <= parts->program_count; i++)
        fprintf(to, "    case %u:\n        program_%u();\n        break;\n", (unsigned)i,
                (unsigned)i);
    fputs("    }\n}\n", to);
}

/* ---- what starts them ---- */

static const char becomes[] =
    "\n/* This program anew, for another one: without memory and streams of this one. */\n"
    "static void become_program(int which, long own)\n"
    "{\n"
    "    char words[2][24];\n"
    "    snprintf(words[0], sizeof words[0], \"%d\", which);\n"
    "    snprintf(words[1], sizeof words[1], \"%ld\", own);\n"
    "    execl(\"/proc/self/exe\", \"proxy\", \"--program\", words[0], words[1], NULL);\n"
    "    failed(\"execl\", __LINE__, strerror(errno));\n"
    "}\n";

static const char forks[] = "static void fork_program(pid_t *process, int which, long own)\n"
                            "{\n"
                            "    *process = fork();\n"
                            "    if (*process < 0)\n"
                            "        failed(\"fork\", __LINE__, strerror(errno));\n"
                            "    if (*process)\n"
                            "        return;\n";
static const char in_child[] = "    number = own;\n"
                               "    program(which);\n"
                               "    _exit(0);\n"
                               "}\n";

static const char spawns[] = "static void spawn_program(pid_t *process, int which, long own)\n"
                             "{\n"
                             "    *process = fork();\n"
                             "    if (*process < 0)\n"
                             "        failed(\"fork\", __LINE__, strerror(errno));\n"
                             "    if (!*process)\n"
                             "        become_program(which, own);\n"
                             "}\n";

static const char awaits[] =
    "static void await(pid_t process)\n"
    "{\n"
    "    int status;\n"
    "    if (waitpid(process, &status, 0) < 0 || status)\n"
    "        failed(\"waitpid\", __LINE__, \"a process that was started has not ended well\");\n"
    "}\n";

void fth_proxy_put_program_helpers(const struct fth_writing *writing, FILE *to)
{
    if (!writing->programs)
        return;
    fprintf(to,
            "\n/* %s of the run that others started: each has a number among those with the "
            "same\n * program. */\n"
            "static %slong number;\n"
            "static void program(int which);\n",
            writing->threads && !writing->slots ? "Threads" : "Processes",
            fth_proxy_of_thread(writing));
    if (writing->slots)
        fprintf(to, "static pid_t child[%u];\n", (unsigned)writing->slots);
    if (writing->needs & (FTH_NEEDS_BECOME | FTH_NEEDS_SPAWN))
        fputs(becomes, to);
    fth_proxy_put_thread_helpers(writing, to);
    if (writing->needs & FTH_NEEDS_FORK) {
        fputs(forks, to);
        fth_proxy_put_thread_reset(writing, to);
        fputs(in_child, to);
    }
    if (writing->needs & FTH_NEEDS_SPAWN)
        fputs(spawns, to);
    if (writing->needs & FTH_NEEDS_AWAIT)
        fputs(awaits, to);
}

void fth_proxy_put_program_begin(const struct fth_writing *writing, FILE *to)
{
    if (!writing->programs)
        return;
    if (writing->needs & (FTH_NEEDS_BECOME | FTH_NEEDS_SPAWN))
        fputs("    if (count == 4 && !strcmp(arguments[1], \"--program\")) {\n"
              "        number = atol(arguments[3]);\n"
              "        program(atoi(arguments[2]));\n"
              "        return 0;\n"
              "    }\n",
              to);
    if (writing->slots)
        fputs("    prctl(PR_SET_CHILD_SUBREAPER, 1); /* it ends after all of them */\n", to);
}

void fth_proxy_put_program_end(const struct fth_writing *writing, FILE *to)
{
    if (writing->slots)
        fputs("    while (wait(NULL) > 0)\n"
              "        continue;\n",
              to);
}
