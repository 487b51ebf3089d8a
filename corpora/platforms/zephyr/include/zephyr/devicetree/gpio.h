#ifndef ZEPHYR_DEVICETREE_GPIO_H
#define ZEPHYR_DEVICETREE_GPIO_H

#define DT_GPIO_CTLR_BY_IDX(node, prop, idx) DT_PHANDLE_BY_IDX(node, prop, idx)
#define DT_GPIO_CTLR(node, prop) DT_GPIO_CTLR_BY_IDX(node, prop, 0)
#define DT_GPIO_PIN_BY_IDX(node, prop, idx) DT_PHA_BY_IDX(node, prop, idx, pin)
#define DT_GPIO_PIN(node, prop) DT_GPIO_PIN_BY_IDX(node, prop, 0)
#define DT_GPIO_FLAGS_BY_IDX(node, prop, idx) DT_PHA_BY_IDX(node, prop, idx, flags)
#define DT_GPIO_FLAGS(node, prop) DT_GPIO_FLAGS_BY_IDX(node, prop, 0)
#define DT_INST_GPIO_PIN(inst, prop) DT_GPIO_PIN(DT_DRV_INST(inst), prop)
#define DT_INST_GPIO_FLAGS(inst, prop) DT_GPIO_FLAGS(DT_DRV_INST(inst), prop)

#endif
