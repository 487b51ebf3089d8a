/* The board's buses with what is on them, and the flash with its partitions.
 *
 *   i2c0    0x18 accel (alias accel0), 0x44 th20 (acme,th20), 0x50 eeprom0
 *   uart1   115200 baud, FIFOs of 8 bytes
 *   pwm0    1 MHz; channel 0: pwm_led0, 1 ms; channel 1: servo0 (alias servo), 20 ms
 *   adc0    8 inputs; io-channels of zephyr,user are 2 and 5
 *   spi0    chip select 0: encoder0, 1 MHz
 *   flash0  write blocks of 8 bytes, pages of 2 KiB; the ids of the partitions are those of the flash map
 *
 * th20 has no driver here: the answer to a case may be one. */
#ifndef ZEPHYR_BOARD_DRIVERS_H
#define ZEPHYR_BOARD_DRIVERS_H

#define DT_N_NODELABEL_i2c0 DT_N_S_i2c0
#define DT_N_ALIAS_i2c_0 DT_N_S_i2c0
#define DT_N_S_i2c0_EXISTS 1
#define DT_N_S_i2c0_STATUS_okay 1
#define DT_N_S_i2c0_ORD 100
#define DT_N_S_i2c0_FULL_NAME "i2c@40003000"
#define DT_N_S_i2c0_PATH "/soc/i2c@40003000"
#define DT_N_S_i2c0_REG_IDX_0_VAL_ADDRESS 0x40003000
#define DT_N_S_i2c0_REG_IDX_0_VAL_SIZE 0x1000
#define DT_N_S_i2c0_P_clock_frequency 400000
#define DT_N_S_i2c0_P_clock_frequency_EXISTS 1

#define DT_N_NODELABEL_th20 DT_N_S_i2c0_S_th20_44
#define DT_N_ALIAS_th0 DT_N_S_i2c0_S_th20_44
#define DT_N_S_i2c0_S_th20_44_EXISTS 1
#define DT_N_S_i2c0_S_th20_44_STATUS_okay 1
#define DT_N_S_i2c0_S_th20_44_ORD 101
#define DT_N_S_i2c0_S_th20_44_FULL_NAME "th20@44"
#define DT_N_S_i2c0_S_th20_44_PATH "/soc/i2c@40003000/th20@44"
#define DT_N_S_i2c0_S_th20_44_PARENT DT_N_S_i2c0
#define DT_N_S_i2c0_S_th20_44_BUS DT_N_S_i2c0
#define DT_N_S_i2c0_S_th20_44_BUS_i2c 1
#define DT_N_S_i2c0_S_th20_44_REG_IDX_0_VAL_ADDRESS 0x44
#define DT_N_S_i2c0_S_th20_44_COMPAT_MATCHES_acme_th20 1
#define DT_COMPAT_HAS_OKAY_acme_th20 1
#define DT_N_INST_acme_th20_NUM_OKAY 1
#define DT_N_INST_0_acme_th20 DT_N_S_i2c0_S_th20_44
#define DT_FOREACH_OKAY_INST_acme_th20(fn) fn(0)
#define DT_FOREACH_OKAY_acme_th20(fn) fn(DT_N_S_i2c0_S_th20_44)

#define DT_N_NODELABEL_eeprom0 DT_N_S_i2c0_S_eeprom_50
#define DT_N_ALIAS_eeprom_0 DT_N_S_i2c0_S_eeprom_50
#define DT_N_S_i2c0_S_eeprom_50_EXISTS 1
#define DT_N_S_i2c0_S_eeprom_50_STATUS_okay 1
#define DT_N_S_i2c0_S_eeprom_50_ORD 102
#define DT_N_S_i2c0_S_eeprom_50_FULL_NAME "eeprom@50"
#define DT_N_S_i2c0_S_eeprom_50_PATH "/soc/i2c@40003000/eeprom@50"
#define DT_N_S_i2c0_S_eeprom_50_PARENT DT_N_S_i2c0
#define DT_N_S_i2c0_S_eeprom_50_BUS DT_N_S_i2c0
#define DT_N_S_i2c0_S_eeprom_50_BUS_i2c 1
#define DT_N_S_i2c0_S_eeprom_50_REG_IDX_0_VAL_ADDRESS 0x50
#define DT_N_S_i2c0_S_eeprom_50_P_size 8192
#define DT_N_S_i2c0_S_eeprom_50_P_size_EXISTS 1
#define DT_N_S_i2c0_S_eeprom_50_P_pagesize 32
#define DT_N_S_i2c0_S_eeprom_50_P_pagesize_EXISTS 1

#define DT_N_NODELABEL_accel DT_N_S_i2c0_S_accel_18
#define DT_N_ALIAS_accel0 DT_N_S_i2c0_S_accel_18
#define DT_N_S_i2c0_S_accel_18_EXISTS 1
#define DT_N_S_i2c0_S_accel_18_STATUS_okay 1
#define DT_N_S_i2c0_S_accel_18_ORD 103
#define DT_N_S_i2c0_S_accel_18_FULL_NAME "accel@18"
#define DT_N_S_i2c0_S_accel_18_PATH "/soc/i2c@40003000/accel@18"
#define DT_N_S_i2c0_S_accel_18_PARENT DT_N_S_i2c0
#define DT_N_S_i2c0_S_accel_18_BUS DT_N_S_i2c0
#define DT_N_S_i2c0_S_accel_18_BUS_i2c 1
#define DT_N_S_i2c0_S_accel_18_REG_IDX_0_VAL_ADDRESS 0x18

#define DT_N_NODELABEL_spi0 DT_N_S_spi0
#define DT_N_ALIAS_spi_0 DT_N_S_spi0
#define DT_N_S_spi0_EXISTS 1
#define DT_N_S_spi0_STATUS_okay 1
#define DT_N_S_spi0_ORD 104
#define DT_N_S_spi0_FULL_NAME "spi@40004000"
#define DT_N_S_spi0_PATH "/soc/spi@40004000"
#define DT_N_S_spi0_REG_IDX_0_VAL_ADDRESS 0x40004000
#define DT_N_S_spi0_REG_IDX_0_VAL_SIZE 0x1000

#define DT_N_NODELABEL_encoder0 DT_N_S_spi0_S_encoder_0
#define DT_N_ALIAS_encoder_0 DT_N_S_spi0_S_encoder_0
#define DT_N_S_spi0_S_encoder_0_EXISTS 1
#define DT_N_S_spi0_S_encoder_0_STATUS_okay 1
#define DT_N_S_spi0_S_encoder_0_ORD 105
#define DT_N_S_spi0_S_encoder_0_FULL_NAME "encoder@0"
#define DT_N_S_spi0_S_encoder_0_PATH "/soc/spi@40004000/encoder@0"
#define DT_N_S_spi0_S_encoder_0_PARENT DT_N_S_spi0
#define DT_N_S_spi0_S_encoder_0_BUS DT_N_S_spi0
#define DT_N_S_spi0_S_encoder_0_BUS_spi 1
#define DT_N_S_spi0_S_encoder_0_REG_IDX_0_VAL_ADDRESS 0
#define DT_N_S_spi0_S_encoder_0_P_spi_max_frequency 1000000
#define DT_N_S_spi0_S_encoder_0_P_spi_max_frequency_EXISTS 1

#define DT_N_NODELABEL_uart1 DT_N_S_uart1
#define DT_N_ALIAS_uart_1 DT_N_S_uart1
#define DT_N_S_uart1_EXISTS 1
#define DT_N_S_uart1_STATUS_okay 1
#define DT_N_S_uart1_ORD 106
#define DT_N_S_uart1_FULL_NAME "uart@40002000"
#define DT_N_S_uart1_PATH "/soc/uart@40002000"
#define DT_N_S_uart1_REG_IDX_0_VAL_ADDRESS 0x40002000
#define DT_N_S_uart1_REG_IDX_0_VAL_SIZE 0x1000
#define DT_N_S_uart1_P_current_speed 115200
#define DT_N_S_uart1_P_current_speed_EXISTS 1

#define DT_N_NODELABEL_adc0 DT_N_S_adc0
#define DT_N_NODELABEL_adc DT_N_S_adc0
#define DT_N_ALIAS_adc_0 DT_N_S_adc0
#define DT_N_S_adc0_EXISTS 1
#define DT_N_S_adc0_STATUS_okay 1
#define DT_N_S_adc0_ORD 107
#define DT_N_S_adc0_FULL_NAME "adc@40007000"
#define DT_N_S_adc0_PATH "/soc/adc@40007000"
#define DT_N_S_adc0_REG_IDX_0_VAL_ADDRESS 0x40007000
#define DT_N_S_adc0_REG_IDX_0_VAL_SIZE 0x1000
#define DT_N_S_zephyr_user_P_io_channels_IDX_0_EXISTS 1
#define DT_N_S_zephyr_user_P_io_channels_IDX_0_PH DT_N_S_adc0
#define DT_N_S_zephyr_user_P_io_channels_IDX_0_VAL_input 2
#define DT_N_S_zephyr_user_P_io_channels_IDX_1_EXISTS 1
#define DT_N_S_zephyr_user_P_io_channels_IDX_1_PH DT_N_S_adc0
#define DT_N_S_zephyr_user_P_io_channels_IDX_1_VAL_input 5
#define DT_N_S_zephyr_user_P_io_channels_LEN 2
#define DT_N_S_zephyr_user_P_io_channels_EXISTS 1

#define DT_N_NODELABEL_pwm0 DT_N_S_pwm0
#define DT_N_ALIAS_pwm_0 DT_N_S_pwm0
#define DT_N_S_pwm0_EXISTS 1
#define DT_N_S_pwm0_STATUS_okay 1
#define DT_N_S_pwm0_ORD 108
#define DT_N_S_pwm0_FULL_NAME "pwm@40008000"
#define DT_N_S_pwm0_PATH "/soc/pwm@40008000"
#define DT_N_S_pwm0_REG_IDX_0_VAL_ADDRESS 0x40008000
#define DT_N_S_pwm0_REG_IDX_0_VAL_SIZE 0x1000

#define DT_N_NODELABEL_servo0 DT_N_S_servo
#define DT_N_ALIAS_servo DT_N_S_servo
#define DT_N_S_servo_EXISTS 1
#define DT_N_S_servo_STATUS_okay 1
#define DT_N_S_servo_ORD 109
#define DT_N_S_servo_FULL_NAME "servo"
#define DT_N_S_servo_PATH "/servo"
#define DT_N_S_servo_P_pwms_IDX_0_PH DT_N_S_pwm0
#define DT_N_S_servo_P_pwms_IDX_0_VAL_channel 1
#define DT_N_S_servo_P_pwms_IDX_0_VAL_period 20000000
#define DT_N_S_servo_P_pwms_IDX_0_VAL_flags 0
#define DT_N_S_servo_P_pwms_IDX_0_EXISTS 1
#define DT_N_S_servo_P_pwms_LEN 1
#define DT_N_S_servo_P_pwms_EXISTS 1

#define DT_N_NODELABEL_pwm_led0 DT_N_S_pwmleds_S_pwm_led_0
#define DT_N_ALIAS_pwm_led0 DT_N_S_pwmleds_S_pwm_led_0
#define DT_N_S_pwmleds_S_pwm_led_0_EXISTS 1
#define DT_N_S_pwmleds_S_pwm_led_0_STATUS_okay 1
#define DT_N_S_pwmleds_S_pwm_led_0_ORD 110
#define DT_N_S_pwmleds_S_pwm_led_0_FULL_NAME "pwm_led_0"
#define DT_N_S_pwmleds_S_pwm_led_0_PATH "/pwm_led_0"
#define DT_N_S_pwmleds_S_pwm_led_0_P_pwms_IDX_0_PH DT_N_S_pwm0
#define DT_N_S_pwmleds_S_pwm_led_0_P_pwms_IDX_0_VAL_channel 0
#define DT_N_S_pwmleds_S_pwm_led_0_P_pwms_IDX_0_VAL_period 1000000
#define DT_N_S_pwmleds_S_pwm_led_0_P_pwms_IDX_0_VAL_flags 0
#define DT_N_S_pwmleds_S_pwm_led_0_P_pwms_IDX_0_EXISTS 1
#define DT_N_S_pwmleds_S_pwm_led_0_P_pwms_LEN 1
#define DT_N_S_pwmleds_S_pwm_led_0_P_pwms_EXISTS 1

#define DT_N_NODELABEL_flash0 DT_N_S_flash0
#define DT_N_NODELABEL_flash_controller DT_N_S_flash0
#define DT_N_S_flash0_EXISTS 1
#define DT_N_S_flash0_STATUS_okay 1
#define DT_N_S_flash0_ORD 111
#define DT_N_S_flash0_FULL_NAME "flash@0"
#define DT_N_S_flash0_PATH "/soc/flash-controller@4001e000/flash@0"
#define DT_N_S_flash0_REG_IDX_0_VAL_ADDRESS 0
#define DT_N_S_flash0_REG_IDX_0_VAL_SIZE 0x30000
#define DT_N_S_flash0_P_write_block_size 8
#define DT_N_S_flash0_P_write_block_size_EXISTS 1
#define DT_N_S_flash0_P_erase_block_size 2048
#define DT_N_S_flash0_P_erase_block_size_EXISTS 1
#define DT_CHOSEN_zephyr_flash_controller DT_N_S_flash0
#define DT_CHOSEN_zephyr_flash_controller_EXISTS 1
#define DT_CHOSEN_zephyr_flash DT_N_S_flash0
#define DT_CHOSEN_zephyr_flash_EXISTS 1

#define DT_N_NODELABEL_boot_partition DT_N_S_flash0_S_partitions_S_partition_0
#define DT_N_S_flash0_S_partitions_S_partition_0_EXISTS 1
#define DT_N_S_flash0_S_partitions_S_partition_0_STATUS_okay 1
#define DT_N_S_flash0_S_partitions_S_partition_0_ORD 112
#define DT_N_S_flash0_S_partitions_S_partition_0_FULL_NAME "partition@0"
#define DT_N_S_flash0_S_partitions_S_partition_0_PATH "/soc/flash-controller@4001e000/flash@0/partitions/partition@0"
#define DT_N_S_flash0_S_partitions_S_partition_0_REG_IDX_0_VAL_ADDRESS 0x0
#define DT_N_S_flash0_S_partitions_S_partition_0_REG_IDX_0_VAL_SIZE 0x8000
#define DT_N_S_flash0_S_partitions_S_partition_0_PARTITION_ID 0

#define DT_N_NODELABEL_slot0_partition DT_N_S_flash0_S_partitions_S_partition_8000
#define DT_N_S_flash0_S_partitions_S_partition_8000_EXISTS 1
#define DT_N_S_flash0_S_partitions_S_partition_8000_STATUS_okay 1
#define DT_N_S_flash0_S_partitions_S_partition_8000_ORD 113
#define DT_N_S_flash0_S_partitions_S_partition_8000_FULL_NAME "partition@8000"
#define DT_N_S_flash0_S_partitions_S_partition_8000_PATH "/soc/flash-controller@4001e000/flash@0/partitions/partition@8000"
#define DT_N_S_flash0_S_partitions_S_partition_8000_REG_IDX_0_VAL_ADDRESS 0x8000
#define DT_N_S_flash0_S_partitions_S_partition_8000_REG_IDX_0_VAL_SIZE 0x10000
#define DT_N_S_flash0_S_partitions_S_partition_8000_PARTITION_ID 1

#define DT_N_NODELABEL_slot1_partition DT_N_S_flash0_S_partitions_S_partition_18000
#define DT_N_S_flash0_S_partitions_S_partition_18000_EXISTS 1
#define DT_N_S_flash0_S_partitions_S_partition_18000_STATUS_okay 1
#define DT_N_S_flash0_S_partitions_S_partition_18000_ORD 114
#define DT_N_S_flash0_S_partitions_S_partition_18000_FULL_NAME "partition@18000"
#define DT_N_S_flash0_S_partitions_S_partition_18000_PATH "/soc/flash-controller@4001e000/flash@0/partitions/partition@18000"
#define DT_N_S_flash0_S_partitions_S_partition_18000_REG_IDX_0_VAL_ADDRESS 0x18000
#define DT_N_S_flash0_S_partitions_S_partition_18000_REG_IDX_0_VAL_SIZE 0x10000
#define DT_N_S_flash0_S_partitions_S_partition_18000_PARTITION_ID 2

#define DT_N_NODELABEL_scratch_partition DT_N_S_flash0_S_partitions_S_partition_28000
#define DT_N_S_flash0_S_partitions_S_partition_28000_EXISTS 1
#define DT_N_S_flash0_S_partitions_S_partition_28000_STATUS_okay 1
#define DT_N_S_flash0_S_partitions_S_partition_28000_ORD 115
#define DT_N_S_flash0_S_partitions_S_partition_28000_FULL_NAME "partition@28000"
#define DT_N_S_flash0_S_partitions_S_partition_28000_PATH "/soc/flash-controller@4001e000/flash@0/partitions/partition@28000"
#define DT_N_S_flash0_S_partitions_S_partition_28000_REG_IDX_0_VAL_ADDRESS 0x28000
#define DT_N_S_flash0_S_partitions_S_partition_28000_REG_IDX_0_VAL_SIZE 0x4000
#define DT_N_S_flash0_S_partitions_S_partition_28000_PARTITION_ID 3

#define DT_N_NODELABEL_storage_partition DT_N_S_flash0_S_partitions_S_partition_2c000
#define DT_N_S_flash0_S_partitions_S_partition_2c000_EXISTS 1
#define DT_N_S_flash0_S_partitions_S_partition_2c000_STATUS_okay 1
#define DT_N_S_flash0_S_partitions_S_partition_2c000_ORD 116
#define DT_N_S_flash0_S_partitions_S_partition_2c000_FULL_NAME "partition@2c000"
#define DT_N_S_flash0_S_partitions_S_partition_2c000_PATH "/soc/flash-controller@4001e000/flash@0/partitions/partition@2c000"
#define DT_N_S_flash0_S_partitions_S_partition_2c000_REG_IDX_0_VAL_ADDRESS 0x2c000
#define DT_N_S_flash0_S_partitions_S_partition_2c000_REG_IDX_0_VAL_SIZE 0x1800
#define DT_N_S_flash0_S_partitions_S_partition_2c000_PARTITION_ID 4

#define DT_N_NODELABEL_record_partition DT_N_S_flash0_S_partitions_S_partition_2d800
#define DT_N_S_flash0_S_partitions_S_partition_2d800_EXISTS 1
#define DT_N_S_flash0_S_partitions_S_partition_2d800_STATUS_okay 1
#define DT_N_S_flash0_S_partitions_S_partition_2d800_ORD 117
#define DT_N_S_flash0_S_partitions_S_partition_2d800_FULL_NAME "partition@2d800"
#define DT_N_S_flash0_S_partitions_S_partition_2d800_PATH "/soc/flash-controller@4001e000/flash@0/partitions/partition@2d800"
#define DT_N_S_flash0_S_partitions_S_partition_2d800_REG_IDX_0_VAL_ADDRESS 0x2d800
#define DT_N_S_flash0_S_partitions_S_partition_2d800_REG_IDX_0_VAL_SIZE 0x1000
#define DT_N_S_flash0_S_partitions_S_partition_2d800_PARTITION_ID 5
#define DT_CHOSEN_zephyr_code_partition DT_N_NODELABEL_slot0_partition
#define DT_CHOSEN_zephyr_code_partition_EXISTS 1

/* Those of these that are devices. */
#define FB_DEVICES_DRIVERS(X) \
    X(DT_N_S_i2c0) X(DT_N_S_i2c0_S_th20_44) X(DT_N_S_i2c0_S_accel_18) X(DT_N_S_spi0) X(DT_N_S_uart1) X(DT_N_S_adc0) \
    X(DT_N_S_pwm0) \
    X(DT_N_S_flash0)

#endif
