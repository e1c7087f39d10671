/* `dump --ranges`: the datatypes of MPI that a call was given, and the view of its file, as a
 * graph: a type that is part of several others is listed once. */
#include "base/json.h"
#include "views/calls/dump_calls.h"

enum {
    MOST_PARAMETERS = 32,
    MOST_TYPES = 64,    /* of a call */
    MOST_NUMBERS = 256, /* of the arguments of a type, and of its parts */
    MOST_PIECES = 64,   /* of one element of a type */
};

/* The types of the call, each once, in the order in which they were found. */
struct graph {
    const struct fth_datatype *types[MOST_TYPES];
    size_t count;
};

/* Its place in the graph; -1: it is not known, or there are too many. */
static int place_of(const struct graph *graph, const struct fth_datatype *type)
{
    for (size_t i = 0; type && i < graph->count; i++)
        if (graph->types[i] == type)
            return (int)i;
    return -1;
}

static void add(struct graph *graph, const struct fth_datatype *type)
{
    if (type && place_of(graph, type) < 0 && graph->count < MOST_TYPES)
        graph->types[graph->count++] = type;
}

/* What they consist of, too. */
static void add_parts(struct graph *graph)
{
    for (size_t i = 0; i < graph->count; i++)
        for (size_t part = 0; part < graph->types[i]->part_count && part < MOST_NUMBERS; part++)
            add(graph, graph->types[i]->parts[part]);
}

static void put_place(struct fth_json *json, const struct graph *graph,
                      const struct fth_datatype *type)
{
    int place = place_of(graph, type);
    if (place < 0)
        fth_json_null(json);
    else
        fth_json_integer(json, place);
}

static void put_pieces(struct fth_json *json, const struct fth_datatype *type)
{
    struct fth_datatype_piece pieces[MOST_PIECES + 1];
    size_t count = fth_datatype_pieces(type, pieces, MOST_PIECES + 1);
    fth_json_key(json, "pieces");
    fth_json_begin_array(json);
    for (size_t i = 0; i < count && i < MOST_PIECES; i++) {
        fth_json_begin_array(json);
        fth_json_integer(json, pieces[i].at);
        fth_json_integer(json, pieces[i].length);
        fth_json_end_array(json);
    }
    fth_json_end_array(json);
    fth_json_key_boolean(json, "more_pieces", count > MOST_PIECES);
}

static void put_type(struct fth_json *json, const struct graph *graph,
                     const struct fth_datatype *type)
{
    fth_json_begin_object(json);
    fth_json_key_text(json, "name", type->name);
    fth_json_key(json, "numbers");
    fth_json_begin_array(json);
    for (size_t i = 0; i < type->integer_count && i < MOST_NUMBERS; i++)
        fth_json_integer(json, type->integers[i]);
    fth_json_end_array(json);
    fth_json_key(json, "parts");
    fth_json_begin_array(json);
    for (size_t i = 0; i < type->part_count && i < MOST_NUMBERS; i++)
        put_place(json, graph, type->parts[i]);
    fth_json_end_array(json);
    fth_json_key_boolean(json, "cut",
                         type->integer_count > MOST_NUMBERS || type->part_count > MOST_NUMBERS);
    fth_json_key_integer(json, "size", type->size);
    fth_json_key_integer(json, "lower_bound", type->lower_bound);
    fth_json_key_integer(json, "extent", type->extent);
    put_pieces(json, type);
    fth_json_end_object(json);
}

static void put_view(struct fth_json *json, const struct graph *graph,
                     const struct fth_file_view *view)
{
    fth_json_key(json, "view");
    fth_json_begin_object(json);
    fth_json_key_integer(json, "displacement", view->displacement);
    fth_json_key(json, "etype");
    put_place(json, graph, view->etype);
    fth_json_key(json, "filetype");
    put_place(json, graph, view->filetype);
    fth_json_end_object(json);
}

/* The types that the parameters of a call have; NULL: none. */
struct given {
    const struct fth_datatype *types[MOST_PARAMETERS];
    size_t count;
};

/* Which parameter has which type. */
static void put_parameters(struct fth_json *json, const struct graph *graph,
                           const struct given *given, const struct fth_function *function)
{
    fth_json_key(json, "types");
    fth_json_begin_object(json);
    for (size_t i = 0; i < given->count; i++) {
        int place = place_of(graph, given->types[i]);
        if (place >= 0)
            fth_json_key_integer(json, function->parameters[i].name, place);
    }
    fth_json_end_object(json);
}

void fth_views_dump_datatypes_json(struct fth_dump *dump)
{
    const struct fth_access *access = dump->access;
    const struct fth_function *function = access->call.function;
    struct graph graph = {.count = 0};
    struct given given = {.count = 0};
    struct fth_json json;
    for (size_t i = 0; i < function->parameter_count && i < MOST_PARAMETERS; i++) {
        given.types[given.count++] = fth_accesses_datatype(dump->accesses, (int)i);
        add(&graph, given.types[i]);
    }
    if (access->view) {
        add(&graph, access->view->etype);
        add(&graph, access->view->filetype);
    }
    if (!graph.count)
        return;
    add_parts(&graph);
    fth_json_open(&json, &dump->output->sink, 0);
    json.comma = true; /* within the object of the call */
    put_parameters(&json, &graph, &given, function);
    if (access->view)
        put_view(&json, &graph, access->view);
    fth_json_key(&json, "datatypes");
    fth_json_begin_array(&json);
    for (size_t i = 0; i < graph.count; i++)
        put_type(&json, &graph, graph.types[i]);
    fth_json_end_array(&json);
}
