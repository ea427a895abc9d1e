# SPDX-License-Identifier: MIT
# The study of parallel loops on Cedar: the document's tables, computed again; and five programs of
# its loop structures, which are linked with the loop runtime.

.PHONY: study-cedar
study-cedar:
	@$(PYTHON) -B studies/cedar/tools/overheads.py printed

CEDAR_PROGRAMS := $(patsubst %/,%,$(notdir $(patsubst %/,%,$(dir $(wildcard studies/cedar/apps/*/*.c)))))
define cedar_program
$(BUILD)/apps/$(1)/$(1) $(NATIVE)/apps/$(1)/$(1): APPS_LIBRARIES := $(BUILD)/lib/openmp/libgomp.a -pthread
$(BUILD)/apps/$(1)/$(1) $(NATIVE)/apps/$(1)/$(1): $(BUILD)/lib/openmp/libgomp.a
endef
$(foreach name,$(CEDAR_PROGRAMS),$(eval $(call cedar_program,$(name))))
