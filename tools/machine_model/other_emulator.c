/* SPDX-License-Identifier: MIT */
/* An emulator that loads the plugin and exports nothing of QEMU's: other_emulator PLUGIN TARGET PROCESSORS
 * [ARGUMENT]... ends as the plugin ends it, or with 1 if the plugin takes it. */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* As in tools/machine_model/plugin/interface.hpp. */
struct info {
    const char *target_name;
    struct {
        int min, cur;
    } version;
    bool system_emulation;
    struct {
        int smp_vcpus, max_vcpus;
    } system;
};

int main(int count, char **words)
{
    void *plugin = dlopen(words[1], RTLD_LAZY);
    if (!plugin) {
        fprintf(stderr, "%s\n", dlerror());
        return 2;
    }
    int (*install)(unsigned long, const struct info *, int, char **) = dlsym(plugin, "qemu_plugin_install");
    int processors = atoi(words[3]);
    struct info info = {words[2], {1, 1}, true, {processors, processors}};
    install(1, &info, count - 4, words + 4);
    return 1;
}
