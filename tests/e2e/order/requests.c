/* Scenes of messages in all modes, and of requests, however it is found out that they are complete.
 */
#include "scenes.h"

static MPI_Status status;

static int flag, count, indices[4], next, previous;

/* Rank 0 sends to rank 1 in this mode. */
static void mode(const char *scene,
                 int (*send)(const void *, int, MPI_Datatype, int, int, MPI_Comm))
{
    is(scene);
    if (rank == 1)
        MPI_Irecv(y, 1, MPI_INT, 0, 0, world, requests);
    if (strncmp(scene, "rsend", 5) == 0)
        MPI_Barrier(world), mark(scene, 'c');
    if (rank == 0)
        send(x, 1, MPI_INT, 1, 0, world);
    if (rank == 1)
        MPI_Wait(requests, MPI_STATUS_IGNORE);
}

static void started(const char *scene,
                    int (*send)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *))
{
    is(scene);
    if (rank == 0) {
        send(x, 1, MPI_INT, 1, 0, world, requests);
        mark(scene, 'm');
        MPI_Wait(requests, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Recv(y, 1, MPI_INT, 0, 0, world, MPI_STATUS_IGNORE);
    }
}

static void repeated(const char *scene, int (*init)(const void *, int, MPI_Datatype, int, int,
                                                    MPI_Comm, MPI_Request *))
{
    is(scene);
    if (rank == 0)
        init(x, 1, MPI_INT, 1, 0, world, requests);
    if (rank == 1)
        MPI_Recv_init(y, 1, MPI_INT, 0, 0, world, requests);
    mark(scene, 'm');
    if (rank < 2) {
        MPI_Startall(1, requests);
        MPI_Waitall(1, requests, MPI_STATUSES_IGNORE);
        MPI_Request_free(requests);
    }
}

static void modes(void)
{
    static char buffer[4096];
    MPI_Buffer_attach(buffer, sizeof buffer);
    mode("bsend", MPI_Bsend);
    mode("rsend", MPI_Rsend);
    started("ibsend", MPI_Ibsend);
    started("issend", MPI_Issend);
    repeated("bsend_init", MPI_Bsend_init);
    repeated("ssend_init", MPI_Ssend_init);
    is("sendrecv_replace");
    MPI_Sendrecv_replace(x, 1, MPI_INT, next, 5, previous, 5, world, MPI_STATUS_IGNORE);
    is("quiet");
    void *given;
    MPI_Buffer_detach(&given, &count);
}

/* All tell rank 0, which waits with `complete` until that has found `three` requests complete. */
static void completed(const char *scene, int (*complete)(void))
{
    is(scene);
    if (rank == 0) {
        for (int i = 1; i < 4; i++)
            MPI_Irecv(&y[i], 1, MPI_INT, MPI_ANY_SOURCE, 3, world, &requests[i - 1]);
        for (int done = 0; done < 3;)
            done += complete();
        mark(scene, 'm');
    } else {
        MPI_Send(x, 1, MPI_INT, 0, 3, world);
    }
}

static int test_any(void)
{
    int index;
    MPI_Testany(3, requests, &index, &flag, MPI_STATUS_IGNORE);
    return flag && index != MPI_UNDEFINED;
}

static int test_all(void)
{
    MPI_Testall(3, requests, &flag, MPI_STATUSES_IGNORE);
    return flag ? 3 : 0;
}

static int test_some(void)
{
    MPI_Testsome(3, requests, &count, indices, MPI_STATUSES_IGNORE);
    return count;
}

static int wait_some(void)
{
    MPI_Waitsome(3, requests, &count, indices, MPI_STATUSES_IGNORE);
    return count;
}

static void completions(void)
{
    completed("testany", test_any);
    completed("testall", test_all);
    completed("testsome", test_some);
    completed("waitsome", wait_some);
    is("get_status"); /* complete there, and given up behind it */
    if (rank == 0) {
        MPI_Irecv(y, 1, MPI_INT, 2, 0, world, requests);
        for (flag = 0; !flag;)
            MPI_Request_get_status(requests[0], &flag, MPI_STATUS_IGNORE);
        mark("get_status", 'm');
        MPI_Wait(requests, MPI_STATUS_IGNORE);
    }
    if (rank == 2)
        MPI_Send(x, 1, MPI_INT, 0, 0, world);
    is("free"); /* who gives a send up does not know when it is over */
    if (rank == 0) {
        MPI_Issend(x, 1, MPI_INT, 1, 0, world, requests);
        MPI_Request_free(requests);
    }
    if (rank == 1)
        MPI_Recv(y, 1, MPI_INT, 0, 0, world, MPI_STATUS_IGNORE);
    is("cancelled_send");
    if (rank == 0) {
        MPI_Recv_init(y, 1, MPI_INT, 1, 6, world, requests);
        MPI_Start(requests);
        MPI_Cancel(requests);
        MPI_Wait(requests, &status);
        MPI_Test_cancelled(&status, &flag);
        MPI_Start(requests);
        MPI_Wait(requests, MPI_STATUS_IGNORE);
        MPI_Request_free(requests);
    }
    if (rank == 1)
        sleep(1), MPI_Send(x, 1, MPI_INT, 0, 6, world);
}

static void probes(void)
{
    MPI_Message message;
    is("iprobe");
    if (rank == 3)
        MPI_Send(x, 1, MPI_INT, 1, 4, world);
    if (rank == 1) {
        for (flag = 0; !flag;)
            MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, world, &flag, MPI_STATUS_IGNORE);
        mark("iprobe", 'm');
        MPI_Recv(y, 1, MPI_INT, 3, 4, world, MPI_STATUS_IGNORE);
    }
    is("improbe");
    if (rank == 3)
        MPI_Ssend(x, 1, MPI_INT, 1, 4, world);
    if (rank == 1) {
        for (flag = 0; !flag;)
            MPI_Improbe(MPI_ANY_SOURCE, 4, world, &flag, &message, MPI_STATUS_IGNORE);
        mark("improbe", 'm');
        MPI_Imrecv(y, 1, MPI_INT, &message, requests);
        mark("improbe", 'n');
        MPI_Wait(requests, MPI_STATUS_IGNORE);
    }
}

static void play(void)
{
    next = (rank + 1) % 4;
    previous = (rank + 3) % 4;
    modes();
    completions();
    probes();
}
