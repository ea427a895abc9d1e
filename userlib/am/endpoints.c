/* SPDX-License-Identifier: MIT */
/* Bundles, endpoints and what belongs to one: tag, segment, destinations, handlers. */
#include "interface/library_messages.h"
#include "interface/senders.h"
#include "userlib/am/carrier.h"
#include "userlib/am/layer.h"
#include "userlib/nx/failure.h"
#include "userlib/nx/this_process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { first_entries = 256, usual_requests = 16 };

struct nx_am nx_am;
struct nx_am_running *nx_am_runs = nx_am.running;
ep_t nx_am_polled_for = NX_AM_NOBODY;

int nx_am_refuse(const char *call, int error, const char *sentence)
{
    char line[320];
    snprintf(line, sizeof line, "parley: %s: %s: %s\n", nx_own_name().text, call, sentence);
    fflush(stdout);
    if (write(STDERR_FILENO, line, strlen(line)) < 0)
        return error;
    return error;
}

static int check_ready(const char *call)
{
    return nx_am.is_ready ? AM_OK : nx_am_refuse(call, AM_ERR_NOT_INIT, "AM_Init has not been called");
}

int nx_am_check_bundle(const char *call, eb_t bundle)
{
    if (check_ready(call))
        return AM_ERR_NOT_INIT;
    if (nx_am_is_bundle(bundle))
        return AM_OK;
    return nx_am_refuse(call, AM_ERR_BAD_ARG, "there is no such bundle");
}

int nx_am_check_endpoint(const char *call, ep_t endpoint)
{
    if (check_ready(call))
        return AM_ERR_NOT_INIT;
    if (nx_am_is_endpoint(endpoint))
        return AM_OK;
    return nx_am_refuse(call, AM_ERR_BAD_ARG, "there is no such endpoint");
}

/* The first thing that is wrong with a call about an endpoint. */
#define CHECK_ENDPOINT(call, endpoint)                              \
    do {                                                            \
        const int checked = nx_am_check_endpoint((call), endpoint); \
        if (checked)                                                \
            return checked;                                         \
    } while (0)
#define CHECK_BUNDLE(call, bundle)                              \
    do {                                                        \
        const int checked = nx_am_check_bundle((call), bundle); \
        if (checked)                                            \
            return checked;                                     \
    } while (0)
#define CHECK_POINTER(call, pointer) \
    if (!(pointer))                  \
    return nx_am_refuse((call), AM_ERR_BAD_ARG, "there is nowhere to write the answer: the pointer is null")

/* Which packets the polls of a bundle take. What comes for no endpoint is seen by whoever polls. */
static void choose_types(void)
{
    unsigned taken = 0;
    for (int i = 0; i < nx_am_most_endpoints; i++)
        taken |= nx_am.bundles[i].endpoints;
    const unsigned free_places = ~taken & ((1u << nx_am_most_endpoints) - 1);
    for (int i = 0; i < nx_am_most_endpoints; i++) {
        eb_t bundle = &nx_am.bundles[i];
        bundle->types = nx_am_types(bundle->endpoints | free_places, 0);
        bundle->reply_types = nx_am_types(bundle->endpoints | free_places, 1);
        if (!nx_am_is_endpoint(bundle->requester) || bundle->requester->bundle != bundle)
            bundle->requester =
                bundle->endpoints ? &nx_am.endpoints[__builtin_ctz(bundle->endpoints)] : nx_am_nobody();
    }
    nx_am_polled_for = nx_am_nobody();
}

int AM_Init(void)
{
    static int is_registered;
    if (!is_registered && atexit(nx_am_close))
        return nx_am_refuse("AM_Init", AM_ERR_RESOURCE, "the C library takes no more functions for the exit");
    is_registered = 1;
    nx_am_open();
    nx_am.is_ready = 1;
    return AM_OK;
}

int AM_Terminate(void)
{
    if (check_ready("AM_Terminate"))
        return AM_ERR_NOT_INIT;
    if (nx_am_depth())
        return nx_am_refuse("AM_Terminate", AM_ERR_RESOURCE, "a handler may not end the layer");
    for (int i = 0; i < nx_am_most_endpoints; i++)
        if (nx_am.bundles[i].self)
            AM_FreeBundle(&nx_am.bundles[i]);
    nx_am.is_ready = 0;
    return AM_OK;
}

int AM_AllocateBundle(int kind, eb_t *bundle)
{
    static const char call[] = "AM_AllocateBundle";
    if (check_ready(call))
        return AM_ERR_NOT_INIT;
    CHECK_POINTER(call, bundle);
    if (kind == AM_PAR)
        return nx_am_refuse(call, AM_ERR_RESOURCE,
                            "AM_PAR: threads of a program cannot share a bundle here; take AM_SEQ");
    if (kind != AM_SEQ)
        return nx_am_refuse(call, AM_ERR_BAD_ARG, "a bundle is AM_SEQ or AM_PAR");
    for (int i = 0; i < nx_am_most_endpoints; i++)
        if (!nx_am.bundles[i].self) {
            nx_am.bundles[i] = (struct am_bundle){.self = &nx_am.bundles[i], .mask = AM_NOEVENTS};
            *bundle = &nx_am.bundles[i];
            choose_types();
            return AM_OK;
        }
    return nx_am_refuse(call, AM_ERR_RESOURCE, "a process has at most 15 bundles");
}

int AM_AllocateEndpoint(eb_t bundle, ep_t *endpoint, en_t *name)
{
    static const char call[] = "AM_AllocateEndpoint";
    CHECK_BUNDLE(call, bundle);
    CHECK_POINTER(call, endpoint);
    CHECK_POINTER(call, name);
    for (int i = 0; i < nx_am_most_endpoints; i++) {
        ep_t place = &nx_am.endpoints[i];
        if (place->bundle)
            continue;
        struct nx_am_entry *entries = calloc(first_entries, sizeof *entries);
        if (!entries)
            return nx_am_refuse(call, AM_ERR_RESOURCE, "there is no memory for the table of destinations");
        *place = (struct am_endpoint){.self = place,
                                      .bundle = bundle,
                                      .life = (uint8_t)(place->life + 1),
                                      .tag = AM_NONE,
                                      .entries = entries,
                                      .entry_count = first_entries,
                                      .requests_left = usual_requests,
                                      .most_requests = usual_requests,
                                      .source = nx_am_rest(0, 0, 0, 0, i)};
        place->handlers[0] = (am_function)nx_am_end_program;
        bundle->endpoints |= 1u << i;
        choose_types();
        *endpoint = place;
        *name = (en_t){nx_process.node, nx_process.pid, i};
        return AM_OK;
    }
    return nx_am_refuse(call, AM_ERR_RESOURCE, "a process has at most 15 endpoints");
}

int AM_FreeEndpoint(ep_t endpoint)
{
    static const char call[] = "AM_FreeEndpoint";
    CHECK_ENDPOINT(call, endpoint);
    if (nx_am_depth())
        return nx_am_refuse(call, AM_ERR_IN_USE, "a handler may not free endpoints");
    free(endpoint->entries);
    endpoint->bundle->endpoints &= ~(1u << nx_am_number(endpoint));
    *endpoint = (struct am_endpoint){.bundle = 0, .life = endpoint->life};
    choose_types();
    return AM_OK;
}

int AM_FreeBundle(eb_t bundle)
{
    static const char call[] = "AM_FreeBundle";
    CHECK_BUNDLE(call, bundle);
    if (nx_am_depth())
        return nx_am_refuse(call, AM_ERR_IN_USE, "a handler may not free bundles");
    for (int i = 0; i < nx_am_most_endpoints; i++)
        if (nx_am.endpoints[i].bundle == bundle)
            AM_FreeEndpoint(&nx_am.endpoints[i]);
    bundle->self = 0;
    nx_am.polled = nx_am_no_bundle();
    return AM_OK;
}

int AM_MoveEndpoint(ep_t endpoint, eb_t from, eb_t to)
{
    static const char call[] = "AM_MoveEndpoint";
    CHECK_ENDPOINT(call, endpoint);
    CHECK_BUNDLE(call, from);
    CHECK_BUNDLE(call, to);
    if (endpoint->bundle != from)
        return nx_am_refuse(call, AM_ERR_BAD_ARG, "the endpoint is in another bundle");
    from->endpoints &= ~(1u << nx_am_number(endpoint));
    to->endpoints |= 1u << nx_am_number(endpoint);
    endpoint->bundle = to;
    choose_types();
    return AM_OK;
}

int AM_SetTag(ep_t endpoint, tag_t tag)
{
    CHECK_ENDPOINT("AM_SetTag", endpoint);
    endpoint->tag = tag;
    return AM_OK;
}

int AM_GetTag(ep_t endpoint, tag_t *tag)
{
    CHECK_ENDPOINT("AM_GetTag", endpoint);
    CHECK_POINTER("AM_GetTag", tag);
    *tag = endpoint->tag;
    return AM_OK;
}

int AM_MaxSegLength(uintptr_t *bytes)
{
    CHECK_POINTER("AM_MaxSegLength", bytes);
    *bytes = UINTPTR_MAX;
    return AM_OK;
}

int AM_SetSeg(ep_t endpoint, void *address, uintptr_t bytes)
{
    CHECK_ENDPOINT("AM_SetSeg", endpoint);
    endpoint->segment = address;
    endpoint->segment_bytes = address ? bytes : 0;
    return AM_OK;
}

int AM_GetSeg(ep_t endpoint, void **address, uintptr_t *bytes)
{
    CHECK_ENDPOINT("AM_GetSeg", endpoint);
    CHECK_POINTER("AM_GetSeg", address);
    CHECK_POINTER("AM_GetSeg", bytes);
    *address = endpoint->segment;
    *bytes = endpoint->segment_bytes;
    return AM_OK;
}

static int is_entry(ep_t endpoint, int entry)
{
    return entry >= 0 && entry < endpoint->entry_count;
}

static const char no_entry[] = "the table of destinations has no such entry";

static int is_name(const en_t *name)
{
    return name->node >= 0 && name->node <= nx_process.nodes && name->pid >= 0 && name->endpoint >= 0 &&
           name->endpoint < nx_am_most_endpoints;
}

int AM_Map(ep_t endpoint, int entry, en_t name, tag_t tag)
{
    static const char call[] = "AM_Map";
    CHECK_ENDPOINT(call, endpoint);
    if (!is_entry(endpoint, entry))
        return nx_am_refuse(call, AM_ERR_BAD_ARG, no_entry);
    if (!is_name(&name))
        return nx_am_refuse(call, AM_ERR_BAD_ARG, "that is no name that AM_AllocateEndpoint has given");
    if (endpoint->entries[entry].is_mapped)
        return nx_am_refuse(call, AM_ERR_IN_USE, "the entry is mapped; AM_UnMap makes it free");
    endpoint->entries[entry] = (struct nx_am_entry){
        .is_mapped = 1,
        .name = name,
        .tag = tag,
        .rest = nx_am_rest(entry, 0, endpoint->life, 0, nx_am_number(endpoint)),
        .type = nx_am_type(name.endpoint, 0),
    };
    return AM_OK;
}

int AM_MapAny(ep_t endpoint, int *entry, en_t name, tag_t tag)
{
    static const char call[] = "AM_MapAny";
    CHECK_ENDPOINT(call, endpoint);
    CHECK_POINTER(call, entry);
    for (int i = 0; i < endpoint->entry_count; i++)
        if (!endpoint->entries[i].is_mapped) {
            const int mapped = AM_Map(endpoint, i, name, tag);
            if (mapped == AM_OK)
                *entry = i;
            return mapped;
        }
    return nx_am_refuse(call, AM_ERR_RESOURCE, "all entries are mapped");
}

static int check_mapped(const char *call, ep_t endpoint, int entry)
{
    CHECK_ENDPOINT(call, endpoint);
    if (!is_entry(endpoint, entry) || !endpoint->entries[entry].is_mapped)
        return nx_am_refuse(call, AM_ERR_BAD_ARG, "no destination is mapped there");
    return AM_OK;
}

int AM_UnMap(ep_t endpoint, int entry)
{
    const int checked = check_mapped("AM_UnMap", endpoint, entry);
    if (checked == AM_OK)
        endpoint->entries[entry] = (struct nx_am_entry){.is_mapped = 0};
    return checked;
}

int AM_GetTranslationInuse(ep_t endpoint, int entry)
{
    CHECK_ENDPOINT("AM_GetTranslationInuse", endpoint);
    if (!is_entry(endpoint, entry))
        return nx_am_refuse("AM_GetTranslationInuse", AM_ERR_BAD_ARG, no_entry);
    return endpoint->entries[entry].is_mapped ? AM_OK : AM_ERR_RESOURCE;
}

int AM_GetTranslationName(ep_t endpoint, int entry, en_t *name)
{
    const int checked = check_mapped("AM_GetTranslationName", endpoint, entry);
    if (checked)
        return checked;
    CHECK_POINTER("AM_GetTranslationName", name);
    *name = endpoint->entries[entry].name;
    return AM_OK;
}

int AM_GetTranslationTag(ep_t endpoint, int entry, tag_t *tag)
{
    const int checked = check_mapped("AM_GetTranslationTag", endpoint, entry);
    if (checked)
        return checked;
    CHECK_POINTER("AM_GetTranslationTag", tag);
    *tag = endpoint->entries[entry].tag;
    return AM_OK;
}

int AM_GetNumTranslations(ep_t endpoint, int *entries)
{
    CHECK_ENDPOINT("AM_GetNumTranslations", endpoint);
    CHECK_POINTER("AM_GetNumTranslations", entries);
    *entries = endpoint->entry_count;
    return AM_OK;
}

int AM_SetNumTranslations(ep_t endpoint, int entries)
{
    static const char call[] = "AM_SetNumTranslations";
    CHECK_ENDPOINT(call, endpoint);
    if (nx_am_depth()) /* the request that has polled is for an entry of it */
        return nx_am_refuse(call, AM_ERR_IN_USE, "a handler may not change how many destinations there are");
    if (entries < 1 || entries > nx_am_most_entries)
        return nx_am_refuse(call, AM_ERR_BAD_ARG, "a table of destinations has 1 to 4096 entries");
    for (int i = entries; i < endpoint->entry_count; i++)
        if (endpoint->entries[i].is_mapped)
            return nx_am_refuse(call, AM_ERR_IN_USE, "an entry that would go is mapped");
    struct nx_am_entry *grown = realloc(endpoint->entries, (size_t)entries * sizeof *grown);
    if (!grown)
        return nx_am_refuse(call, AM_ERR_RESOURCE, "there is no memory for the table of destinations");
    for (int i = endpoint->entry_count; i < entries; i++)
        grown[i] = (struct nx_am_entry){.is_mapped = 0};
    endpoint->entries = grown;
    endpoint->entry_count = entries;
    return AM_OK;
}

int AM_SetExpectedResources(ep_t endpoint, int endpoints, int requests)
{
    static const char call[] = "AM_SetExpectedResources";
    CHECK_ENDPOINT(call, endpoint);
    if (endpoints < 0)
        return nx_am_refuse(call, AM_ERR_BAD_ARG, "an endpoint speaks with 0 others or more");
    if (requests < 1 || requests > nx_am_most_requests)
        return nx_am_refuse(call, AM_ERR_BAD_ARG, "1 to 256 requests may be without their replies");
    endpoint->requests_left += requests - endpoint->most_requests;
    endpoint->most_requests = requests;
    return AM_OK;
}

int nx_am_set_handler(ep_t endpoint, int handler, am_function function)
{
    static const char call[] = "AM_SetHandler";
    CHECK_ENDPOINT(call, endpoint);
    if (handler < 0 || handler >= nx_am_handlers)
        return nx_am_refuse(call, AM_ERR_BAD_ARG, "handlers have the numbers 0 to 255");
    if (handler == 0 && !function)
        return nx_am_refuse(call, AM_ERR_BAD_ARG,
                            "handler 0, which returned messages go to, must be a function");
    endpoint->handlers[handler] = function;
    return AM_OK;
}

int nx_am_set_handler_any(ep_t endpoint, handler_t *handler, am_function function)
{
    static const char call[] = "AM_SetHandlerAny";
    CHECK_ENDPOINT(call, endpoint);
    CHECK_POINTER(call, handler);
    for (int i = 1; i < nx_am_handlers; i++)
        if (!endpoint->handlers[i]) {
            endpoint->handlers[i] = function;
            *handler = (handler_t)i;
            return AM_OK;
        }
    return nx_am_refuse(call, AM_ERR_RESOURCE, "all 255 handlers are installed");
}

int AM_GetNumHandlers(ep_t endpoint, int *handlers)
{
    CHECK_ENDPOINT("AM_GetNumHandlers", endpoint);
    CHECK_POINTER("AM_GetNumHandlers", handlers);
    *handlers = nx_am_handlers;
    return AM_OK;
}

int AM_SetNumHandlers(ep_t endpoint, int handlers)
{
    CHECK_ENDPOINT("AM_SetNumHandlers", endpoint);
    if (handlers < 1 || handlers > nx_am_handlers)
        return nx_am_refuse("AM_SetNumHandlers", AM_ERR_RESOURCE, "the table has 256 handlers");
    return AM_OK;
}

int AM_GetEventMask(eb_t bundle, int *mask)
{
    CHECK_BUNDLE("AM_GetEventMask", bundle);
    CHECK_POINTER("AM_GetEventMask", mask);
    *mask = bundle->mask;
    return AM_OK;
}

int AM_SetEventMask(eb_t bundle, int mask)
{
    CHECK_BUNDLE("AM_SetEventMask", bundle);
    if (mask != AM_NOEVENTS && mask != AM_NOTEMPTY)
        return nx_am_refuse("AM_SetEventMask", AM_ERR_BAD_ARG, "an event mask is AM_NOEVENTS or AM_NOTEMPTY");
    bundle->mask = mask;
    return AM_OK;
}
