# SPDX-License-Identifier: MIT
# The study of Islam and Campbell: designs, applications and gangs beside what they print.

PAPER := studies/paper/tools
PAPER_DATA := $(BUILD)/paper/data
PAPER_ORDERINGS = $(PYTHON) -B tools/bench.py counted --data $(PAPER_DATA)
PAPER_NULL = $(PYTHON) -B $(PAPER)/where_time_goes.py --data $(PAPER_DATA)
PAPER_APPLICATIONS = $(PYTHON) -B $(PAPER)/applications.py fft simplex --data $(PAPER_DATA)
PAPER_GANGS = $(PYTHON) -B $(PAPER)/gangs.py --data $(PAPER_DATA)
PAPER_PAGE = $(PYTHON) -B $(PAPER)/draw.py $(PAPER_DATA) $(BUILD)/paper

# FULL=1: more sizes and samples, and all steps of the simplex method.
FULL ?=
PAPER_MODELLED_DATA := $(BUILD)/paper/modelled/data
PAPER_MODELLED = $(PYTHON) -B $(PAPER)/modelled.py $(if $(filter-out 0,$(FULL)),--full) \
  --data $(PAPER_MODELLED_DATA) --records $(BUILD)/paper/modelled/records
PAPER_MODELLED_PAGE = $(PYTHON) -B $(PAPER)/draw.py $(PAPER_MODELLED_DATA) $(BUILD)/paper/modelled

# Gangs alone, oftener.
.PHONY: gang-collection
gang-collection:
	@+$(MAKE) --quiet run-files $(MODEL_PLUGIN) apps
	@$(PYTHON) -B $(PAPER)/collection.py --records $(BUILD)/paper/modelled/records/collection

STUDY_WORDS_paper := CLOCK FULL

.PHONY: study-paper profile
ifneq ($(filter-out modelled,$(CLOCK))$(if $(CLOCK),,$(filter-out 0,$(FULL))),)
study-paper:
	@echo "make paper: CLOCK is modelled, or left out; and FULL=1 goes with CLOCK=modelled." >&2
	@exit 2
else ifeq ($(CLOCK),modelled)
# Everything on the modelled Multimax.
study-paper:
	@tools/install.sh paper
	@+$(MAKE) --quiet run-files $(SYSTEM_static) $(MODEL_PLUGIN) apps
	@rm -rf $(PAPER_MODELLED_DATA)
	@$(call in_turn,PAPER_MODELLED PAPER_MODELLED_PAGE)
else
study-paper:
	@tools/install.sh paper
	@+$(MAKE) --quiet run-files $(SYSTEM_static) apps
	@rm -rf $(PAPER_DATA)
	@$(call in_turn,PAPER_ORDERINGS PAPER_NULL PAPER_APPLICATIONS PAPER_GANGS PAPER_PAGE)
endif

# Where a message's time goes, beside figure 16.
profile:
	@tools/install.sh run
	@+$(MAKE) --quiet run-files $(SYSTEM_static)
	@$(PYTHON) -B $(PAPER)/where_time_goes.py
