/* Communicators of every origin, each with a barrier of its own that tells it by its place. Four
 * ranks. Each rank says which of them it was in: its size, and the world ranks of the members, that
 * come out of an allgather. */
#include <mpi.h>
#include <stdio.h>

static FILE *said;
static int world_rank;

/* "NAME OWN OTHERS MEMBER..." */
static void use(const char *name, MPI_Comm comm)
{
    int own, others = 0, inter, members[4];
    if (comm == MPI_COMM_NULL)
        return;
    MPI_Comm_test_inter(comm, &inter);
    MPI_Comm_size(comm, &own);
    if (inter)
        MPI_Comm_remote_size(comm, &others);
    MPI_Barrier(comm);
    MPI_Allgather(&world_rank, 1, MPI_INT, members, 1, MPI_INT, comm);
    fprintf(said, "%s %d %d", name, own, others);
    for (int i = 0; i < (inter ? others : own); i++)
        fprintf(said, " %d", members[i]);
    fprintf(said, "\n");
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    char name[32];
    snprintf(name, sizeof name, "said.%d", world_rank);
    said = fopen(name, "w");
    MPI_Comm split, node, created, group_made, inter, merged, copy, inter_copy, undefined;
    MPI_Group all, some, pair;
    MPI_Comm_split(MPI_COMM_WORLD, world_rank % 2, -world_rank, &split);
    use("split", split);
    MPI_Comm_split(MPI_COMM_WORLD, world_rank == 3 ? MPI_UNDEFINED : 0, 0, &undefined);
    use("undefined", undefined);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    use("split_type", node);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 3, (int[]){2, 0, 1}, &some);
    MPI_Comm_create(MPI_COMM_WORLD, some, &created);
    use("create", created);
    if (world_rank >= 2) {
        MPI_Group_incl(all, 2, (int[]){2, 3}, &pair);
        MPI_Comm_create_group(MPI_COMM_WORLD, pair, 7, &group_made);
        use("create_group", group_made);
        MPI_Comm_free(&group_made);
        MPI_Group_free(&pair);
    }
    MPI_Intercomm_create(split, 0, MPI_COMM_WORLD, world_rank % 2 ? 2 : 3, 5, &inter);
    use("intercomm_create", inter);
    MPI_Intercomm_merge(inter, world_rank % 2, &merged);
    use("merge", merged);
    MPI_Comm_dup(split, &copy);
    use("dup", copy);
    MPI_Comm_dup(inter, &inter_copy);
    use("inter_dup", inter_copy);
    MPI_Comm *made[] = {&split, &undefined, &node, &created, &inter, &merged, &copy, &inter_copy};
    for (unsigned i = 0; i < sizeof made / sizeof *made; i++)
        if (*made[i] != MPI_COMM_NULL)
            MPI_Comm_free(made[i]);
    fclose(said);
    MPI_Finalize();
    return 0;
}
