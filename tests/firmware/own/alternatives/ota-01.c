/* Another right answer: one function, goto for the failure, counters instead of deadlines. */
#include <zephyr/kernel.h>
#include <zephyr/dfu/mcuboot.h>
#include <zephyr/sys/printk.h>
#include <zephyr/sys/reboot.h>

extern int selftest_storage(void);
extern int selftest_sensor(void);
extern bool uplink_ready(void);
extern void app_run(void);

int main(void)
{
    const char *what;
    int rc, i;

    if (boot_is_img_confirmed()) {
        printk("image confirmed\n");
        app_run();
    }
    printk("image on trial\n");

    what = "storage";
    rc = selftest_storage();
    if (rc) {
        goto failed;
    }

    what = "sensor";
    for (i = 1;; i++) {
        rc = selftest_sensor();
        if (rc != -EAGAIN) {
            break;
        }
        if (i == 10) {
            break;
        }
        k_sleep(K_MSEC(100));
    }
    if (rc < 0) {
        goto failed;
    }

    what = "uplink";
    for (i = 0; i < 120 && !uplink_ready(); i++) {
        k_msleep(500);
    }
    if (i == 120 && !uplink_ready()) {
        goto failed;
    }

    for (i = 0; (rc = boot_write_img_confirmed()) != 0; i++) {
        printk("confirm failed\n");
        if (i >= 2) {
            sys_reboot(SYS_REBOOT_COLD);
        }
        k_sleep(K_SECONDS(1));
    }
    printk("image accepted\n");
    app_run();
    return 0;

failed:
    printk("self-test failed: %s\n", what);
    sys_reboot(SYS_REBOOT_COLD);
}
