# SPDX-License-Identifier: MIT
# The study of parallel loops on Cedar: the document's tables, computed again; and five programs of
# its loop structures, which are linked with the loop runtime.

.PHONY: study-cedar
STUDY_WORDS_cedar := CLOCK EFFECTS
ifneq ($(filter-out modelled,$(CLOCK)),)
study-cedar:
	@echo "make paper: CLOCK is modelled, or left out." >&2
	@exit 2
else ifneq ($(filter-out 1,$(EFFECTS))$(if $(EFFECTS),$(filter-out modelled,$(or $(CLOCK),none))),)
study-cedar:
	@echo "make paper: EFFECTS=1 goes with CLOCK=modelled, and takes no other number." >&2
	@exit 2
else ifeq ($(CLOCK)$(EFFECTS),modelled1)
# What was proposed for Cedar and not built, each beside the same without it.
study-cedar:
	@+$(MAKE) --quiet run-files $(MODEL_PLUGIN) \
	    $(foreach name,$(CEDAR_PROGRAMS),$(BUILD)/apps/$(name)/$(name))
	@$(PYTHON) -B studies/cedar/tools/effects.py --records $(BUILD)/paper/cedar/modelled/records
else ifeq ($(CLOCK),modelled)
# The programs in booted kernels on the modelled machine.
study-cedar:
	@tools/install.sh paper
	@+$(MAKE) --quiet run-files $(TRACED_FILES) $(ACCOUNTED_$(DISPATCH)) $(MODEL_PLUGIN) \
	    $(foreach name,$(CEDAR_PROGRAMS),$(BUILD)/apps/$(name)/$(name))
	@$(PYTHON) -B studies/cedar/tools/modelled.py --records $(BUILD)/paper/cedar/modelled/records \
	    --out $(BUILD)/paper/cedar/modelled
else
study-cedar:
	@$(PYTHON) -B studies/cedar/tools/overheads.py printed
endif

CEDAR_PROGRAMS := $(patsubst %/,%,$(notdir $(patsubst %/,%,$(dir $(wildcard studies/cedar/apps/*/*.c)))))
define cedar_program
$(BUILD)/apps/$(1)/$(1) $(NATIVE)/apps/$(1)/$(1): APPS_LIBRARIES := $(BUILD)/lib/openmp/libgomp.a -pthread
$(BUILD)/apps/$(1)/$(1) $(NATIVE)/apps/$(1)/$(1): $(BUILD)/lib/openmp/libgomp.a
endef
$(foreach name,$(CEDAR_PROGRAMS),$(eval $(call cedar_program,$(name))))
