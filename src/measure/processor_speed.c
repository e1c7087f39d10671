/* The processors: how many there are, and how fast one is. The simulator counts an instruction per
 * cycle (Kunkel 2013, section 5.2.1), so what is measured is the clock at which the processor
 * really runs, by additions of which each needs the result of the one before. */
#include "measure/machine.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_PROCESSORS = 4096 };

static int64_t read_topology(uint32_t processor, const char *what)
{
    char path[128];
    long long number = -1;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/topology/%s", processor, what);
    FILE *file = fopen(path, "re");
    if (file && fscanf(file, "%lld", &number) != 1)
        number = -1;
    if (file)
        fclose(file);
    return number;
}

static bool is_new(int64_t (*seen)[2], uint32_t *count, int64_t socket, int64_t core)
{
    for (uint32_t i = 0; i < *count; i++)
        if (seen[i][0] == socket && seen[i][1] == core)
            return false;
    seen[*count][0] = socket;
    seen[(*count)++][1] = core;
    return true;
}

void fth_topology_read(struct fth_machine_topology *topology)
{
    static int64_t sockets[MOST_PROCESSORS][2], cores[MOST_PROCESSORS][2];
    uint32_t socket_count = 0, core_count = 0, threads = 0;
    for (uint32_t processor = 0; processor < MOST_PROCESSORS; processor++) {
        int64_t socket = read_topology(processor, "physical_package_id");
        int64_t core = read_topology(processor, "core_id");
        if (core < 0)
            continue;
        threads++;
        is_new(sockets, &socket_count, socket, 0);
        is_new(cores, &core_count, socket, core);
    }
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    if (!threads) {
        socket_count = 1;
        core_count = threads = online > 0 ? (uint32_t)online : 1;
    }
    *topology = (struct fth_machine_topology){socket_count, core_count / socket_count, threads};
}

uint32_t fth_topology_here(void)
{
    int processor = sched_getcpu();
    int64_t socket = processor < 0 ? -1 : read_topology((uint32_t)processor, "physical_package_id");
    return socket < 0 ? 0 : (uint32_t)socket;
}

/* The compiler must neither join additions nor know what they add. */
#define ADD                                                                                        \
    sum += step;                                                                                   \
    __asm__ volatile("" : "+r"(sum));
#define ADD_8 ADD ADD ADD ADD ADD ADD ADD ADD

static int add(struct fth_trial *trial, void *context, double *nanoseconds,
               struct fth_error **error)
{
    uint64_t sum = 0, step = (uint64_t)(uintptr_t)context | 1;
    (void)trial;
    (void)error;
    __asm__ volatile("" : "+r"(step));
    int64_t start = fth_measure_now();
    for (uint32_t i = 0; i < FTH_ADDITIONS / 32; i++) {
        ADD_8 ADD_8 ADD_8 ADD_8
    }
    *nanoseconds = (double)(fth_measure_now() - start);
    return 0;
}

void fth_measure_add_processor(struct fth_trials *trials)
{
    fth_trials_add(trials, "processor", "add", 0, add, 1);
}

void fth_fit_processor(struct fth_measured *measured)
{
    double time = fth_measured_time(measured, "processor", "add");
    const struct fth_machine_topology *topology = &measured->topology;
    fth_parameter_add(measured, "", "nodes", FTH_SIM_COUNT, measured->nodes, true,
                      measured->nodes > 1 ? "nodes with processes" : "this one");
    fth_parameter_add(measured, "", "sockets", FTH_SIM_COUNT, topology->sockets, true,
                      "of a node, from the kernel");
    fth_parameter_add(measured, "", "cores", FTH_SIM_COUNT, topology->cores, true,
                      "of a socket, from the kernel");
    fth_parameter_add(measured, "", "instructions", FTH_SIM_FREQUENCY, FTH_ADDITIONS / time * 1e9,
                      true,
                      "of a core, per second: additions that wait for each other, one per cycle");
    if (topology->threads > topology->sockets * topology->cores)
        fth_measured_say(
            measured,
            "the kernel sees %u processors in %u cores; the model counts cores, since threads "
            "of a core share it",
            topology->threads, topology->sockets * topology->cores);
}
