/* Programs and variables of launchers, and jobs of batch systems. */
#include "base/batch_systems.h"
#include "base/launchers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void programs_are_known(void **state)
{
    (void)state;
    static const char *const launchers[] = {"mpirun",
                                            "/usr/bin/mpiexec.hydra",
                                            "hydra_pmi_proxy",
                                            "/opt/slurm/sbin/slurmstepd",
                                            "hydra_bstrap_prox",
                                            "prted",
                                            "flux-broker",
                                            "jsrun"};
    static const char *const others[] = {"mpirunner", "run", "/home/mpirun/app",
                                         "srun.py",   "",    "/"};
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
        assert_true(fth_is_launcher(launchers[i]));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(fth_is_launcher(others[i]));
}

/* What /proc/PID/comm keeps of a name: 15 bytes. */
static void cut_names_are_known(void **state)
{
    (void)state;
    for (unsigned i = 0; i < fth_launcher_count; i++)
        for (const char *word = fth_launchers[i].programs; *word;) {
            char comm[16];
            size_t length = strcspn(word, " ");
            snprintf(comm, sizeof comm, "%.*s", (int)length, word);
            assert_true(fth_is_launcher(comm));
            word += length + strspn(word + length, " ");
        }
}

static void clear(void)
{
    for (unsigned i = 0; i < fth_launcher_count; i++)
        unsetenv(fth_launchers[i].rank);
}

static void ranks_are_read(void **state)
{
    (void)state;
    struct fth_launch launch;
    clear();
    assert_false(fth_launch_find(&launch));
    setenv("SLURM_PROCID", "8", 1);
    setenv("SLURM_STEP_NUM_TASKS", "10", 1);
    setenv("SLURM_STEP_TASKS_PER_NODE", "4(x2),2", 1);
    setenv("SLURM_NODEID", "2", 1);
    assert_true(fth_launch_find(&launch));
    assert_string_equal(launch.launcher->name, "Slurm");
    assert_int_equal(launch.rank, 8);
    assert_int_equal(launch.size, 10);
    assert_int_equal(launch.local_size, 2);
    setenv("SLURM_NODEID", "1", 1);
    assert_true(fth_launch_find(&launch));
    assert_int_equal(launch.local_size, 4);
    setenv("PMI_RANK", "1", 1); /* nearer to the program than srun */
    setenv("PMI_SIZE", "2", 1);
    assert_true(fth_launch_find(&launch));
    assert_string_equal(launch.launcher->name, "Hydra");
    assert_int_equal(launch.local_size, 0);
    clear();
}

static void no_numbers_are_no_ranks(void **state)
{
    (void)state;
    static const char *const ranks[] = {"", "-1", "2", "1x", "99999999999999999999", " 1"};
    struct fth_launch launch;
    clear();
    setenv("PMI_SIZE", "2", 1);
    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++) {
        setenv("PMI_RANK", ranks[i], 1);
        assert_false(fth_launch_find(&launch));
    }
    clear();
}

static const char *in_list(const void *context, const char *name)
{
    const char *const *at = context;
    for (; *at; at += 2)
        if (!strcmp(*at, name))
            return at[1];
    return NULL;
}

static void check(const char *const *variables, const char *system, const char *number,
                  const char *task)
{
    struct fth_batch_job job;
    assert_true(fth_batch_find(in_list, variables, &job));
    assert_string_equal(job.system, system);
    assert_string_equal(job.number, number);
    assert_int_equal(!job.task, !task);
    if (task)
        assert_string_equal(job.task, task);
}

static void jobs_are_found(void **state)
{
    (void)state;
    struct fth_batch_job job;
    assert_false(fth_batch_find(in_list, (const char *const[]){"HOME", "x", NULL}, &job));
    check((const char *const[]){"SLURM_JOB_ID", "79", NULL}, "Slurm", "79", NULL);
    check((const char *const[]){"SLURM_JOB_ID", "79", "SLURM_ARRAY_JOB_ID", "77",
                                "SLURM_ARRAY_TASK_ID", "0", NULL},
          "Slurm", "77", "0");
    check((const char *const[]){"PBS_JOBID", "12", "PBS_ARRAYID", "4", NULL}, "PBS", "12", "4");
    check((const char *const[]){"LSB_JOBID", "5", "LSB_JOBINDEX", "0", NULL}, "LSF", "5", NULL);
    check((const char *const[]){"JOB_ID", "6", "SGE_TASK_ID", "undefined", NULL}, "Grid Engine",
          "6", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_are_known), cmocka_unit_test(cut_names_are_known),
        cmocka_unit_test(ranks_are_read),     cmocka_unit_test(no_numbers_are_no_ranks),
        cmocka_unit_test(jobs_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
