/* Communicators, windows and files as the processes have them that are their members: how they were
 * made, of which groups, and who is a neighbour. Inner header of the order room. */
#ifndef FTH_ORDER_BUILD_MEMBERS_H
#define FTH_ORDER_BUILD_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FTH_NO_MEMBER UINT32_MAX
#define FTH_NO_GROUP UINT32_MAX

enum fth_creation_form {
    FTH_MAKES_SAME, /* a duplicate, a window, a file */
    FTH_MAKES_SPLIT,
    FTH_MAKES_SPLIT_TYPE,
    FTH_MAKES_OF_GROUP,
    FTH_MAKES_CART,
    FTH_MAKES_CART_SUB,
    FTH_MAKES_GRAPH,
    FTH_MAKES_MERGED,
    FTH_MAKES_INTER,
    FTH_MAKES_FROM_GROUP,  /* only those of the group call */
    FTH_MAKES_FROM_GROUPS, /* only those of both groups, which become two sides */
    FTH_MAKES_SPAWN,
    FTH_MAKES_ACCEPTED, /* of two sides that meet at a port */
    FTH_MAKES_CONNECTED,
    FTH_MAKES_JOINED, /* of two processes that have a socket in common */
    FTH_MAKES_UNKNOWN,
};

/* The creation of a communicator (window, file), in which also those take part who will not be in
 * it. */
struct fth_order_creation {
    uint32_t operation, made; /* made: FTH_NO_MEMBER for who is not in it */
    enum fth_creation_form form;
    int64_t colour,
        /* of a split; of a merge `high`; of an intercommunicator leader and remote leader; of a
         * graph its nodes; of a spawn when it began, and how many processes it asks for; of those
         * who meet when the call began, and ended */
        key;
    uint32_t node,
        /* group node, and of two sides the other one; or member of the peer communicator */
        other_node;
    int32_t tag;
    char *text; /* the tag, where that is a text, or at the root the name of the port; or NULL */
    bool reorders;
    bool met; /* the other calls that belong to it are known, where turns do not show that */
};

enum fth_member_origin {
    FTH_MEMBER_UNKNOWN,
    FTH_MEMBER_WORLD,
    FTH_MEMBER_SELF,
    FTH_MEMBER_PARENT,
    FTH_MEMBER_MADE
};

/* A list as a call gave it; whole: it is all of it. */
struct fth_order_list {
    int64_t *all;
    size_t count;
    bool whole;
};

/* What a graph is made of, as one process reports it. */
enum fth_graph_form {
    FTH_GRAPH_OF_SOURCES, /* `from`: those that it hears of */
    FTH_GRAPH_OF_EDGES,   /* `degrees`: how many edges go from each of `from`, to which `to` */
    FTH_GRAPH_OF_NODES,   /* `degrees`: where the neighbours of each node end in `to` */
};
struct fth_reported_graph {
    enum fth_graph_form form;
    struct fth_order_list from, degrees, to;
    struct fth_order_list asked; /* the sources as the library reported them: in its order */
};

/* Ranks that a member hears of in collectives with neighbours. */
struct fth_topology {
    bool known;
    struct fth_reported_graph
        *graph; /* or NULL; then what is here is found out by match_graphs.c: */
    int64_t *sources;
    size_t source_count;
    bool disordered;         /* which of them comes first is not known */
    int64_t *dims, *periods; /* of a Cartesian one */
    size_t dim_count;
    int64_t *remains; /* of a part of another Cartesian one: which of its dimensions remain */
    size_t remain_count;
};

/* A communicator, window or file as one process has it. */
struct fth_member {
    enum fth_member_origin origin;
    uint64_t handle;               /* its number; UINT64_MAX: it has none */
    char *name;                    /* or NULL */
    int64_t rank, size;            /* as MPI reported them, or -1 */
    uint32_t first, last;          /* its collective operations */
    uint32_t reached, exposed;     /* group nodes of the epochs of a window that are open, plus 1 */
    bool fenced;                   /* a fence has begun an epoch of it */
    bool hinted;                   /* it was given hints */
    bool given_up;                 /* freed, closed, or of no handle */
    struct fth_topology *topology; /* or NULL; duplicates have the same one */
    /* Found out by fth_match_groups: */
    uint32_t group, place;  /* FTH_NO_GROUP: it is not known */
    bool doubted, reported; /* it received what nobody knows; that it is not known was reported */
};

/* A group of MPI, as an expression over members. */
enum fth_node_form {
    FTH_NODE_UNKNOWN,
    FTH_NODE_MEMBERS,
    FTH_NODE_REMOTE,
    FTH_NODE_UNION,
    FTH_NODE_INTERSECTION,
    FTH_NODE_DIFFERENCE,
    FTH_NODE_INCL,
    FTH_NODE_EXCL,
    FTH_NODE_RANGE_INCL, /* ranks: first, last, stride, and so on */
    FTH_NODE_RANGE_EXCL,
    FTH_NODE_PSET, /* for the builder: one of the others, by its name */
};
struct fth_group_node {
    enum fth_node_form form;
    uint32_t one, other; /* a member, or nodes made before */
    int64_t *ranks;
    size_t rank_count;
};

#endif
