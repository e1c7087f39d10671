/* Lists of tasks: see the header. */
#include "sim/io/task.h"

#include <stddef.h>

struct fth_sim_task *fth_sim_tasks_take(struct fth_sim_tasks *tasks)
{
    struct fth_sim_task *task = tasks->first;
    tasks->first = task->next;
    tasks->count--;
    return task;
}

void fth_sim_tasks_append(struct fth_sim_tasks *tasks, struct fth_sim_task *task)
{
    task->next = NULL;
    if (tasks->count++)
        tasks->last->next = task;
    else
        tasks->first = task;
    tasks->last = task;
}

int fth_sim_tasks_by_place(const void *one, const void *other)
{
    const struct fth_sim_task *a = *(struct fth_sim_task *const *)one;
    const struct fth_sim_task *b = *(struct fth_sim_task *const *)other;
    if (a->file != b->file)
        return a->file < b->file ? -1 : 1;
    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}
