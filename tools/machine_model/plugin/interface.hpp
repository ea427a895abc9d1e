// SPDX-License-Identifier: GPL-2.0-or-later
// QEMU's plugin interface, version 1, as far as the model uses it: declared after include/qemu/qemu-plugin.h
// of QEMU 7.2, which no package holds. There it is explained; the names are the emulator's.
#pragma once

#include <cstddef>
#include <cstdint>

// What the emulator looks for and finds.
#define QEMU_PLUGIN_EXPORT extern "C" __attribute__((visibility("default")))

extern "C" {

using qemu_plugin_id_t = std::uint64_t;
using qemu_plugin_meminfo_t = std::uint32_t;

struct qemu_info_t {
    const char* target_name;
    struct {
        int min;
        int cur;
    } version;
    bool system_emulation;
    struct {
        int smp_vcpus;
        int max_vcpus;
    } system;
};

struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_plugin_hwaddr;

enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_CB_R_REGS, QEMU_PLUGIN_CB_RW_REGS };
enum qemu_plugin_mem_rw { QEMU_PLUGIN_MEM_R = 1, QEMU_PLUGIN_MEM_W, QEMU_PLUGIN_MEM_RW };
enum qemu_plugin_op { QEMU_PLUGIN_INLINE_ADD_U64 };

using qemu_plugin_vcpu_simple_cb_t = void (*)(qemu_plugin_id_t, unsigned);
using qemu_plugin_vcpu_udata_cb_t = void (*)(unsigned, void*);
using qemu_plugin_vcpu_tb_trans_cb_t = void (*)(qemu_plugin_id_t, qemu_plugin_tb*);
using qemu_plugin_vcpu_mem_cb_t = void (*)(unsigned, qemu_plugin_meminfo_t, std::uint64_t, void*);

void qemu_plugin_register_vcpu_init_cb(qemu_plugin_id_t, qemu_plugin_vcpu_simple_cb_t);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, qemu_plugin_vcpu_tb_trans_cb_t);
void qemu_plugin_register_vcpu_tb_exec_cb(qemu_plugin_tb*, qemu_plugin_vcpu_udata_cb_t, qemu_plugin_cb_flags,
                                          void*);
void qemu_plugin_register_vcpu_insn_exec_cb(qemu_plugin_insn*, qemu_plugin_vcpu_udata_cb_t,
                                            qemu_plugin_cb_flags, void*);
void qemu_plugin_register_vcpu_insn_exec_inline(qemu_plugin_insn*, qemu_plugin_op, void*, std::uint64_t);
void qemu_plugin_register_vcpu_mem_cb(qemu_plugin_insn*, qemu_plugin_vcpu_mem_cb_t, qemu_plugin_cb_flags,
                                      qemu_plugin_mem_rw, void*);
std::size_t qemu_plugin_tb_n_insns(const qemu_plugin_tb*);
std::uint64_t qemu_plugin_tb_vaddr(const qemu_plugin_tb*);
std::uint64_t qemu_plugin_insn_vaddr(const qemu_plugin_insn*);
qemu_plugin_insn* qemu_plugin_tb_get_insn(const qemu_plugin_tb*, std::size_t);
const void* qemu_plugin_insn_data(const qemu_plugin_insn*);
std::size_t qemu_plugin_insn_size(const qemu_plugin_insn*);
void* qemu_plugin_insn_haddr(const qemu_plugin_insn*);
unsigned qemu_plugin_mem_size_shift(qemu_plugin_meminfo_t);
bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t);
qemu_plugin_hwaddr* qemu_plugin_get_hwaddr(qemu_plugin_meminfo_t, std::uint64_t);
bool qemu_plugin_hwaddr_is_io(const qemu_plugin_hwaddr*);
std::uint64_t qemu_plugin_hwaddr_phys_addr(const qemu_plugin_hwaddr*);

} // extern "C"
