#include "workflow/tell/quoted_step.h"

#include "base/memory.h"

#include <string.h>

enum { MOST_OF_LINE = 60 /* characters of a command */ };

char *fth_workflow_quoted_step(const struct fth_workflow_facts *facts, uint32_t number)
{
    const char *command = facts->workflow->steps[number].command;
    bool cut = strlen(command) > MOST_OF_LINE;
    return fth_text_format("'%.*s%s' (step %u)", MOST_OF_LINE, command, cut ? "..." : "", number);
}
