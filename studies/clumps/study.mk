# SPDX-License-Identifier: MIT
# The study of clusters of multiprocessors: the thesis's model of shared network interfaces, beside what it
# says of it, where nothing is built; and its programs in booted kernels on the modelled Enterprise 5000, or
# on this host's own processors.

CLUMPS_SLOWDOWNS = $(PYTHON) -B studies/clumps/tools/sharing.py slowdowns
CLUMPS_PRINTED = echo; $(PYTHON) -B studies/clumps/tools/sharing.py printed
CLUMPS_PROGRAMS := con em3d fft_3d loggp many_to_one sample_sort sequential two_sources
CLUMPS_MODELLED = $(PYTHON) -B studies/clumps/tools/modelled.py $(if $(filter-out 0,$(FULL)),--full) \
  --records $(BUILD)/paper/clumps/modelled --dispatch $(DISPATCH)
# What the whole study has beside that, with statements and a list of reasons of its own.
CLUMPS_MORE = $(PYTHON) -B studies/clumps/tools/programs.py --records $(BUILD)/paper/clumps/modelled
CLUMPS_NATIVE = $(PYTHON) -B studies/clumps/tools/native.py $(if $(filter-out 0,$(FULL)),--full) \
  --native $(NATIVE) --records $(BUILD)/paper/clumps/native
STUDY_WORDS_clumps := CLOCK FULL DISPATCH
.PHONY: study-clumps
CLUMPS_NEED_CLOCK := $(filter-out 0,$(FULL)) $(filter-out virtual,$(DISPATCH))
CLUMPS_MISPLACED := $(filter-out modelled native,$(CLOCK)) \
  $(if $(CLOCK),,$(CLUMPS_NEED_CLOCK)) $(if $(filter native,$(CLOCK)),$(filter-out virtual,$(DISPATCH)))
ifneq ($(strip $(CLUMPS_MISPLACED)),)
study-clumps:
	@echo "make paper: CLOCK is modelled or native, or left out; FULL=1 goes with either, and DISPATCH=static" \
	    "with CLOCK=modelled." >&2
	@exit 2
else ifeq ($(CLOCK),modelled)
study-clumps:
	@tools/install.sh paper
	@+$(MAKE) --quiet run-files $(SYSTEM_virtual) $(MODEL_PLUGIN) \
	    $(foreach name,$(CLUMPS_PROGRAMS),$(BUILD)/apps/$(name)/$(name))
	@$(call in_turn,CLUMPS_MODELLED $(if $(filter-out 0,$(FULL)),CLUMPS_MORE))
else ifeq ($(CLOCK),native)
study-clumps:
	@+$(MAKE) --quiet native
	@$(CLUMPS_NATIVE)
else
study-clumps:
	@$(call in_turn,CLUMPS_SLOWDOWNS CLUMPS_PRINTED)
endif
