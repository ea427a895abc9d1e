# SPDX-License-Identifier: MIT
# The programs: build/apps/<name>/<name> from apps/<name>/*.{c,cc,f}, or from a study's apps/, compiled and
# linked by the same wrappers that users call. A folder is a program; apps/faults holds one small program a
# file.
CROSS ?=
BUILD ?= build

# No vector code and no library calls in place of loops: programs that measure memory say what they do.
APPS_CFLAGS := -O2 -g -Wall -Wextra -fno-tree-vectorize -fno-tree-loop-distribute-patterns \
               $(if $(WERROR),-Werror)
APPS_FFLAGS := -O2 -g

APPS_ROOTS := apps $(wildcard studies/*/apps)
APPS_SOURCES := $(wildcard $(foreach ending,c cc f,$(APPS_ROOTS:%=%/*/*.$(ending))))
APPS_FOLDERS := $(filter-out faults,$(sort $(notdir $(patsubst %/,%,$(dir $(APPS_SOURCES))))))
APPS_FAULTS := $(patsubst apps/faults/%.c,%,$(wildcard apps/faults/*.c))
APPS_NAMES := $(APPS_FOLDERS) $(APPS_FAULTS)
APPS := $(foreach name,$(APPS_NAMES),$(BUILD)/apps/$(name)/$(name))

.PHONY: apps
apps: $(APPS)

# $(call apps_linked,program,objects,wrapper). A program's own APPS_LIBRARIES are linked, too.
define apps_linked
$(BUILD)/apps/$(1)/$(1): $(2) $(BUILD)/lib/libnx.a
	@mkdir -p $$(@D)
	$(BUILD)/$(3) -g -o $$@ $(2) $$(APPS_LIBRARIES) -lm
endef

apps_sources = $(filter $(APPS_ROOTS:%=%/$(1)/%),$(APPS_SOURCES))
apps_objects = $(addprefix $(BUILD)/,$(addsuffix .o,$(apps_sources)))
apps_wrapper = $(if $(filter %.cc,$(apps_sources)),nxc++,$(if $(filter %.f,$(apps_sources)),nxf77,nxcc))

$(foreach name,$(APPS_FOLDERS),\
    $(eval $(call apps_linked,$(name),$(call apps_objects,$(name)),$(call apps_wrapper,$(name)))))
$(foreach name,$(APPS_FAULTS),$(eval $(call apps_linked,$(name),$(BUILD)/apps/faults/$(name).c.o,nxcc)))

# A study's programs see what all programs share, apps/support, from the project's folder. $(1): a folder of
# programs
apps_seen = $(if $(filter-out apps,$(1)),-I.)
define apps_compiled
$(BUILD)/$(1)/%.c.o: $(1)/%.c apps/apps.mk $(NX_WRAPPERS) | $(NX_READY)
	@mkdir -p $$(@D)
	$(BUILD)/nxcc $$(APPS_CFLAGS) $(call apps_seen,$(1)) $$(APPS_INCLUDES) -MMD -MP -c -o $$@ $$<

$(BUILD)/$(1)/%.cc.o: $(1)/%.cc apps/apps.mk $(NX_WRAPPERS) | $(NX_READY)
	@mkdir -p $$(@D)
	$(BUILD)/nxc++ $$(APPS_CFLAGS) -std=c++20 $(call apps_seen,$(1)) $$(APPS_INCLUDES) -MMD -MP -c -o $$@ $$<

$(BUILD)/$(1)/%.f.o: $(1)/%.f apps/apps.mk $(NX_WRAPPERS) | $(NX_READY)
	@mkdir -p $$(@D)
	$(BUILD)/nxf77 $$(APPS_FFLAGS) -c -o $$@ $$<
endef
$(foreach root,$(APPS_ROOTS),$(eval $(call apps_compiled,$(root))))

# One runs the list of behaviours that the message system's host tests run; others make proxy calls by hand.
$(BUILD)/apps/behaviours/%.o $(BUILD)/apps/faults/%.o: APPS_INCLUDES := -I.

-include $(shell find $(wildcard $(APPS_ROOTS:%=$(BUILD)/%)) -name '*.d' 2>/dev/null)

include apps/host_tests.mk
