/* The last request of each client. */
#include "fs/server/noted_requests.h"

#include "fs/protocol/fs_messages.h"

enum { KINDS = 3 };

static const uint8_t kinds[KINDS] = {FTH_MESSAGE_ATTACH, FTH_MESSAGE_TRUNCATE, FTH_MESSAGE_RESERVE};

struct fth_noted_last {
    uint64_t request;
    uint64_t answers[KINDS];
    bool is_done[KINDS];
};

static int place_of(uint8_t kind)
{
    int place = 0;
    while (place < KINDS - 1 && kinds[place] != kind)
        place++;
    return place;
}

static struct fth_noted_last *last_of(struct fth_noted_requests *requests, uint32_t client)
{
    requests->last.size = sizeof(struct fth_noted_last);
    return fth_keyed_get(&requests->last, &client, sizeof client);
}

enum fth_noted_state fth_noted_find(struct fth_noted_requests *requests, struct fth_noted *noted)
{
    const struct fth_asker *asker = &noted->asker;
    if (!asker->request || !fth_fs_message_is_noted(noted->kind))
        return FTH_NOTED_NOT;
    const struct fth_noted_last *last = last_of(requests, asker->client);
    int place = place_of(noted->kind);
    if (asker->request < last->request)
        return FTH_NOTED_OLD;
    if (asker->request > last->request || !last->is_done[place])
        return FTH_NOTED_NOT;
    noted->answer = last->answers[place];
    return FTH_NOTED_DONE;
}

void fth_noted_keep(struct fth_noted_requests *requests, const struct fth_noted *noted)
{
    struct fth_noted_last *last = last_of(requests, noted->asker.client);
    if (last->request != noted->asker.request)
        *last = (struct fth_noted_last){.request = noted->asker.request};
    last->answers[place_of(noted->kind)] = noted->answer;
    last->is_done[place_of(noted->kind)] = true;
}

void fth_noted_each(const struct fth_noted_requests *requests,
                    void (*take)(void *data, const struct fth_noted *noted), void *data)
{
    for (uint32_t i = 0; i < fth_keyed_count(&requests->last); i++) {
        const struct fth_noted_last *last = fth_keyed_item(&requests->last, i);
        struct fth_noted noted = {.asker.request = last->request};
        memcpy(&noted.asker.client, fth_keyed_key(&requests->last, i), sizeof noted.asker.client);
        for (int place = 0; place < KINDS; place++) {
            noted.kind = kinds[place];
            noted.answer = last->answers[place];
            if (last->is_done[place])
                take(data, &noted);
        }
    }
}

void fth_noted_free(struct fth_noted_requests *requests)
{
    fth_keyed_free(&requests->last);
}
