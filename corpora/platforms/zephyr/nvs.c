/* NVS by its contract: ids with values, a history, what is unchanged costs nothing. How it lies in the flash is not
 * modelled.
 */
#include <errno.h>
#include <string.h>

#include <zephyr/fs/nvs.h>

#include "fb_nvs.h"
#include "fb_partitions.h"
#include "injection.h"
#include "power.h"
#include "sim.h"

#define MOST_IDS 32
#define MOST_BYTES 256
#define HISTORY 8
#define ENTRY_BYTES 8
#define WRITE_NS FB_US(400)

typedef struct {
    bool used;
    uint16_t id;
    unsigned writes, versions;
    struct {
        size_t length; /* 0: deleted */
        uint8_t data[MOST_BYTES];
    } past[HISTORY]; /* [0] is the newest */
} item;

static item *items;
static injection write_fault, read_fault;

static item *find(uint16_t id, bool make)
{
    if (!items)
        items = fb_kept("nvs", MOST_IDS * sizeof *items);
    for (item *one = items; one < items + MOST_IDS; one++) {
        if (!one->used && make)
            *one = (item){.used = true, .id = id};
        if (one->used && one->id == id)
            return one;
    }
    return NULL;
}

static void store(item *one, const void *data, size_t length)
{
    memmove(&one->past[1], &one->past[0], sizeof one->past - sizeof one->past[0]);
    one->past[0].length = length;
    memcpy(one->past[0].data, data, length);
    one->versions += one->versions < HISTORY;
}

void fb_nvs_set(uint16_t id, const void *data, size_t length)
{
    store(find(id, true), data, length);
}

void fb_nvs_remove(uint16_t id)
{
    store(find(id, true), "", 0);
}

long fb_nvs_get(uint16_t id, void *data, size_t room)
{
    item *one = find(id, false);
    if (!one || !one->versions || !one->past[0].length)
        return -1;
    memcpy(data, one->past[0].data, room < one->past[0].length ? room : one->past[0].length);
    return (long)one->past[0].length;
}

unsigned fb_nvs_writes(uint16_t id)
{
    item *one = find(id, false);
    return one ? one->writes : 0;
}

void fb_nvs_fail_writes(unsigned skip, unsigned count, int error)
{
    write_fault = (injection){skip, count, error};
}

void fb_nvs_fail_reads(unsigned skip, unsigned count, int error)
{
    read_fault = (injection){skip, count, error};
}

static bool blocking(const char *call)
{
    if (fb_in_isr())
        fb_fault("blocking_in_isr", "%s was called in an interrupt", call);
    return fb_in_isr();
}

int nvs_mount(struct nvs_fs *fs)
{
    if (blocking("nvs_mount"))
        return -EWOULDBLOCK;
    if (!fs->flash_device || !device_is_ready(fs->flash_device))
        return -ENODEV;
    fb_trace("nvs", "mount 0x%lx, %u sectors of %u", (long)fs->offset, fs->sector_count, fs->sector_size);
    if (!fs->sector_size || fs->sector_size % FB_FLASH_PAGE || fs->offset % FB_FLASH_PAGE || fs->sector_count < 2)
        return -EINVAL;
    off_t end = fs->offset + (off_t)fs->sector_size * fs->sector_count;
    off_t start = FB_PARTITION_OFFSET(storage_partition);
    if (fs->offset < start || end > start + FB_PARTITION_SIZE(storage_partition))
        fb_fault("wrong_region", "NVS was mounted at 0x%lx to 0x%lx, outside the storage partition", (long)fs->offset,
                 (long)end);
    int ret = injected(&read_fault);
    if (ret)
        return ret;
    k_mutex_init(&fs->nvs_lock);
    fs->flash_parameters = flash_get_parameters(fs->flash_device);
    fs->ready = true;
    fb_spend(FB_MS(1));
    return 0;
}

static int change(struct nvs_fs *fs, const char *call, uint16_t id, const void *data, size_t length)
{
    if (blocking(call))
        return -EWOULDBLOCK;
    if (!fs->ready)
        return -EACCES;
    item *one = find(id, false);
    bool exists = one && one->versions && one->past[0].length;
    if (length ? exists && one->past[0].length == length && !memcmp(one->past[0].data, data, length) : !exists)
        return 0;
    int ret = injected(&write_fault);
    fb_trace("nvs", "write id %u, %zu bytes: %d", id, length, ret);
    if (ret)
        return ret;
    one = find(id, true);
    if (!one)
        return -ENOSPC;
    one->writes++;
    store(one, data, length);
    fb_spend(WRITE_NS);
    return (int)length;
}

ssize_t nvs_write(struct nvs_fs *fs, uint16_t id, const void *data, size_t len)
{
    if (len > nvs_sector_max_data_size(fs) || (len && !data) || len > MOST_BYTES)
        return -EINVAL;
    return change(fs, "nvs_write", id, data, len);
}

int nvs_delete(struct nvs_fs *fs, uint16_t id)
{
    return change(fs, "nvs_delete", id, "", 0);
}

ssize_t nvs_read_hist(struct nvs_fs *fs, uint16_t id, void *data, size_t len, uint16_t cnt)
{
    if (blocking("nvs_read"))
        return -EWOULDBLOCK;
    if (!fs->ready)
        return -EACCES;
    int ret = injected(&read_fault);
    if (ret)
        return ret;
    fb_spend(FB_US(50));
    item *one = find(id, false);
    if (!one || cnt >= one->versions || !one->past[cnt].length)
        return -ENOENT;
    size_t length = one->past[cnt].length;
    memcpy(data, one->past[cnt].data, len < length ? len : length);
    return (ssize_t)length;
}

ssize_t nvs_read(struct nvs_fs *fs, uint16_t id, void *data, size_t len)
{
    return nvs_read_hist(fs, id, data, len, 0);
}

int nvs_clear(struct nvs_fs *fs)
{
    if (!fs->ready)
        return -EACCES;
    for (item *one = items; one && one < items + MOST_IDS; one++)
        if (one->used && one->past[0].length)
            store(one, "", 0);
    fs->ready = false; /* as the real one: mount again */
    fb_trace("nvs", "clear");
    return 0;
}

ssize_t nvs_calc_free_space(struct nvs_fs *fs)
{
    if (!fs->ready)
        return -EACCES;
    ssize_t left = (ssize_t)fs->sector_size * (fs->sector_count - 1);
    for (item *one = items; one && one < items + MOST_IDS; one++)
        if (one->used && one->past[0].length)
            left -= (ssize_t)(ENTRY_BYTES + one->past[0].length);
    return left;
}

size_t nvs_sector_max_data_size(struct nvs_fs *fs)
{
    return fs->sector_size > 4 * ENTRY_BYTES ? fs->sector_size - 4u * ENTRY_BYTES : 0;
}

int nvs_sector_use_next(struct nvs_fs *fs)
{
    return fs->ready ? 0 : -EACCES;
}
