# SPDX-License-Identifier: MIT
# Host tests: how a fragment declares them, in which flavours they are built.
#
#   $(call host_tests,NAME,SOURCES,FLAVOURS)   one Catch2 program of these sources in each flavour
#   $(call host_tests_on_request,NAME,SOURCES,FLAVOURS)   the same, which `make test' neither builds nor runs
#   $(call host_program,NAME,OBJECTS,SOURCES,LINK-FLAGS)   one of objects that the fragment compiles itself
#
# SOURCES are the sources under test and the tests (*_test.cpp, *_explored.cpp). A program's name is its
# suite's:
# build/tests/NAME, build/tests/asan/NAME, build/tests/tsan/NAME. What is declared so is found by
# testing/test_all.py; nothing else has to list it.

TESTS := $(BUILD)/tests
# Where what was made of Catch2 lies, which knows no leaves.
CATCH_TESTS := $(or $(BASE),$(BUILD))/tests
CATCH_MAIN := $(CATCH_TESTS)/catch_main.o
HOST_FLAGS := -std=c++23 -O2 -g -Wall -Wextra $(if $(WERROR),-Werror) -MMD -MP -I. -I$(BUILD)/generated \
  -Ibase/checked -Iarch/linux

# plain: over Linux threads (arch/hosted). asan, tsan: the same under the sanitizers. explored: over the
# explorer's fibers, whose headers stand first on the include path; it answers what the thread sanitizer's
# instructions call itself, and that library is not linked.
# Undefined behaviour ends in a trap, and the address sanitizer names its function and line. Code that also
# says what was undefined makes these objects more than twice as large, and compiling them slower.
SANITIZE_asan := -fsanitize=address,undefined -fsanitize-undefined-trap-on-error
# It knows no fences. Those of these sources are between words that hand over nothing.
SANITIZE_tsan := -fsanitize=thread -Wno-tsan
FLAVOUR_plain := $(HOST_FLAGS) -Iarch/hosted -O1 -g1
# To instrument optimised code takes the compiler longer than the tests then save.
FLAVOUR_asan := $(HOST_FLAGS) -Iarch/hosted -O0 -g1 $(SANITIZE_asan)
FLAVOUR_tsan := $(HOST_FLAGS) -Iarch/hosted -O1 -g1 $(SANITIZE_tsan)
FLAVOUR_explored := -Itesting/explored $(HOST_FLAGS) -O1 -g1 -fsanitize=thread -Wno-tsan
OBJECTS_plain := $(TESTS)/objects
OBJECTS_asan := $(TESTS)/asan/objects
OBJECTS_tsan := $(TESTS)/tsan/objects
OBJECTS_explored := $(TESTS)/explored/objects
PROGRAMS_plain := $(TESTS)
PROGRAMS_asan := $(TESTS)/asan
PROGRAMS_tsan := $(TESTS)/tsan
PROGRAMS_explored := $(TESTS)

# Catch2 and the standard library are read once for all sources of a flavour: what the compiler has made of
# them stands first, in every test Catch2, in other sources the library alone, for it can stand nowhere else.
# Named by its own path: the header's would be found first, and read. One that does not fit is an error, for
# nothing else would tell.
first_of = $(patsubst $(TESTS)/%,$(CATCH_TESTS)/%,$(OBJECTS_$(1)))
catch_first = $(call first_of,$(1))/first/testing/catch.hpp.gch
CATCH_FIRST = -include $(basename $(call catch_first,$(1))) -fpch-preprocess -Werror=invalid-pch
standard_first = $(call standard_headers,$(call first_of,$(1))).gch
HOST_FIRST = $(call FIRST,$(call first_of,$(1)))

# $(1): a flavour
define flavour_rules
$(OBJECTS_$(1))/%.o: %.cpp testing/testing.mk \
    $(call standard_first,$(1)) | $(BUILD)/generated/messaging/leaves.hpp
	@mkdir -p $$(@D)
	$$(HOST_CXX) $$(call HOST_FIRST,$(1)) $$(FLAVOUR_$(1)) -c $$< -o $$@
$(call standard_headers_rule,$(call first_of,$(1)),$$(HOST_CXX) $$(FLAVOUR_$(1)),testing/testing.mk,\
  base/hosted_headers.hpp)
$(foreach kind,test explored,$(call test_rule,$(1),$(kind)))
$(call catch_first,$(1)): testing/catch.hpp testing/testing.mk $(COMPILED_BY)
	@mkdir -p $$(@D)
	$$(HOST_CXX) $$(FLAVOUR_$(1)) -w -x c++-header $$< -o $$@
endef
# $(2): what the names of its tests end in
define test_rule
$(OBJECTS_$(1))/%_$(2).o: %_$(2).cpp testing/testing.mk \
    $(call catch_first,$(1)) | $(BUILD)/generated/messaging/leaves.hpp
	@mkdir -p $$(@D)
	$$(HOST_CXX) $$(call CATCH_FIRST,$(1)) $$(FLAVOUR_$(1)) -c $$< -o $$@

endef
$(foreach flavour,plain asan tsan explored,$(eval $(call flavour_rules,$(flavour))))

$(CATCH_MAIN): testing/catch_main.cpp testing/progress.hpp
	@mkdir -p $(@D)
	$(HOST_CXX) -std=c++23 -O0 -Wall -Wextra $(if $(WERROR),-Werror) -I. -c $< -o $@

# What the runner is told of each program: its suite|the program|the files with its tests|how often.
HOST_SUITES :=
# Suites that `make test-all' alone runs (testing/suites/declarations.py): own leaves are booted, too.
SELDOM_SUITES := own_leaves/virtual
HOST_TESTS :=
comma := ,
joined = $(subst $(space),$(comma),$(strip $(1)))
define host_program_rules
$(TESTS)/$(1): $(2) $(CATCH_MAIN)
	$$(HOST_CXX) $(4) $$^ -pthread -o $$@
HOST_TESTS += $(TESTS)/$(1)
HOST_SUITES += '$(1)|$(TESTS)/$(1)|$(call joined,$(filter %_test.cpp %_explored.cpp,$(3)))|$(if \
  $(filter $(1),$(SELDOM_SUITES)),seldom)'
endef
host_program = $(eval $(call host_program_rules,$(1),$(2),$(3),$(4)))

# A program that `make test' leaves alone: $(3) its link flags, $(4) its sources.
REQUESTED_SUITES :=
define requested_program_rules
$(TESTS)/$(1): $(2) $(CATCH_MAIN)
	$$(HOST_CXX) $(3) $$^ -pthread -o $$@
REQUESTED_SUITES += '$(1)|$(TESTS)/$(1)|$(call joined,$(filter %_test.cpp %_explored.cpp,$(4)))'
endef

host_objects = $(patsubst %.cpp,$(OBJECTS_$(2))/%.o,$(1))
define host_tests_in
$(call host_program,$(patsubst $(TESTS)/%,%,$(PROGRAMS_$(3))/$(1)),$(call host_objects,$(2),$(3)),\
  $(2),$(SANITIZE_$(3)))
$(eval -include $(patsubst %.cpp,$(OBJECTS_$(3))/%.d,$(2)))
endef
define host_tests_on_request_in
$(eval $(call requested_program_rules,$(patsubst $(TESTS)/%,%,$(PROGRAMS_$(3))/$(1)),\
  $(call host_objects,$(2),$(3)),$(SANITIZE_$(3)),$(2)))
$(eval -include $(patsubst %.cpp,$(OBJECTS_$(3))/%.d,$(2)))
endef
host_tests_on_request = $(foreach flavour,$(3),$(call host_tests_on_request_in,$(1),$(2),$(flavour)))
host_tests = $(foreach flavour,$(3),$(call host_tests_in,$(1),$(2),$(flavour)))
