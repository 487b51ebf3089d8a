/* Non-volatile storage: namespaces, typed keys, and what a commit makes last. */
#include "esp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nvs_flash.h"

#define ENTRIES 256
#define HANDLES 16

static struct entry {
    char space[NVS_KEY_NAME_MAX_SIZE], key[NVS_KEY_NAME_MAX_SIZE];
    const char *type;
    void *value;
    size_t size;
} entries[ENTRIES];
static size_t entry_count;

static struct {
    bool open, written;
    nvs_open_mode_t mode;
    char space[NVS_KEY_NAME_MAX_SIZE];
} handles[HANDLES];
static bool ready, needs_erase;

void esp_nvs_needs_erase(void) { needs_erase = true; }

esp_err_t nvs_flash_init(void)
{
    if (!esp_enter("nvs_flash_init"))
        return ESP_FAIL;
    if (needs_erase)
        return ESP_ERR_NVS_NO_FREE_PAGES;
    ready = true;
    return ESP_OK;
}

esp_err_t nvs_flash_deinit(void)
{
    bool was = ready;
    ready = false;
    return was ? ESP_OK : ESP_ERR_NVS_NOT_INITIALIZED;
}

esp_err_t nvs_flash_erase(void)
{
    if (!esp_enter("nvs_flash_erase"))
        return ESP_FAIL;
    entry_count = 0;
    needs_erase = ready = false;
    fb_trace("nvs", "erase partition");
    return ESP_OK;
}

static bool name_fits(const char *name) { return name && *name && strlen(name) < NVS_KEY_NAME_MAX_SIZE; }

esp_err_t nvs_open(const char *space, nvs_open_mode_t mode, nvs_handle_t *out)
{
    static const char call[] = "nvs_open";
    if (!esp_enter(call) || !out)
        return ESP_FAIL;
    if (!ready)
        return esp_refuse(ESP_ERR_NVS_NOT_INITIALIZED, call, "nvs_flash_init comes first");
    if (!name_fits(space))
        return esp_refuse(ESP_ERR_NVS_INVALID_NAME, call, "a name has 1 to 15 characters");
    bool known = mode == NVS_READWRITE;
    for (size_t i = 0; i < entry_count; i++)
        known |= !strcmp(entries[i].space, space);
    if (!known)
        return ESP_ERR_NVS_NOT_FOUND;
    for (uint32_t i = 0; i < HANDLES; i++)
        if (!handles[i].open) {
            handles[i].open = true;
            handles[i].written = false;
            handles[i].mode = mode;
            strcpy(handles[i].space, space);
            *out = i + 1;
            return ESP_OK;
        }
    return ESP_ERR_NO_MEM;
}

static bool is_open(nvs_handle_t handle) { return handle >= 1 && handle <= HANDLES && handles[handle - 1].open; }

void nvs_close(nvs_handle_t handle)
{
    if (!is_open(handle))
        return;
    if (handles[handle - 1].written)
        fb_trace("nvs", "closed without commit");
    handles[handle - 1].open = false;
}

static struct entry *find(nvs_handle_t handle, const char *key)
{
    for (size_t i = 0; i < entry_count; i++)
        if (!strcmp(entries[i].space, handles[handle - 1].space) && !strcmp(entries[i].key, key))
            return &entries[i];
    return NULL;
}

static esp_err_t sound(nvs_handle_t handle, const char *key, bool writes, const char *call)
{
    if (!esp_enter(call))
        return ESP_FAIL;
    if (!is_open(handle))
        return esp_refuse(ESP_ERR_NVS_INVALID_HANDLE, call, "the handle is not open");
    if (!name_fits(key))
        return esp_refuse(key && *key ? ESP_ERR_NVS_KEY_TOO_LONG : ESP_ERR_NVS_INVALID_NAME, call,
                          "a key has 1 to 15 characters");
    if (writes && handles[handle - 1].mode == NVS_READONLY)
        return esp_refuse(ESP_ERR_NVS_READ_ONLY, call, "it was opened to read");
    return ESP_OK;
}

static esp_err_t set(nvs_handle_t handle, const char *key, const char *type, const void *value, size_t size)
{
    esp_err_t error = sound(handle, key, true, "nvs_set");
    if (error != ESP_OK)
        return error;
    struct entry *e = find(handle, key);
    if (!e) {
        if (entry_count == ENTRIES)
            return ESP_ERR_NVS_NOT_ENOUGH_SPACE;
        e = &entries[entry_count++];
        strcpy(e->space, handles[handle - 1].space);
        strcpy(e->key, key);
        e->value = NULL;
    }
    e->type = type;
    e->size = size;
    e->value = realloc(e->value, size ? size : 1);
    memcpy(e->value, value, size);
    handles[handle - 1].written = true;
    fb_spend(FB_US(150));
    fb_trace("nvs", "set %s.%s", e->space, e->key);
    return ESP_OK;
}

static esp_err_t get(nvs_handle_t handle, const char *key, const char *type, struct entry **out)
{
    esp_err_t error = sound(handle, key, false, "nvs_get");
    if (error != ESP_OK)
        return error;
    *out = find(handle, key);
    if (!*out || strcmp((*out)->type, type))
        return ESP_ERR_NVS_NOT_FOUND;
    return ESP_OK;
}

#define INTEGER(name, c_type)                                                                                         \
    esp_err_t nvs_set_##name(nvs_handle_t handle, const char *key, c_type value)                                      \
    {                                                                                                                 \
        return set(handle, key, #name, &value, sizeof value);                                                         \
    }                                                                                                                 \
    esp_err_t nvs_get_##name(nvs_handle_t handle, const char *key, c_type *value)                                     \
    {                                                                                                                 \
        struct entry *e;                                                                                              \
        esp_err_t error = get(handle, key, #name, &e);                                                                \
        if (error == ESP_OK)                                                                                          \
            memcpy(value, e->value, sizeof *value);                                                                   \
        return error;                                                                                                 \
    }
INTEGER(i8, int8_t)
INTEGER(u8, uint8_t)
INTEGER(i16, int16_t)
INTEGER(u16, uint16_t)
INTEGER(i32, int32_t)
INTEGER(u32, uint32_t)
INTEGER(i64, int64_t)
INTEGER(u64, uint64_t)

static esp_err_t get_bytes(nvs_handle_t handle, const char *key, const char *type, void *out, size_t *length)
{
    struct entry *e;
    esp_err_t error = get(handle, key, type, &e);
    if (error != ESP_OK)
        return error;
    size_t room = *length;
    *length = e->size;
    if (!out)
        return ESP_OK;
    if (room < e->size)
        return ESP_ERR_NVS_INVALID_LENGTH;
    memcpy(out, e->value, e->size);
    return ESP_OK;
}

esp_err_t nvs_set_str(nvs_handle_t handle, const char *key, const char *value)
{
    return set(handle, key, "str", value, strlen(value) + 1);
}

esp_err_t nvs_get_str(nvs_handle_t handle, const char *key, char *out, size_t *length)
{
    return get_bytes(handle, key, "str", out, length);
}

esp_err_t nvs_set_blob(nvs_handle_t handle, const char *key, const void *value, size_t length)
{
    return set(handle, key, "blob", value, length);
}

esp_err_t nvs_get_blob(nvs_handle_t handle, const char *key, void *out, size_t *length)
{
    return get_bytes(handle, key, "blob", out, length);
}

esp_err_t nvs_commit(nvs_handle_t handle)
{
    if (!esp_enter("nvs_commit") || !is_open(handle))
        return ESP_ERR_NVS_INVALID_HANDLE;
    handles[handle - 1].written = false;
    fb_trace("nvs", "commit %s", handles[handle - 1].space);
    return ESP_OK;
}

esp_err_t nvs_erase_key(nvs_handle_t handle, const char *key)
{
    esp_err_t error = sound(handle, key, true, "nvs_erase_key");
    if (error != ESP_OK)
        return error;
    struct entry *e = find(handle, key);
    if (!e)
        return ESP_ERR_NVS_NOT_FOUND;
    *e = entries[--entry_count];
    handles[handle - 1].written = true;
    return ESP_OK;
}

esp_err_t nvs_erase_all(nvs_handle_t handle)
{
    if (!is_open(handle))
        return ESP_ERR_NVS_INVALID_HANDLE;
    for (size_t i = 0; i < entry_count;)
        if (!strcmp(entries[i].space, handles[handle - 1].space))
            entries[i] = entries[--entry_count];
        else
            i++;
    handles[handle - 1].written = true;
    return ESP_OK;
}
