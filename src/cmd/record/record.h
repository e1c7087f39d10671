/* What `fathom record` is asked for, and how that travels: to the tracer in the environment, to the
 * trace in its metadata. */
#ifndef FTH_CMD_RECORD_RECORD_H
#define FTH_CMD_RECORD_RECORD_H

#include "base/watch_rule.h"
#include "base/error.h"
#include "cmd/run/launch.h"

#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

enum { FTH_MOST_PREFIXES = 64 }; /* of --include and --exclude; the tracer keeps as many */

struct fth_prefixes {
    size_t count;
    char *items[FTH_MOST_PREFIXES]; /* absolute */
};

struct fth_record_options {
    char **command;                 /* ended by NULL */
    char *output;                   /* as given, what stands for something expanded; or NULL */
    const char *spill;              /* as given, or NULL */
    const char *layers, *functions; /* lists with commas, or NULL */
    const char *rank_from;          /* "RANK,SIZE": variables, or NULL */
    const char *python;             /* "1", patterns of functions that become regions, or NULL */
    char *regions;                  /* "1", rules for functions that become regions, or NULL */
    json_t *plugins;                /* of --with, see cmd/record/find_plugins.h */
    char *refused_plugins;          /* sentences about those of another build, or NULL */
    struct fth_prefixes included, excluded;
    size_t own_excluded; /* so many of `excluded` are from the command line, the others ours */
    bool program_files, lines, contents, cuda, tunable, keep_spill, quiet, json, force;
    int64_t min_bytes, min_duration; /* ns */
    int64_t budget;                  /* bytes that the spill may take on a node; 0: any */
    const char *select;              /* the rule of --select as given, or NULL */
    struct fth_watch_rule rule;      /* that rule */
    const char *asked_budget;        /* as given, or NULL */
    int64_t sample;                  /* ns between samples of the machine; 0: none */
    /* names of arguments that are secrets, or NULL: none is masked */
    const char *masked;
    char **kept;        /* the command as it is kept; NULL: as it is */
    const char *time;   /* as given, or NULL */
    int64_t resolution; /* ns: what it means */
};

/* Reads the command line; argp ends the program when it is wrong. */
void fth_record_parse(struct fth_record_options *options, int argc, char **argv);
void fth_record_free(struct fth_record_options *options);

/* The same for `fathom attach`; record.command is set by who knows what program it is. */
enum { FTH_MOST_PIDS = 4096 };
struct fth_attach_options {
    struct fth_record_options record;
    bool tree;
    size_t count;
    pid_t pids[FTH_MOST_PIDS];
};
void fth_attach_parse(struct fth_attach_options *options, int argc, char **argv);

/* NAME.fathom, after the command, or after what a launcher such as mpirun launches, or the script
 * that an interpreter runs; with the job of a batch system NAME.JOB.fathom or NAME.JOB_TASK.fathom.
 * To be freed (record_output.c). */
char *fth_record_default_output(char *const *command);
/* What was asked for as the name, with what stands for something in it (%j) replaced; to be freed.
 * NULL and *error. */
char *fth_record_expand_output(const char *asked, struct fth_error **error);
/* Is a trace that is there to be replaced? */
bool fth_record_replaces(const struct fth_record_options *options);
/* Merges (fth_run_merge) to a name that is free: where a trace is that is not to be replaced, or
 * another one is being made, a number is added to the output of the run and to the name that is
 * `shown`. */
struct fth_cmd_run;
struct fth_merge_report;
int fth_record_merge(struct fth_cmd_run *run, char **shown, bool replaces,
                     struct fth_merge_report *report, struct fth_error **error);
/* Says so if the trace has another name than the one that was asked for. */
void fth_record_say_name(const char *asked, const char *shown);

/* The command as it is kept, with --mask-arguments; it stays with the options. NULL: no memory. */
char **fth_record_kept_command(struct fth_record_options *options);

/* The environment that makes processes load the tracer and record into the spill folder of this
 * run. `apart` says which of several recordings this is, or is NULL. The settings are ended by a
 * NULL name; values are to be freed with fth_record_free_settings. */
enum { FTH_MOST_SETTINGS = 40 };
int fth_record_settings(const struct fth_record_options *options, const struct fth_cmd_run *run,
                        const char *apart, struct fth_setting settings[FTH_MOST_SETTINGS],
                        struct fth_error **error);
/* For a program that cannot load it: takes the tracer out of them. */
void fth_record_without_tracer(struct fth_setting *settings);
void fth_record_free_settings(struct fth_setting *settings);

/* The rules of a filter file on one line, to be freed; NULL and *error. */
char *fth_record_regions(const char *path, struct fth_error **error);

/* The path of the tracer's library. Returns 0, or -1 and *error. */
int fth_record_tracer(char path[PATH_MAX], struct fth_error **error);

/* Command, host, user, options, environment of MPI and the batch system ... as a JSON object. */
json_t *fth_record_meta(struct fth_record_options *options, const char *output);

/* What can be recorded, a line each, on standard output. */
void fth_record_list_layers(void);
/* Of a list of layers with commas between; NULL: of all. */
void fth_record_list_functions(const char *layers);

#endif
