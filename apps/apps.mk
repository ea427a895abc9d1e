# SPDX-License-Identifier: MIT
# The programs: build/apps/<name>/<name> from apps/<name>/*.{c,cc,f}, compiled and linked by the same
# wrappers that users call. A folder is a program; apps/faults holds one small program a file.
CROSS ?=
BUILD ?= build

# No vector code and no library calls in place of loops: programs that measure memory say what they do.
APPS_CFLAGS := -O2 -g -Wall -Wextra -fno-tree-vectorize -fno-tree-loop-distribute-patterns \
               $(if $(WERROR),-Werror)
APPS_FFLAGS := -O2 -g

APPS_SOURCES := $(wildcard apps/*/*.c apps/*/*.cc apps/*/*.f)
APPS_FOLDERS := $(filter-out faults,$(sort $(patsubst apps/%/,%,$(dir $(APPS_SOURCES)))))
APPS_FAULTS := $(patsubst apps/faults/%.c,%,$(wildcard apps/faults/*.c))
APPS_NAMES := $(APPS_FOLDERS) $(APPS_FAULTS)
APPS := $(foreach name,$(APPS_NAMES),$(BUILD)/apps/$(name)/$(name))

.PHONY: apps
apps: $(APPS)

# $(call apps_linked,program,objects,wrapper)
define apps_linked
$(BUILD)/apps/$(1)/$(1): $(2) $(BUILD)/lib/libnx.a
	@mkdir -p $$(@D)
	$(BUILD)/$(3) -g -o $$@ $(2) -lm
endef

apps_sources = $(filter apps/$(1)/%,$(APPS_SOURCES))
apps_objects = $(addprefix $(BUILD)/,$(addsuffix .o,$(apps_sources)))
apps_wrapper = $(if $(filter %.cc,$(apps_sources)),nxc++,$(if $(filter %.f,$(apps_sources)),nxf77,nxcc))

$(foreach name,$(APPS_FOLDERS),\
    $(eval $(call apps_linked,$(name),$(call apps_objects,$(name)),$(call apps_wrapper,$(name)))))
$(foreach name,$(APPS_FAULTS),$(eval $(call apps_linked,$(name),$(BUILD)/apps/faults/$(name).c.o,nxcc)))

$(BUILD)/apps/%.c.o: apps/%.c apps/apps.mk $(NX_WRAPPERS) | $(NX_READY)
	@mkdir -p $(@D)
	$(BUILD)/nxcc $(APPS_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/apps/%.cc.o: apps/%.cc apps/apps.mk $(NX_WRAPPERS) | $(NX_READY)
	@mkdir -p $(@D)
	$(BUILD)/nxc++ $(APPS_CFLAGS) -std=c++20 $(APPS_INCLUDES) -MMD -MP -c -o $@ $<

# It runs the list of behaviours that the message system's host tests run.
$(BUILD)/apps/behaviours/%.o: APPS_INCLUDES := -I.

$(BUILD)/apps/%.f.o: apps/%.f apps/apps.mk $(NX_WRAPPERS) | $(NX_READY)
	@mkdir -p $(@D)
	$(BUILD)/nxf77 $(APPS_FFLAGS) -c -o $@ $<

-include $(shell find $(BUILD)/apps -name '*.d' 2>/dev/null)

include apps/host_tests.mk
