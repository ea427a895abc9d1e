# SPDX-License-Identifier: MIT
# Host tests of what in programs needs no messages: the arithmetic of the FFT, the MPS reader and the tableau.
#
#   $(call program_tests,SUITE,SOURCES,TESTS,FLAVOUR)   one Catch2 program of C sources of programs, which are
#   compiled here, and of tests; in flavour asan or tsan

APPS_TEST_FLAGS = -O1 -g -Wall -Wextra $(if $(WERROR),-Werror) -I. -MMD -MP

# $(1): a folder of programs, $(2): a flavour
define program_objects
$(OBJECTS_$(2))/$(1)/%.c.o: $(1)/%.c apps/host_tests.mk
	@mkdir -p $$(@D)
	$$(HOST_CC) -std=gnu17 $$(APPS_TEST_FLAGS) $$(SANITIZE_$(2)) -c -o $$@ $$<
endef
$(foreach root,$(APPS_ROOTS),$(foreach flavour,asan tsan,$(eval $(call program_objects,$(root),$(flavour)))))

program_test_objects = $(2:%=$(OBJECTS_$(4))/%.o) $(call host_objects,$(3),$(4))
program_tests = $(call host_program,$(1),$(program_test_objects),$(3),$(SANITIZE_$(4))) \
  $(eval -include $(patsubst %.o,%.d,$(program_test_objects)))

$(call program_tests,programs,$(addprefix apps/fft/,butterfly.c reference.c signal.c) \
  $(filter-out %/simplex.c %/solve.c %/text.c,$(wildcard apps/simplex/*.c)),\
  $(wildcard apps/*/*_test.cpp),asan)
