#include "workflow/tell/engines.h"

#include "base/settings.h"

const struct fth_workflow_engine fth_workflow_engines[] = {
    {"make", "GNU make", "/bin/sh",
     "# GNU make:  make SHELL=\"$PWD/fathom-sh\"\n",
     "GNU make 4.3"},
    {"shell", "scripts", "/bin/bash",
     "# A script:  ./fathom-sh pipeline.sh        (one trace of all its commands)\n"
     "# A step:    ./fathom-sh -c 'command'\n",
     "dash 0.5.12 and bash 5.2"},
    {"slurm", "Slurm", "/bin/bash",
     "# Slurm:  make this the first line of the job script, with the full path:\n"
     "#   #!/path/to/fathom-sh\n",
     "Slurm 22.05"},
    {"snakemake", "Snakemake", "/bin/bash",
     "# Snakemake:  this line at the top of the Snakefile, with the full path:\n"
     "#   shell.executable(\"/path/to/fathom-sh\")\n",
     "Snakemake 7.32"},
    {"dask", "Dask", "python3",
     "# Dask:  these lines before a LocalCluster or a Nanny is made, with the full path. Each worker\n"
     "# is a step. Its Python is the first python3 of PATH:\n"
     "#   import multiprocessing\n"
     "#   multiprocessing.set_executable(\"/path/to/fathom-sh\")\n",
     "distributed 2022.12"},
    {"nextflow", "Nextflow", "/bin/bash",
     "# Nextflow:  this line in nextflow.config, with the full path:\n"
     "#   process.shell = ['/path/to/fathom-sh', '-ue']\n",
     NULL},
    {"cromwell", "Cromwell", "/bin/bash",
     "# Cromwell:  this line in the configuration, with the full path:\n"
     "#   system.job-shell = \"/path/to/fathom-sh\"\n",
     NULL},
};
const size_t fth_workflow_engine_count = sizeof fth_workflow_engines / sizeof *fth_workflow_engines;

/* Between quotes of the shell: one in the text ends them, and begins them anew. */
static void put_shell_word(struct fth_sink *sink, const char *text)
{
    fth_sink_char(sink, '\'');
    for (; *text; text++) {
        if (*text == '\'')
            fth_sink_text(sink, "'\\''");
        else
            fth_sink_char(sink, *text);
    }
    fth_sink_char(sink, '\'');
}

/* clang-format off */
/* A step never fails because it cannot be recorded. */
static const char body[] =
    "\n"
    "# Profiles go to the folder " FTH_SETTING_LITERAL(STEPS) " if it is set, else to fathom-steps here;\n"
    "# `fathom workflow show FOLDER` shows them. " FTH_SETTING_LITERAL(KEEP_TRACES) "=yes keeps traces beside\n"
    "# profiles. In a step that is recorded already, this is only a shell.\n"
    "steps=${" FTH_SETTING_LITERAL(STEPS) ":-$PWD/fathom-steps}\n"
    "if [ -n \"${" FTH_SETTING_LITERAL(SPILL) "-}\" ] || ! mkdir -p \"$steps\" || ! [ -w \"$steps\" ] ||\n"
    "    ! [ -x \"$fathom\" ]; then\n"
    "    exec \"$shell\" \"$@\"\n"
    "fi\n"
    "step=$steps/$(hostname)-$(date +%s%N)-$$\n"
    "\"$fathom\" record --quiet -o \"$step.fathom\" -- \"$shell\" \"$@\"\n"
    "status=$?\n"
    "if [ -n \"${SLURM_JOB_ID-}\" ]; then\n"
    "    { scontrol -o show job \"$SLURM_JOB_ID\" &&\n"
    "        echo \"JobId=$SLURM_JOB_ID ArrayJobId=${SLURM_ARRAY_JOB_ID-}\" \\\n"
    "            \"ArrayTaskId=${SLURM_ARRAY_TASK_ID-}\" \\\n"
    "            \"Dependency=${SLURM_JOB_DEPENDENCY-}\"; } >\"$step.jobs\" 2>/dev/null || rm -f \"$step.jobs\"\n"
    "fi\n"
    "if \"$fathom\" workflow profile -o \"$step.json\" \"$step.fathom\" 2>\"$step.log\"; then\n"
    "    rm -f \"$step.log\"\n"
    "    [ \"${" FTH_SETTING_LITERAL(KEEP_TRACES) "-}\" = yes ] || rm -f \"$step.fathom\"\n"
    "fi\n"
    "exit $status\n";
/* clang-format on */

void fth_workflow_write_wrapper(const struct fth_workflow_engine *engine, const char *fathom,
                                struct fth_sink *sink)
{
    fth_sink_text(sink, "#!/bin/sh\n# Runs a shell, and records what it does as a step of a "
                        "workflow (fathom-workflow(1)).\n");
    fth_sink_text(sink, engine->use);
    if (!engine->tried)
        fth_sink_text(sink, "# This is as the documents of that program say; it was not tried.\n");
    fth_sink_text(sink, "fathom=");
    put_shell_word(sink, fathom);
    fth_sink_text(sink, "\nshell=");
    put_shell_word(sink, engine->shell);
    fth_sink_text(sink, body);
}
