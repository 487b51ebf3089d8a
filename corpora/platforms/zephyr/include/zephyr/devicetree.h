/* Devicetree macros over zephyr/devicetree_generated.h, with the names that Zephyr's generator gives:
 *
 *   a node             DT_N_S_<name>, with _EXISTS 1, _STATUS_okay 1, _FULL_NAME "...", _PARENT, _BUS
 *   how it is found    DT_N_ALIAS_<alias>, DT_N_NODELABEL_<label>, DT_CHOSEN_<name>, DT_N_INST_<n>_<compatible>
 *   a property         <node>_P_<property> (and _LEN, _IDX_<i>, _EXISTS 1)
 *   a phandle array    <node>_P_<property>_IDX_<i>_PH, _IDX_<i>_VAL_<cell>, _LEN
 *   a register, irq    <node>_REG_IDX_<i>_VAL_ADDRESS, _SIZE; <node>_IRQ_IDX_<i>_VAL_irq, _priority
 *   a compatible       DT_COMPAT_HAS_OKAY_<compatible> 1, DT_N_INST_<compatible>_NUM_OKAY,
 *                      DT_FOREACH_OKAY_INST_<compatible>(fn), DT_FOREACH_OKAY_<compatible>(fn)
 *
 * One board serves every case. Its nodes are in zephyr/board/<part>.h, one file a part, and each such file ends with a
 * list of those that are devices: #define FB_DEVICES_<PART>(X) X(DT_N_S_gpio0) ... */
#ifndef ZEPHYR_DEVICETREE_H
#define ZEPHYR_DEVICETREE_H

#include <zephyr/devicetree_generated.h>
#include <zephyr/sys/util.h>

#define DT_CAT(a, b) FB_CAT(a, b)
#define DT_CAT3(a, b, c) FB_CAT(FB_CAT(a, b), c)
#define DT_CAT4(a, b, c, d) FB_CAT(DT_CAT3(a, b, c), d)
#define DT_CAT5(a, b, c, d, e) FB_CAT(DT_CAT4(a, b, c, d), e)

#define DT_INVALID_NODE _
#define DT_ROOT DT_N
#define DT_ALIAS(alias) DT_CAT(DT_N_ALIAS_, alias)
#define DT_NODELABEL(label) DT_CAT(DT_N_NODELABEL_, label)
#define DT_CHOSEN(name) DT_CAT(DT_CHOSEN_, name)
#define DT_INST(inst, compat) DT_CAT4(DT_N_INST_, inst, _, compat)
#define DT_PATH(...) FB_CAT(FB_PATH_, FB_COUNT(__VA_ARGS__))(__VA_ARGS__)
#define FB_PATH_1(a) DT_CAT(DT_N_S_, a)
#define FB_PATH_2(a, b) DT_CAT4(DT_N_S_, a, _S_, b)
#define FB_PATH_3(a, b, c) DT_CAT3(DT_CAT4(DT_N_S_, a, _S_, b), _S_, c)
#define DT_CHILD(node, child) DT_CAT3(node, _S_, child)
#define DT_PARENT(node) DT_CAT(node, _PARENT)
#define DT_BUS(node) DT_CAT(node, _BUS)
#define DT_ON_BUS(node, bus) IS_ENABLED(DT_CAT(node, _BUS_##bus))
#define DT_SAME_NODE(a, b) (DT_DEP_ORD(a) == DT_DEP_ORD(b))
#define DT_DEP_ORD(node) DT_CAT(node, _ORD)

#define DT_NODE_EXISTS(node) IS_ENABLED(DT_CAT(node, _EXISTS))
#define DT_NODE_HAS_STATUS(node, status) IS_ENABLED(DT_CAT3(node, _STATUS_, status))
#define DT_NODE_HAS_STATUS_OKAY(node) DT_NODE_HAS_STATUS(node, okay)
#define DT_NODE_HAS_PROP(node, prop) IS_ENABLED(DT_CAT4(node, _P_, prop, _EXISTS))
#define DT_NODE_HAS_COMPAT(node, compat) IS_ENABLED(DT_CAT3(node, _COMPAT_MATCHES_, compat))
#define DT_NODE_FULL_NAME(node) DT_CAT(node, _FULL_NAME)
#define DT_NODE_PATH(node) DT_CAT(node, _PATH)
#define DT_HAS_ALIAS(alias) DT_NODE_EXISTS(DT_ALIAS(alias))
#define DT_HAS_CHOSEN(name) IS_ENABLED(DT_CAT3(DT_CHOSEN_, name, _EXISTS))
#define DT_HAS_COMPAT_STATUS_OKAY(compat) IS_ENABLED(DT_CAT(DT_COMPAT_HAS_OKAY_, compat))
#define DT_NUM_INST_STATUS_OKAY(compat) \
    COND_CODE_1(DT_HAS_COMPAT_STATUS_OKAY(compat), (DT_CAT3(DT_N_INST_, compat, _NUM_OKAY)), (0))
#define DT_COMPAT_GET_ANY_STATUS_OKAY(compat) DT_INST(0, compat)

#define DT_PROP(node, prop) DT_CAT3(node, _P_, prop)
#define DT_PROP_OR(node, prop, otherwise) COND_CODE_1(DT_NODE_HAS_PROP(node, prop), (DT_PROP(node, prop)), (otherwise))
#define DT_PROP_LEN(node, prop) DT_CAT4(node, _P_, prop, _LEN)
#define DT_PROP_BY_IDX(node, prop, idx) DT_CAT5(node, _P_, prop, _IDX_, idx)
#define DT_PROP_HAS_IDX(node, prop, idx) IS_ENABLED(DT_CAT(DT_CAT5(node, _P_, prop, _IDX_, idx), _EXISTS))
#define DT_STRING_TOKEN(node, prop) DT_CAT4(node, _P_, prop, _STRING_TOKEN)
#define DT_ENUM_IDX(node, prop) DT_CAT4(node, _P_, prop, _ENUM_IDX)
#define DT_PHANDLE_BY_IDX(node, prop, idx) DT_CAT(DT_CAT5(node, _P_, prop, _IDX_, idx), _PH)
#define DT_PHANDLE(node, prop) DT_PHANDLE_BY_IDX(node, prop, 0)
#define DT_PHA_BY_IDX(node, prop, idx, cell) DT_CAT3(DT_CAT5(node, _P_, prop, _IDX_, idx), _VAL_, cell)
#define DT_PHA(node, prop, cell) DT_PHA_BY_IDX(node, prop, 0, cell)
#define DT_PHA_HAS_CELL_AT_IDX(node, prop, idx, cell) \
    IS_ENABLED(DT_CAT(DT_CAT3(DT_CAT5(node, _P_, prop, _IDX_, idx), _VAL_, cell), _EXISTS))
#define DT_PHA_BY_IDX_OR(node, prop, idx, cell, otherwise) \
    COND_CODE_1(DT_PHA_HAS_CELL_AT_IDX(node, prop, idx, cell), (DT_PHA_BY_IDX(node, prop, idx, cell)), (otherwise))
#define DT_PHA_BY_NAME(node, prop, name, cell) DT_CAT3(DT_CAT5(node, _P_, prop, _NAME_, name), _VAL_, cell)
#define DT_PHANDLE_BY_NAME(node, prop, name) DT_CAT(DT_CAT5(node, _P_, prop, _NAME_, name), _PH)

#define DT_REG_ADDR_BY_IDX(node, idx) DT_CAT4(node, _REG_IDX_, idx, _VAL_ADDRESS)
#define DT_REG_SIZE_BY_IDX(node, idx) DT_CAT4(node, _REG_IDX_, idx, _VAL_SIZE)
#define DT_REG_ADDR(node) DT_REG_ADDR_BY_IDX(node, 0)
#define DT_REG_SIZE(node) DT_REG_SIZE_BY_IDX(node, 0)
#define DT_IRQ_BY_IDX(node, idx, cell) DT_CAT5(node, _IRQ_IDX_, idx, _VAL_, cell)
#define DT_IRQ(node, cell) DT_IRQ_BY_IDX(node, 0, cell)
#define DT_IRQN(node) DT_IRQ(node, irq)

#define DT_FOREACH_CHILD(node, fn) DT_CAT(node, _FOREACH_CHILD)(fn)
#define DT_FOREACH_CHILD_STATUS_OKAY(node, fn) DT_CAT(node, _FOREACH_CHILD)(fn)
#define DT_FOREACH_PROP_ELEM(node, prop, fn) DT_CAT4(node, _P_, prop, _FOREACH_PROP_ELEM)(fn)
#define DT_FOREACH_PROP_ELEM_SEP(node, prop, fn, sep) DT_CAT4(node, _P_, prop, _FOREACH_PROP_ELEM_SEP)(fn, sep)
#define DT_FOREACH_STATUS_OKAY(compat, fn) \
    COND_CODE_1(DT_HAS_COMPAT_STATUS_OKAY(compat), (DT_CAT(DT_FOREACH_OKAY_, compat)(fn)), ())

#define DT_DRV_INST(inst) DT_INST(inst, DT_DRV_COMPAT)
#define DT_INST_PARENT(inst) DT_PARENT(DT_DRV_INST(inst))
#define DT_INST_BUS(inst) DT_BUS(DT_DRV_INST(inst))
#define DT_INST_PROP(inst, prop) DT_PROP(DT_DRV_INST(inst), prop)
#define DT_INST_PROP_OR(inst, prop, otherwise) DT_PROP_OR(DT_DRV_INST(inst), prop, otherwise)
#define DT_INST_PROP_LEN(inst, prop) DT_PROP_LEN(DT_DRV_INST(inst), prop)
#define DT_INST_PROP_BY_IDX(inst, prop, idx) DT_PROP_BY_IDX(DT_DRV_INST(inst), prop, idx)
#define DT_INST_NODE_HAS_PROP(inst, prop) DT_NODE_HAS_PROP(DT_DRV_INST(inst), prop)
#define DT_INST_REG_ADDR(inst) DT_REG_ADDR(DT_DRV_INST(inst))
#define DT_INST_REG_SIZE(inst) DT_REG_SIZE(DT_DRV_INST(inst))
#define DT_INST_IRQN(inst) DT_IRQN(DT_DRV_INST(inst))
#define DT_INST_IRQ(inst, cell) DT_IRQ(DT_DRV_INST(inst), cell)
#define DT_INST_PHANDLE(inst, prop) DT_PHANDLE(DT_DRV_INST(inst), prop)
#define DT_INST_ENUM_IDX(inst, prop) DT_ENUM_IDX(DT_DRV_INST(inst), prop)
#define DT_INST_FOREACH_STATUS_OKAY(fn) \
    COND_CODE_1(DT_HAS_COMPAT_STATUS_OKAY(DT_DRV_COMPAT), (DT_CAT(DT_FOREACH_OKAY_INST_, DT_DRV_COMPAT)(fn)), ())
#define DT_ANY_INST_ON_BUS_STATUS_OKAY(bus) 1

#include <zephyr/devicetree/gpio.h>

#endif
