/* Definitions of OTF2 archives: see the header. */
#ifdef FATHOM_OTF2
#include "import/otf2/archive_definitions.h"

#include "base/memory.h"

#include <fcntl.h>
#include <string.h>

/* ---- lists ---- */

void *fth_archive_find(const struct fth_archive_list *list, uint64_t number)
{
    uint32_t at;
    return list->numbers.count && fth_intern_find(&list->numbers, &number, sizeof number, &at)
               ? (char *)list->items + at * list->size
               : NULL;
}

/* Room for one with this number, zeroed where it is new. */
static void *add(struct fth_archive_list *list, uint64_t number, size_t size)
{
    uint32_t count = list->numbers.count, at;
    list->size = size;
    at = fth_intern(&list->numbers, &number, sizeof number);
    if (at == count && (count & (count - 1)) == 0)
        list->items = fth_resize(list->items, count ? (size_t)count * 2 : 1, size);
    if (at == count)
        memset((char *)list->items + at * size, 0, size);
    return (char *)list->items + at * size;
}

static void forget(struct fth_archive_list *list)
{
    fth_intern_free(&list->numbers);
    free(list->items);
    *list = (struct fth_archive_list){0};
}

void fth_archive_open(struct fth_archive *archive)
{
    *archive = (struct fth_archive){.resolution = 1000000000, .realtime = INT64_MIN};
}

void fth_archive_close(struct fth_archive *archive)
{
    struct fth_archive_list *lists[] = {&archive->strings,  &archive->regions,   &archive->nodes,
                                        &archive->groups,   &archive->locations, &archive->handles,
                                        &archive->files,    &archive->members,   &archive->comms,
                                        &archive->paradigms};
    for (uint32_t i = 0; i < fth_archive_count(&archive->strings); i++)
        free(((char **)archive->strings.items)[i]);
    for (uint32_t i = 0; i < fth_archive_count(&archive->members); i++)
        free(((struct fth_archive_members *)archive->members.items)[i].list);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        forget(lists[i]);
}

const char *fth_archive_text(const struct fth_archive *archive, uint32_t string)
{
    char **text = fth_archive_find(&archive->strings, string);
    return text ? *text : "";
}

/* ---- callbacks ---- */

static OTF2_CallbackCode take_clock(void *data, uint64_t resolution, uint64_t offset,
                                    uint64_t length, uint64_t realtime)
{
    struct fth_archive *archive = data;
    archive->resolution = resolution ? resolution : 1;
    archive->offset = offset;
    archive->length = length;
    if (realtime != OTF2_UNDEFINED_TIMESTAMP && realtime < (uint64_t)1 << 61)
        archive->realtime = (int64_t)realtime;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_string(void *data, OTF2_StringRef number, const char *text)
{
    struct fth_archive *archive = data;
    char **string = add(&archive->strings, number, sizeof *string);
    if (!*string) /* regions refer to it */
        *string = fth_text_copy(text ? text : "");
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_node(void *data, OTF2_SystemTreeNodeRef number, OTF2_StringRef name,
                                   OTF2_StringRef class, OTF2_SystemTreeNodeRef parent)
{
    struct fth_archive *archive = data;
    struct fth_archive_node *node = add(&archive->nodes, number, sizeof *node);
    (void)class;
    *node = (struct fth_archive_node){name, parent};
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_location_group(void *data, OTF2_LocationGroupRef number,
                                             OTF2_StringRef name, OTF2_LocationGroupType type,
                                             OTF2_SystemTreeNodeRef node,
                                             OTF2_LocationGroupRef creator)
{
    struct fth_archive *archive = data;
    struct fth_archive_group *group = add(&archive->groups, number, sizeof *group);
    (void)creator;
    *group = (struct fth_archive_group){name, node, type == OTF2_LOCATION_GROUP_TYPE_PROCESS};
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_location(void *data, OTF2_LocationRef number, OTF2_StringRef name,
                                       OTF2_LocationType type, uint64_t events,
                                       OTF2_LocationGroupRef group)
{
    struct fth_archive *archive = data;
    struct fth_archive_location *location = add(&archive->locations, number, sizeof *location);
    (void)events;
    *location =
        (struct fth_archive_location){number, name, group, type == OTF2_LOCATION_TYPE_CPU_THREAD};
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_region(void *data, OTF2_RegionRef number, OTF2_StringRef name,
                                     OTF2_StringRef canonical, OTF2_StringRef description,
                                     OTF2_RegionRole role, OTF2_Paradigm paradigm,
                                     OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t begin,
                                     uint32_t end)
{
    struct fth_archive *archive = data;
    struct fth_archive_region *region = add(&archive->regions, number, sizeof *region);
    (void)canonical;
    (void)description;
    (void)flags;
    (void)file;
    (void)begin;
    (void)end;
    region->name = (char *)fth_archive_text(archive, name);
    /* A function of the program may have the name of one of a library. */
    bool is_own = role == OTF2_REGION_ROLE_CODE || paradigm == OTF2_PARADIGM_USER ||
                  paradigm == OTF2_PARADIGM_COMPILER ||
                  paradigm == OTF2_PARADIGM_MEASUREMENT_SYSTEM;
    region->function =
        is_own ? UINT32_MAX : fth_imported_function(region->name, strlen(region->name));
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_group(void *data, OTF2_GroupRef number, OTF2_StringRef name,
                                    OTF2_GroupType type, OTF2_Paradigm paradigm,
                                    OTF2_GroupFlag flags, uint32_t count, const uint64_t *list)
{
    struct fth_archive *archive = data;
    struct fth_archive_members *members = add(&archive->members, number, sizeof *members);
    (void)name;
    (void)flags;
    free(members->list);
    *members = (struct fth_archive_members){
        .list = fth_new((size_t)count + 1, sizeof *list),
        .count = count,
        .are_locations = type == OTF2_GROUP_TYPE_COMM_LOCATIONS && paradigm == OTF2_PARADIGM_MPI};
    if (count)
        memcpy(members->list, list, count * sizeof *list);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_comm(void *data, OTF2_CommRef number, OTF2_StringRef name,
                                   OTF2_GroupRef group, OTF2_CommRef parent, OTF2_CommFlag flags)
{
    struct fth_archive *archive = data;
    struct fth_archive_comm *comm = add(&archive->comms, number, sizeof *comm);
    (void)parent;
    (void)flags;
    *comm = (struct fth_archive_comm){name, group};
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_file(void *data, OTF2_IoFileRef number, OTF2_StringRef name,
                                   OTF2_SystemTreeNodeRef scope)
{
    struct fth_archive *archive = data;
    struct fth_archive_file *file = add(&archive->files, number, sizeof *file);
    (void)scope;
    file->name = name;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_paradigm(void *data, OTF2_IoParadigmRef number,
                                       OTF2_StringRef identification, OTF2_StringRef name,
                                       OTF2_IoParadigmClass class, OTF2_IoParadigmFlag flags,
                                       uint8_t count, const OTF2_IoParadigmProperty *properties,
                                       const OTF2_Type *types, const OTF2_AttributeValue *values)
{
    struct fth_archive *archive = data;
    uint32_t *paradigm = add(&archive->paradigms, number, sizeof *paradigm);
    (void)name;
    (void)class;
    (void)flags;
    (void)count;
    (void)properties;
    (void)types;
    (void)values;
    *paradigm = identification;
    archive->has_io = true;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_handle(void *data, OTF2_IoHandleRef number, OTF2_StringRef name,
                                     OTF2_IoFileRef file, OTF2_IoParadigmRef paradigm,
                                     OTF2_IoHandleFlag flags, OTF2_CommRef comm,
                                     OTF2_IoHandleRef parent)
{
    struct fth_archive *archive = data;
    struct fth_archive_handle *handle = add(&archive->handles, number, sizeof *handle);
    (void)name;
    *handle =
        (struct fth_archive_handle){.file = file,
                                    .paradigm = paradigm,
                                    .parent = parent,
                                    .comm = comm,
                                    .is_there_before = flags & OTF2_IO_HANDLE_FLAG_PRE_CREATED,
                                    .flags = -1};
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_state(void *data, OTF2_IoHandleRef number, OTF2_IoAccessMode mode,
                                    OTF2_IoStatusFlag status)
{
    struct fth_archive_handle *handle =
        fth_archive_find(&((struct fth_archive *)data)->handles, number);
    if (handle)
        handle->flags = (mode == OTF2_IO_ACCESS_MODE_READ_ONLY    ? O_RDONLY
                         : mode == OTF2_IO_ACCESS_MODE_WRITE_ONLY ? O_WRONLY
                                                                  : O_RDWR) |
                        (status & OTF2_IO_STATUS_FLAG_APPEND ? O_APPEND : 0);
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_GlobalDefReaderCallbacks *fth_archive_callbacks(void)
{
    OTF2_GlobalDefReaderCallbacks *all = OTF2_GlobalDefReaderCallbacks_New();
    OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(all, take_clock);
    OTF2_GlobalDefReaderCallbacks_SetStringCallback(all, take_string);
    OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeCallback(all, take_node);
    OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(all, take_location_group);
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(all, take_location);
    OTF2_GlobalDefReaderCallbacks_SetRegionCallback(all, take_region);
    OTF2_GlobalDefReaderCallbacks_SetGroupCallback(all, take_group);
    OTF2_GlobalDefReaderCallbacks_SetCommCallback(all, take_comm);
    OTF2_GlobalDefReaderCallbacks_SetIoRegularFileCallback(all, take_file);
    OTF2_GlobalDefReaderCallbacks_SetIoDirectoryCallback(all, take_file);
    OTF2_GlobalDefReaderCallbacks_SetIoParadigmCallback(all, take_paradigm);
    OTF2_GlobalDefReaderCallbacks_SetIoHandleCallback(all, take_handle);
    OTF2_GlobalDefReaderCallbacks_SetIoPreCreatedHandleStateCallback(all, take_state);
    return all;
}

/* ---- what they mean ---- */

int64_t fth_archive_rank(const struct fth_archive *archive, uint64_t location, int64_t *size)
{
    const struct fth_archive_members *all = archive->members.items;
    for (uint32_t i = 0; i < fth_archive_count(&archive->members); i++)
        for (uint32_t rank = 0; all[i].are_locations && rank < all[i].count; rank++)
            if (all[i].list[rank] == location) {
                *size = all[i].count;
                return rank;
            }
    *size = -1;
    return -1;
}

int64_t fth_archive_time(const struct fth_archive *archive, OTF2_TimeStamp time)
{
    uint64_t ticks = time > archive->offset ? time - archive->offset : 0;
    unsigned __int128 ns = (unsigned __int128)ticks * 1000000000 / archive->resolution;
    int64_t since = ns >> 58 ? INT64_C(1) << 58 : (int64_t)ns;
    return since + (archive->realtime == INT64_MIN ? 1 : archive->realtime);
}
#endif
