/* What a process or a thread does with another one, as a statement of C. */
#include "proxy/written_call.h"

#include <stdlib.h>

static void put_number(struct fth_written_call *call, uint32_t number)
{
    int64_t constant;
    bool is_constant;
    char *text = fth_proxy_write_number(call->writing, call->item, number, &constant, &is_constant);
    fputs(text, call->text.file);
    free(text);
}

static unsigned program_of(const struct fth_written_call *call)
{
    const struct fth_body *body = call->writing->body;
    size_t member = fth_proxy_first_written(call->writing);
    return (unsigned)fth_body_sequence(body, member)
        ->statements[call->item->number]
        .first[FTH_STEP_PROGRAM];
}

static void put_start(struct fth_written_call *call)
{
    const struct fth_form *form = call->form;
    FILE *to = call->text.file;
    call->writing->needs |= form->is_new_program ? FTH_NEEDS_SPAWN : FTH_NEEDS_FORK;
    fprintf(to, "%s(&child[", form->is_new_program ? "spawn_program" : "fork_program");
    put_number(call, FTH_STEP_SLOT);
    fprintf(to, "], %u, ", program_of(call));
    put_number(call, FTH_STEP_NUMBER);
    fputs(");", to);
}

void fth_proxy_put_step(struct fth_written_call *call)
{
    FILE *to = call->text.file;
    switch (call->form->step) {
    case FTH_RELATIVES_STARTS:
        put_start(call);
        return;
    case FTH_RELATIVES_AWAITS:
        call->writing->needs |= FTH_NEEDS_AWAIT;
        fputs("await(child[", to);
        put_number(call, FTH_STEP_SLOT);
        fputs("]);", to);
        return;
    case FTH_RELATIVES_BECOMES:
        call->writing->needs |= FTH_NEEDS_BECOME;
        fprintf(to, "become_program(%u, ", program_of(call));
        put_number(call, FTH_STEP_NUMBER);
        fputs(");", to);
        return;
    case FTH_THREADS_START:
        fputs("start_thread(", to);
        put_number(call, FTH_STEP_SLOT);
        fprintf(to, ", %u, ", program_of(call));
        put_number(call, FTH_STEP_NUMBER);
        fputs(");", to);
        return;
    case FTH_THREADS_JOIN:
        fputs("join_thread(", to);
        put_number(call, FTH_STEP_SLOT);
        fputs(");", to);
        return;
    case FTH_THREADS_PASS:
        call->writing->needs |= FTH_NEEDS_MARKS;
        fputs("pass();", to);
        return;
    case FTH_THREADS_WAIT:
        call->writing->needs |= FTH_NEEDS_MARKS;
        fputs("wait_until_passed(", to);
        put_number(call, FTH_STEP_SLOT);
        fputs(", ", to);
        put_number(call, FTH_STEP_NUMBER);
        fputs(");", to);
        return;
    case FTH_RELATIVES_NOTHING:
        return;
    }
}
