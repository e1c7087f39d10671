/* All forms name what they tell, so one table of names is enough: "SubmitTime" of scontrol is
 * "Submit" of sacct and "qtime" of PBS. A form only says where names and values stand. */
#include "workflow/gather/job_facts.h"

#include "base/memory.h"
#include "base/text_file.h"
#include "workflow/gather/job_text.h"

#include <string.h>
#include <strings.h>

enum fact {
    F_NUMBER,
    F_ARRAY,
    F_TASK,
    F_NAME,
    F_STATE,
    F_SUBMIT,
    F_START,
    F_END,
    F_PROCESSORS,
    F_LIMIT,
    F_MEMORY,
    F_RESOURCES,
    F_USED_MEMORY,
    F_USED_TIME,
    F_NEEDS,
    F_LINE, /* of the submission, with its options */
    FACTS
};

/* Of Slurm (sacct, scontrol, jobcomp), PBS, LSF. */
static const struct name {
    const char *text;
    enum fact fact;
} names[] = {
    {"JobID", F_NUMBER},
    {"Job Id", F_NUMBER},
    {"ArrayJobId", F_ARRAY},
    {"ArrayTaskId", F_TASK},
    {"JobName", F_NAME},
    {"Name", F_NAME},
    {"Job_Name", F_NAME},
    {"JOB_NAME", F_NAME},
    {"State", F_STATE},
    {"JobState", F_STATE},
    {"job_state", F_STATE},
    {"STAT", F_STATE},
    {"Submit", F_SUBMIT},
    {"SubmitTime", F_SUBMIT},
    {"qtime", F_SUBMIT},
    {"SUBMIT_TIME", F_SUBMIT},
    {"Start", F_START},
    {"StartTime", F_START},
    {"stime", F_START},
    {"START_TIME", F_START},
    {"End", F_END},
    {"EndTime", F_END},
    {"obittime", F_END},
    {"comp_time", F_END},
    {"FINISH_TIME", F_END},
    {"AllocCPUS", F_PROCESSORS},
    {"NCPUS", F_PROCESSORS},
    {"ReqCPUS", F_PROCESSORS},
    {"NumCPUs", F_PROCESSORS},
    {"ProcCnt", F_PROCESSORS},
    {"Resource_List.ncpus", F_PROCESSORS},
    {"SLOTS", F_PROCESSORS},
    {"NALLOC_SLOT", F_PROCESSORS},
    {"Timelimit", F_LIMIT},
    {"Resource_List.walltime", F_LIMIT},
    {"RUNTIMELIMIT", F_LIMIT},
    {"ReqMem", F_MEMORY},
    {"Resource_List.mem", F_MEMORY},
    {"MEMLIMIT", F_MEMORY},
    {"TRES", F_RESOURCES},
    {"ReqTRES", F_RESOURCES},
    {"MaxRSS", F_USED_MEMORY},
    {"resources_used.mem", F_USED_MEMORY},
    {"MAX_MEM", F_USED_MEMORY},
    {"TotalCPU", F_USED_TIME},
    {"resources_used.cput", F_USED_TIME},
    {"Dependency", F_NEEDS},
    {"depend", F_NEEDS},
    {"SubmitLine", F_LINE},
};

enum form { FORM_UNKNOWN, FORM_TABLE, FORM_WORDS, FORM_BLOCKS };
enum { MOST_COLUMNS = 256 };

struct reading {
    struct fth_workflow *workflow;
    enum form form;
    char *values[FACTS];       /* of the job that is being read; NULL: not given */
    int columns[MOST_COLUMNS]; /* of a table: the fact of each; -1: another one */
    size_t column_count;
    int last; /* the fact that a line without a name goes on; -1: none */
    uint32_t found;
};

/* -1: it is of no use. */
static int fact_of(const char *name)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcasecmp(name, names[i].text))
            return (int)names[i].fact;
    return -1;
}

static void put(struct reading *reading, int fact, const char *value)
{
    if (fact < 0)
        return;
    free(reading->values[fact]);
    reading->values[fact] = fth_text_copy(value);
}

static void go_on(struct reading *reading, const char *between, const char *more)
{
    if (reading->last < 0 || !reading->values[reading->last])
        return;
    char *longer = fth_text_format("%s%s%s", reading->values[reading->last], between, more);
    put(reading, reading->last, longer);
    free(longer);
}

/* ---- from values to a job ---- */

static const char *given(const struct reading *reading, enum fact fact)
{
    const char *value = reading->values[fact];
    return value && !fth_job_text_is_empty(value) ? value : NULL;
}

/* Of those that still run, the end is a guess of the batch system. */
static bool is_over(const char *state)
{
    static const char *const open[] = {
        "PENDING", "RUNNING", "SUSPENDED", "CONFIGURING", "COMPLETING", "REQUEUED", "RESIZING",
        "Q",       "R",       "H",         "S",           "E",          "W",        "PEND",
        "RUN",     "PSUSP",   "USUSP",     "SSUSP",       "WAIT"};
    for (size_t i = 0; i < sizeof open / sizeof *open; i++)
        if (!strcmp(state, open[i]))
            return false;
    return *state;
}

static void take_text(char **to, const char *value)
{
    if (!value)
        return;
    free(*to);
    *to = fth_text_copy(value);
}

static void take_time(int64_t *to, const char *value)
{
    int64_t time = value ? fth_job_text_time(value) : INT64_MIN;
    if (time != INT64_MIN)
        *to = time;
}

/* The value of --dependency in a submission; to be freed. */
static char *needs_in_line(const char *line)
{
    const char *at = strstr(line, "--dependency");
    if (at) {
        at += strlen("--dependency");
    } else {
        at = strstr(line, " -d");
        at = at ? at + strlen(" -d") : "";
    }
    at += strspn(at, "= ");
    char *value = fth_text_format("%.*s", (int)strcspn(at, " "), at),
         *needs = fth_job_text_needs(value);
    free(value);
    return needs;
}

static void take_needs(struct reading *reading, struct fth_workflow_job *job)
{
    const char *text = given(reading, F_NEEDS), *line = given(reading, F_LINE);
    char *needs = text ? fth_job_text_needs(text) : line ? needs_in_line(line) : NULL;
    if (needs && *needs)
        take_text(&job->needs, needs);
    free(needs);
}

static void take_amounts(struct reading *reading, struct fth_workflow_job *job)
{
    const char *processors = given(reading, F_PROCESSORS), *limit = given(reading, F_LIMIT),
               *memory = given(reading, F_MEMORY), *resources = given(reading, F_RESOURCES),
               *used = given(reading, F_USED_MEMORY), *time = given(reading, F_USED_TIME);
    const char *part = resources ? strstr(resources, "mem=") : NULL;
    uint64_t count = processors ? strtoull(processors, NULL, 10) : 0;
    if (count && count <= UINT32_MAX)
        job->processors = count;
    if (limit)
        job->limit = fth_job_text_duration(limit);
    if (part)
        job->memory = fth_job_text_bytes(part + strlen("mem="), 0);
    else if (memory && fth_job_text_bytes(memory, job->processors))
        job->memory = fth_job_text_bytes(memory, job->processors);
    uint64_t most = used ? fth_job_text_bytes(used, 0) : 0;
    int64_t spent = time ? fth_job_text_duration(time) : 0;
    job->used_memory = most > job->used_memory ? most : job->used_memory;
    job->used_time = spent > job->used_time ? spent : job->used_time;
}

/* Rows "4711.batch" and "4711.0" of sacct are steps of Slurm: only what they used is of use. */
static bool is_part(const struct reading *reading, const char *number)
{
    return reading->form == FORM_TABLE && strchr(number, '.');
}

static char *number_of(const struct reading *reading)
{
    const char *array = given(reading, F_ARRAY), *task = given(reading, F_TASK),
               *number = reading->values[F_NUMBER];
    if (array && task && !task[strspn(task, "0123456789")])
        return fth_text_format("%s_%s", array, task);
    return fth_text_format(
        "%.*s", is_part(reading, number) ? (int)strcspn(number, ".") : (int)strlen(number), number);
}

/* What was read so far is a job, if it has a number. */
static void finish_job(struct reading *reading)
{
    if (given(reading, F_NUMBER)) {
        char *number = number_of(reading);
        /* A task of an array has a number of its own, too. */
        const char *own = given(reading, F_ARRAY) ? reading->values[F_NUMBER] : NULL;
        struct fth_workflow_job *job = fth_workflow_job(reading->workflow, number, own);
        const char *state = given(reading, F_STATE);
        bool part = is_part(reading, reading->values[F_NUMBER]), known = is_over(job->state);
        if (!part && (!known || (state && is_over(state)))) {
            take_text(&job->name, given(reading, F_NAME));
            take_text(&job->state, state);
            take_time(&job->submit, given(reading, F_SUBMIT));
            take_time(&job->start, given(reading, F_START));
            if (is_over(job->state))
                take_time(&job->end, given(reading, F_END));
        }
        if (!part)
            take_needs(reading, job);
        if (part) {
            put(reading, F_PROCESSORS, "");
            put(reading, F_LIMIT, "");
            put(reading, F_MEMORY, "");
            put(reading, F_RESOURCES, "");
        }
        take_amounts(reading, job);
        reading->found++;
        free(number);
    }
    for (size_t i = 0; i < FACTS; i++) {
        free(reading->values[i]);
        reading->values[i] = NULL;
    }
    reading->last = -1;
}

/* ---- forms ---- */

/* A line of names, then lines of values. */
static void read_row(struct reading *reading, char *line)
{
    bool is_head = !reading->column_count;
    size_t column = 0;
    for (char *value; (value = strsep(&line, "|")) && column < MOST_COLUMNS; column++) {
        if (is_head)
            reading->columns[column] = fact_of(value);
        else if (column < reading->column_count)
            put(reading, reading->columns[column], value);
    }
    if (is_head)
        reading->column_count = column;
    else
        finish_job(reading);
}

/* "JobId=1 JobName=my job": words without a name belong to the value before. */
static void read_words(struct reading *reading, char *line)
{
    for (char *word; (word = strsep(&line, " \t"));) {
        size_t length = strcspn(word, "=");
        if (!*word)
            continue;
        if (!word[length]) {
            go_on(reading, " ", word);
            continue;
        }
        word[length] = '\0';
        reading->last = fact_of(word);
        if (reading->last == F_NUMBER)
            finish_job(reading);
        reading->last = fact_of(word);
        put(reading, reading->last, word + length + 1);
    }
}

/* "Job Id: 1.server", then lines "    name = value"; a line that begins with a tab goes on. */
static void read_block(struct reading *reading, char *line)
{
    static const char head[] = "Job Id:";
    char *equals = strstr(line, " = ");
    if (!strncmp(line, head, sizeof head - 1)) {
        finish_job(reading);
        line += sizeof head - 1;
        put(reading, F_NUMBER, line + strspn(line, " "));
    } else if (*line == '\t') {
        go_on(reading, "", line + 1);
    } else if (equals) {
        *equals = '\0';
        reading->last = fact_of(line + strspn(line, " "));
        put(reading, reading->last, equals + 3);
    }
}

static enum form form_of(const char *line)
{
    return !strncmp(line, "Job Id:", 7)                     ? FORM_BLOCKS
           : !strncasecmp(line, "JobId=", 6)                ? FORM_WORDS
           : strcasestr(line, "JobID") && strchr(line, '|') ? FORM_TABLE
                                                            : FORM_UNKNOWN;
}

static void read_line(struct reading *reading, char *line)
{
    if (reading->form == FORM_UNKNOWN)
        reading->form = form_of(line);
    switch (reading->form) {
    case FORM_TABLE:
        read_row(reading, line);
        break;
    case FORM_WORDS:
        read_words(reading, line);
        break;
    case FORM_BLOCKS:
        read_block(reading, line);
        break;
    case FORM_UNKNOWN:
        break;
    }
}

int fth_workflow_add_jobs(struct fth_workflow *workflow, const char *path, struct fth_error **error)
{
    struct reading reading = {.workflow = workflow, .last = -1};
    FILE *file = fth_text_file(path, FTH_TEXT_MOST_BYTES, error);
    char *line = NULL;
    size_t room = 0;
    if (!file)
        return -1;
    for (ssize_t length; (length = getline(&line, &room, file)) >= 0;) {
        line[strcspn(line, "\r\n")] = '\0';
        read_line(&reading, line);
    }
    finish_job(&reading);
    free(line);
    fclose(file);
    if (!reading.found)
        return fth_fail(
            error,
            "there are no jobs in '%s': it may be what `sacct -P`, `scontrol show job`, "
            "`qstat -f` or `bjobs -o` print",
            path);
    return 0;
}
