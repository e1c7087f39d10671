/* The project file: see the header. Names of nodes become parts of file names, so they are checked
 * to stay in the folder. */
#ifdef FATHOM_EXPAT
#include "import/hdtrace/traced_project.h"

#include "base/memory.h"

#include <string.h>

enum place { OUTSIDE, INSIDE, TOPOLOGY, COMMUNICATORS, DATATYPES, STATISTICS };
enum { MOST_LEVELS = 16 };

struct reading {
    struct fth_traced_project *project;
    enum place place;
    uint32_t node;         /* the innermost that is open */
    uint32_t level;        /* so many are open */
    uint32_t communicator; /* text, plus 1; 0: none is open */
    uint32_t rank, thread; /* of datatypes: texts, plus 1 */
    bool has_world;
};

static uint32_t text_of(struct fth_traced_project *project, const char *text)
{
    return fth_intern(&project->texts, text, strlen(text));
}

char *fth_traced_project_text(const struct fth_traced_project *project, uint32_t text)
{
    size_t length;
    const char *start = (const char *)fth_interned(&project->texts, text, &length);
    return fth_text_part(start, length);
}

bool fth_traced_project_is(const struct fth_traced_project *project, uint32_t text,
                           const char *other)
{
    size_t length;
    const void *start = fth_interned(&project->texts, text, &length);
    return length == strlen(other) && memcmp(start, other, length) == 0;
}

/* ---- topology ---- */

static void begin_level(struct fth_project_xml *xml, const char **attributes)
{
    struct reading *reading = xml->data;
    struct fth_traced_project *project = reading->project;
    const char *type = fth_project_attribute(attributes, "type");
    if (!type || reading->node != FTH_PROJECT_NONE || project->level_count == MOST_LEVELS) {
        fth_project_refuse(xml, "a level of the topology without a type, or out of place");
        return;
    }
    project->levels = fth_reach(project->levels, &project->level_limit, project->level_count,
                                sizeof *project->levels);
    project->levels[project->level_count++] = text_of(project, type);
}

static void begin_node(struct fth_project_xml *xml, const char **attributes)
{
    struct reading *reading = xml->data;
    struct fth_traced_project *project = reading->project;
    const char *name = fth_project_attribute(attributes, "name");
    uint32_t level =
        reading->node == FTH_PROJECT_NONE ? 0 : project->nodes[reading->node].level + 1;
    if (!name || !*name || strchr(name, '/') || level == MOST_LEVELS) {
        fth_project_refuse(xml, "a node of the topology %s",
                           level == MOST_LEVELS ? "inside too many others"
                                                : "without a name that can be one of a file");
        return;
    }
    project->nodes = fth_reach(project->nodes, &project->node_limit, project->node_count,
                               sizeof *project->nodes);
    project->nodes[project->node_count] =
        (struct fth_project_node){reading->node, level, text_of(project, name)};
    reading->node = project->node_count++;
}

uint32_t fth_traced_project_at(const struct fth_traced_project *project, uint32_t node,
                               const char *type)
{
    while (node != FTH_PROJECT_NONE) {
        uint32_t level = project->nodes[node].level;
        if (level < project->level_count &&
            fth_traced_project_is(project, project->levels[level], type))
            break;
        node = project->nodes[node].parent;
    }
    return node;
}

static void put_names(const struct fth_traced_project *project, struct fth_bytes *path,
                      uint32_t node)
{
    size_t length;
    if (project->nodes[node].parent != FTH_PROJECT_NONE)
        put_names(project, path, project->nodes[node].parent);
    const void *name = fth_interned(&project->texts, project->nodes[node].name, &length);
    fth_bytes_put(path, "_", 1);
    fth_bytes_put(path, name, length);
}

char *fth_traced_project_file(const struct fth_traced_project *project, uint32_t node,
                              const char *end)
{
    struct fth_bytes path = {0};
    fth_bytes_put(&path, project->prefix, strlen(project->prefix));
    put_names(project, &path, node);
    fth_bytes_put(&path, end, strlen(end) + 1);
    return (char *)path.data;
}

int64_t fth_traced_project_rank(const struct fth_traced_project *project, uint32_t node)
{
    uint32_t at = fth_traced_project_at(project, node, "Rank");
    int64_t rank = -1;
    if (at == FTH_PROJECT_NONE)
        return -1;
    char *name = fth_traced_project_text(project, project->nodes[at].name);
    if (!fth_project_integer(name, &rank) || rank > INT32_MAX - 1)
        rank = -1;
    free(name);
    return rank < 0 ? -1 : rank;
}

/* ---- communicators ---- */

static void begin_communicator(struct fth_project_xml *xml, const char **attributes)
{
    struct reading *reading = xml->data;
    const char *name = fth_project_attribute(attributes, "name");
    bool is_world = name && (!strcmp(name, "WORLD") || !strcmp(name, "MPI_COMM_WORLD"));
    reading->communicator = 1 + text_of(reading->project, is_world ? "MPI_COMM_WORLD"
                                                          : name   ? name
                                                                   : "");
    reading->has_world = is_world;
    if (is_world)
        reading->project->world_size = 0;
}

static void begin_member(struct fth_project_xml *xml, const char **attributes)
{
    struct reading *reading = xml->data;
    const char *global = fth_project_attribute(attributes, "global"),
               *id = fth_project_attribute(attributes, "cid");
    int64_t key[2];
    if (!global || !id || !fth_project_integer(global, &key[0]) ||
        !fth_project_integer(id, &key[1])) {
        fth_project_refuse(xml, "a member of a communicator without its rank or id");
        return;
    }
    *(uint32_t *)fth_keyed_get(&reading->project->comms, key, sizeof key) = reading->communicator;
    if (reading->has_world && reading->project->world_size < INT32_MAX)
        reading->project->world_size++;
}

static char *name_in(struct fth_traced_project *project, struct fth_keyed *names, const void *key,
                     size_t length)
{
    uint32_t text;
    if (!fth_keyed_has(names, key, length))
        return NULL;
    text = *(uint32_t *)fth_keyed_get(names, key, length);
    return text ? fth_traced_project_text(project, text - 1) : NULL;
}

char *fth_traced_project_comm(struct fth_traced_project *project, uint32_t node, int64_t id)
{
    const int64_t key[] = {fth_traced_project_rank(project, node), id};
    return name_in(project, &project->comms, key, sizeof key);
}

/* ---- datatypes ---- */

static void begin_rank(struct fth_project_xml *xml, const char **attributes)
{
    struct reading *reading = xml->data;
    const char *name = fth_project_attribute(attributes, "name"),
               *thread = fth_project_attribute(attributes, "thread");
    if (!name)
        fth_project_refuse(xml, "datatypes of a rank without a name");
    else {
        reading->rank = 1 + text_of(reading->project, name);
        reading->thread = 1 + text_of(reading->project, thread ? thread : "0");
    }
}

/* Other constructors have no name. */
static void begin_type(struct fth_project_xml *xml, const char **attributes)
{
    struct reading *reading = xml->data;
    const char *name = fth_project_attribute(attributes, "name"),
               *id = fth_project_attribute(attributes, "id");
    int64_t key[3] = {reading->rank, reading->thread, 0};
    if (!name || !id || !fth_project_integer(id, &key[2]))
        fth_project_refuse(xml, "a named datatype without its name or id");
    else
        *(uint32_t *)fth_keyed_get(&reading->project->types, key, sizeof key) =
            1 + text_of(reading->project, name);
}

/* Datatypes are those of the first thread where its own are not listed. */
char *fth_traced_project_type(struct fth_traced_project *project, uint32_t node, int64_t id)
{
    uint32_t rank = fth_traced_project_at(project, node, "Rank"),
             thread = fth_traced_project_at(project, node, "Thread");
    if (rank == FTH_PROJECT_NONE)
        return NULL;
    int64_t key[3] = {1 + (int64_t)project->nodes[rank].name,
                      1 + (int64_t)(thread == FTH_PROJECT_NONE ? text_of(project, "0")
                                                               : project->nodes[thread].name),
                      id};
    char *name = name_in(project, &project->types, key, sizeof key);
    key[1] = 1 + (int64_t)text_of(project, "0");
    return name ? name : name_in(project, &project->types, key, sizeof key);
}

/* ---- elements ---- */

static const struct {
    const char *name;
    enum place place;
} sections[] = {{"Topology", TOPOLOGY},
                {"CommunicatorList", COMMUNICATORS},
                {"Datatypes", DATATYPES},
                {"ExternalStatistics", STATISTICS}};

static void begin_section(struct fth_project_xml *xml, const char *name)
{
    struct reading *reading = xml->data;
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (!strcmp(sections[i].name, name))
            reading->place = sections[i].place;
}

static void begin_root(struct fth_project_xml *xml, const char *name, const char **attributes)
{
    struct reading *reading = xml->data;
    const char *application = fth_project_attribute(attributes, "name");
    if (strcmp(name, "Application") != 0)
        fth_project_refuse(xml, "'%.40s' where 'Application' is expected", name);
    reading->project->application = text_of(reading->project, application ? application : "");
    reading->place = INSIDE;
}

static void add_group(struct fth_traced_project *project, const char *name)
{
    project->groups = fth_reach(project->groups, &project->group_limit, project->group_count,
                                sizeof *project->groups);
    project->groups[project->group_count++] = text_of(project, name);
}

static void begin(struct fth_project_xml *xml, const char *name, const char **attributes)
{
    struct reading *reading = xml->data;
    if (xml->depth == 1)
        begin_root(xml, name, attributes);
    else if (xml->depth == 2)
        begin_section(xml, name);
    else if (reading->place == TOPOLOGY && !strcmp(name, "Level"))
        begin_level(xml, attributes);
    else if (reading->place == TOPOLOGY && !strcmp(name, "Node"))
        begin_node(xml, attributes);
    else if (reading->place == COMMUNICATORS && !strcmp(name, "Communicator"))
        begin_communicator(xml, attributes);
    else if (reading->place == COMMUNICATORS && !strcmp(name, "Rank") && reading->communicator)
        begin_member(xml, attributes);
    else if (reading->place == DATATYPES && !strcmp(name, "Rank"))
        begin_rank(xml, attributes);
    else if (reading->place == DATATYPES && !strcmp(name, "NAMED") && reading->rank)
        begin_type(xml, attributes);
    else if (reading->place == STATISTICS && xml->depth == 3)
        add_group(reading->project, name);
}

static void end(struct fth_project_xml *xml, const char *name)
{
    struct reading *reading = xml->data;
    if (xml->depth == 1)
        reading->place = INSIDE;
    else if (reading->place == TOPOLOGY && !strcmp(name, "Node") &&
             reading->node != FTH_PROJECT_NONE)
        reading->node = reading->project->nodes[reading->node].parent;
    else if (reading->place == COMMUNICATORS && !strcmp(name, "Communicator"))
        reading->communicator = 0;
}

int fth_traced_project_read(struct fth_traced_project *project, const char *path,
                            struct fth_error **error)
{
    struct reading reading = {.project = project, .node = FTH_PROJECT_NONE};
    struct fth_project_xml xml = {
        .path = path, .data = &reading, .begin = begin, .end = end, .error = error};
    const char *point = strrchr(path, '.'), *slash = strrchr(path, '/');
    *project = (struct fth_traced_project){
        .comms = {.size = sizeof(uint32_t)}, .types = {.size = sizeof(uint32_t)}, .world_size = -1};
    bool has_end = point && (!slash || point > slash);
    project->prefix = fth_text_part(path, has_end ? (size_t)(point - path) : strlen(path));
    return fth_project_parse(&xml);
}

void fth_traced_project_free(struct fth_traced_project *project)
{
    fth_intern_free(&project->texts);
    fth_keyed_free(&project->comms);
    fth_keyed_free(&project->types);
    free(project->prefix);
    free(project->nodes);
    free(project->levels);
    free(project->groups);
}
#endif
