/* Connections that are made, and FIFOs that are opened. Who opens a FIFO for one direction waits
 * until somebody has opened it for the other one: if only one call may have done that by then, it
 * comes before. Which connection a call accepts is seen only if bytes go through it, so that may be
 * any that somebody began before. */
#include "order/match/match.h"

#include <stdio.h>
#include <string.h>

struct contact {
    const struct fth_order_contact *contact;
    uint32_t proc;
};

/* Does the one wait until somebody has done the other one? */
static bool waits_for(const struct fth_order_contact *one, const struct fth_order_contact *other)
{
    if (!one->waits || !one->name != !other->name ||
        (one->name && strcmp(one->name, other->name) != 0))
        return false;
    return (one->kind == FTH_CONTACT_ACCEPT && other->kind == FTH_CONTACT_CONNECT) ||
           (one->kind == FTH_CONTACT_CONNECT && other->kind == FTH_CONTACT_LISTEN) ||
           (one->kind == FTH_CONTACT_READER &&
            (other->kind == FTH_CONTACT_WRITER || other->kind == FTH_CONTACT_BOTH)) ||
           (one->kind == FTH_CONTACT_WRITER &&
            (other->kind == FTH_CONTACT_READER || other->kind == FTH_CONTACT_BOTH));
}

static struct fth_order_operation operation_of(const struct fth_matching *matching, uint32_t proc,
                                               const struct fth_order_contact *contact)
{
    return fth_order_operation(&matching->processes[proc], contact->operation);
}

/* The one call that may have made this one return; contact NULL: none, or any of several. */
static struct contact partner_of(const struct fth_matching *matching, uint32_t proc,
                                 const struct fth_order_contact *contact, bool *any)
{
    struct contact found = {NULL, 0};
    *any = false;
    bool unseen = false; /* somebody who may have done it */
    for (uint32_t i = 0; i < matching->process_count; i++) {
        const struct fth_order_operations *process = &matching->processes[i];
        unseen |= process->has_unseen;
        for (size_t k = 0; k < process->contact_count; k++) {
            if (process->contacts[k].start > contact->end ||
                !waits_for(contact, &process->contacts[k]))
                continue;
            found = (struct contact){*any ? NULL : &process->contacts[k], i};
            *any = true;
        }
    }
    if (unseen || found.proc == proc)
        found.contact = NULL;
    return found;
}

static void put_means(char *to, size_t size, const struct fth_order_contact *waiting,
                      enum fth_contact_kind other)
{
    if (waiting->name)
        snprintf(to, size, "the opening of %.200s to %s", waiting->name,
                 other == FTH_CONTACT_READER ? "read" : "write");
    else
        snprintf(to, size, "%s",
                 other == FTH_CONTACT_LISTEN ? "a socket that listens"
                                             : "a connection that is made");
}

static void leave(struct fth_matching *matching, const char *means, uint32_t proc,
                  const struct fth_order_contact *contact, bool releases)
{
    fth_match_unfollowed(matching, means,
                         (struct fth_unfollowed){.proc = proc,
                                                 .operation = contact->operation,
                                                 .start = contact->start,
                                                 .end = contact->end,
                                                 .releases = releases,
                                                 .acquires = !releases});
}

/* What others may wait for, whoever they are. */
static void release(struct fth_matching *matching, uint32_t proc,
                    const struct fth_order_contact *contact)
{
    char means[256];
    bool both = contact->kind == FTH_CONTACT_BOTH;
    if (contact->kind == FTH_CONTACT_ACCEPT)
        return;
    put_means(means, sizeof means, contact, both ? FTH_CONTACT_READER : contact->kind);
    leave(matching, means, proc, contact, true);
    if (!both)
        return;
    put_means(means, sizeof means, contact, FTH_CONTACT_WRITER);
    leave(matching, means, proc, contact, true);
}

static void acquire(struct fth_matching *matching, uint32_t proc,
                    const struct fth_order_contact *contact)
{
    static const enum fth_contact_kind others[] = {
        [FTH_CONTACT_CONNECT] = FTH_CONTACT_LISTEN,
        [FTH_CONTACT_ACCEPT] = FTH_CONTACT_CONNECT,
        [FTH_CONTACT_READER] = FTH_CONTACT_WRITER,
        [FTH_CONTACT_WRITER] = FTH_CONTACT_READER,
    };
    char means[256];
    put_means(means, sizeof means, contact, others[contact->kind]);
    leave(matching, means, proc, contact, false);
}

void fth_match_contacts(struct fth_matching *matching)
{
    for (uint32_t i = 0; i < matching->process_count; i++) {
        const struct fth_order_operations *process = &matching->processes[i];
        for (size_t k = 0; k < process->contact_count; k++) {
            const struct fth_order_contact *contact = &process->contacts[k];
            bool any = false;
            struct contact partner = {NULL, 0};
            if (contact->name && contact->waits)
                partner = partner_of(matching, i, contact, &any);
            if (partner.contact)
                fth_clocks_edge(matching->clocks,
                                operation_of(matching, partner.proc, partner.contact).begin,
                                operation_of(matching, i, contact).end);
            release(matching, i, contact);
            if (contact->waits && !partner.contact)
                acquire(matching, i, contact);
        }
    }
}
