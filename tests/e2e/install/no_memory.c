/* More processes than there is memory for: an error, and the program goes on. */
#include <fathom/sim.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    struct fth_error *error = NULL;
    struct fth_cluster *cluster = fth_cluster_open(argc == 2 ? argv[1] : "", NULL, &error);
    struct fth_program *program = fth_program_parse("processes 4000000\nbarrier\n", 0, NULL);
    struct fth_simulation *simulation =
        cluster && program ? fth_simulate(cluster, program, NULL, &error) : NULL;
    puts(error ? fth_error_text(error) : simulation ? "simulated" : "nothing");
    fth_error_free(error);
    fth_simulation_free(simulation);
    fth_program_free(program);
    fth_cluster_free(cluster);
    return 0;
}
