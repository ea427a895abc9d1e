# SPDX-License-Identifier: MIT
# The framework's list of leaves, its host tests, the tool that knows designs, and the user-level message
# library.

FACTOR_FOLDERS := $(addprefix messaging/,location context_switch interaction port transport transfer \
  polling) sched/synchronization
LEAF_LIST := $(BUILD)/generated/messaging/leaves.hpp

ADDED_LEAVES := $(BUILD)/generated/added_leaves
leaves_in = $(wildcard $(foreach factor,$(1),$(addprefix $(factor)/,*.hpp */*.hpp)))

# What was built with other folders is built anew. Folders without leaves are told of here, once.
$(ADDED_LEAVES): $(if $(filter-out x$(file <$(ADDED_LEAVES)),x$(strip $(LEAVES))),always)
	@$(PYTHON) tools/list_leaves.py --check $(LEAVES)
	@mkdir -p $(@D)
	printf '%s' '$(strip $(LEAVES))' > $@
.PHONY: always

# Which files have leaves. One that is gone is nothing that make could look at, so what they were is kept.
LEAF_FOLDERS := $(FACTOR_FOLDERS) sched/semaphore $(addprefix userlib/loops/,distribution barrier wait)
LEAF_FILES := $(BUILD)/generated/leaf_files
LEAF_FILES_NOW := $(sort $(call leaves_in,$(LEAF_FOLDERS) \
    $(foreach folder,$(LEAVES),$(addprefix $(folder)/,$(LEAF_FOLDERS)))))
LEAF_FILES_BEFORE := $(file <$(LEAF_FILES))
$(LEAF_FILES): $(if $(filter-out $(LEAF_FILES_BEFORE),$(LEAF_FILES_NOW))$(filter-out \
    $(LEAF_FILES_NOW),$(LEAF_FILES_BEFORE)),always)
	@mkdir -p $(@D)
	@printf '%s' '$(LEAF_FILES_NOW)' > $@

# The kinds of semaphores.
SEMAPHORE_LIST := $(BUILD)/generated/sched/leaves.hpp
$(SEMAPHORE_LIST): tools/list_leaves.py $(ADDED_LEAVES) $(LEAF_FILES) $(LEAF_FILES_NOW)
	@mkdir -p $(@D)
	$(PYTHON) tools/list_leaves.py sched $@ $(LEAVES)
	@touch $@
# Their names and those of the factors' leaves, for tests that are told to take one.
LEAF_NAMES := $(BUILD)/generated/leaf_names.hpp
$(LEAF_NAMES): tools/list_leaves.py $(ADDED_LEAVES) $(LEAF_FILES) $(LEAF_FILES_NOW)
	@mkdir -p $(@D)
	$(PYTHON) tools/list_leaves.py names $@ $(LEAVES)
	@touch $@
$(LEAF_LIST) $(BUILD)/tests/own_leaves/generated/messaging/leaves.hpp: | $(SEMAPHORE_LIST) $(LEAF_NAMES)

$(LEAF_LIST): tools/list_leaves.py $(ADDED_LEAVES) $(LEAF_FILES) $(LEAF_FILES_NOW)
	@mkdir -p $(@D)
	$(PYTHON) tools/list_leaves.py messaging $@ $(LEAVES)
	@touch $@

DESIGN_SOURCES := $(addprefix messaging/design/,design.cpp leaf_arguments.cpp refusals.cpp fixed_string.cpp \
  traits.cpp semaphores.cpp)
DESIGNS_SOURCES := tools/designs.cpp $(DESIGN_SOURCES) base/result.cpp
DESIGNS_OBJECTS := $(DESIGNS_SOURCES:%.cpp=$(BUILD)/designs.objects/%.o)

$(DESIGNS_OBJECTS): $(BUILD)/designs.objects/%.o: %.cpp messaging/messaging.mk | $(LEAF_LIST)
	@mkdir -p $(@D)
	$(HOST_CXX) $(HOST_FLAGS) -Iarch/hosted -c $< -o $@

$(BUILD)/designs: $(DESIGNS_OBJECTS)
	$(HOST_CXX) -static $^ -o $@

-include $(DESIGNS_OBJECTS:.o=.d)

# The user-level message library: the same messaging sources over userlib/library/platform.hpp. No writable
# data: all processes of a domain share its mapping.
# The kinds of semaphores are the kernel's business.
LIBRARY_SOURCES := $(filter-out %_test.cpp %_explored.cpp %_static.cpp %_virtual.cpp \
    messaging/design/semaphores.cpp,\
  $(wildcard $(addsuffix /*.cpp,messaging messaging/* userlib/library))) \
  base/result.cpp arch/x86_64/copy.S
LIBRARY_virtual := $(wildcard messaging/*_virtual.cpp)
LIBRARY_static := $(wildcard userlib/library/*_static.cpp)
LIBRARY_FLAGS := -std=c++23 -O2 -g -ffreestanding -fno-exceptions -fno-rtti -fno-stack-protector \
  -fno-threadsafe-statics -mgeneral-regs-only -fPIE -fvisibility=hidden -fcf-protection=none \
  -fno-asynchronous-unwind-tables -fno-strict-aliasing -fno-delete-null-pointer-checks -ffunction-sections \
  -fno-devirtualize -fno-devirtualize-speculatively $(ALIGNED) -Wall -Wextra $(if $(WERROR),-Werror) \
  -ffile-prefix-map='$(CURDIR)/'= -MMD -MP -I. -Iuserlib/library -I$(BUILD)/generated \
  -Ibase/unchecked

# The base comes from start_info.h, the one place that knows it. All code that names one port lies together:
# with static dispatch this is the code of its rows, which would else lie all over the library, so that two
# parts of what one message runs might want the same place of a cache that is mapped directly.
OF_PORTS = sed -n 's/^using PortLeaves = messaging::LeafList<\(.*\)>;/\1/p' $(LEAF_LIST) | \
  sed 's/\([A-Za-z0-9]*\)Port[, ]*/*(.text.*\1*) /g'
$(BUILD)/lib/library.ld: userlib/library/library.ld.in interface/start_info.h messaging/messaging.mk \
    $(LEAF_LIST)
	@mkdir -p $(@D)
	ports="$$($(OF_PORTS))"; test -n "$$ports" && \
	sed "s/@BASE@/$$(sed -n 's/.define PARLEY_LIBRARY_BASE \(0x[0-9a-f]*\).*/\1/p' \
	  interface/start_info.h)/; s/@PORTS@/$$ports/" $< > $@

# Objects of one kind, for both ways of dispatch. $(1): folder, $(2): includes before all others, $(3): flags
# behind all others, $(4): the build, if it is not this one. Static dispatch has lines alone for debuggers, as
# in the kernel.
define library_objects
$(call standard_headers_rule,$(1)/lib/objects,$$(HOST_CXX) $$(LIBRARY_FLAGS) $(3),messaging/messaging.mk)
$(1)/lib/objects/userlib/library/composition_static.cpp.o: private LIBRARY_FLAGS += -g1
$(1)/lib/objects/userlib/library/composition_static.cpp.o: private FIRST :=
$(1)/lib/objects/%.cpp.o: %.cpp messaging/messaging.mk $(call standard_headers,$(1)/lib/objects).gch \
    | $(LEAF_LIST)
	@mkdir -p $$(@D)
	$$(HOST_CXX) $$(call FIRST,$(1)/lib/objects) $(2) \
	  $$(subst $(BUILD)/generated,$(firstword $(4) $(BUILD))/generated,$$(LIBRARY_FLAGS)) \
	  $(3) -c $$< -o $$@

$(1)/lib/objects/%.S.o: %.S
	@mkdir -p $$(@D)
	$$(HOST_CXX) -g -c $$< -o $$@
endef

# $(1): folder of the library, $(2): virtual or static, $(3): a name, $(4): folder of the objects, $(5): more
# sources
define library_rules
LIBRARY_OBJECTS_$(3) := $$(call objects_of,$(patsubst $(BUILD)/%,%,$(4)/lib/objects),\
  $$(LIBRARY_SOURCES) $$(LIBRARY_$(2)) $(5))

$(1)/lib/messages.elf: $$(LIBRARY_OBJECTS_$(3)) $(BUILD)/lib/library.ld
	@mkdir -p $$(@D)
	$$(HOST_CXX) -nostdlib -static -no-pie -Wl,--build-id=none -Wl,-z,max-page-size=4096 \
	  -Wl,-z,noexecstack -T $(BUILD)/lib/library.ld $$(LIBRARY_OBJECTS_$(3)) -o $$@

-include $$(LIBRARY_OBJECTS_$(3):.o=.d)
endef

# $(1): folder, $(2): a name, $(3): includes before all others, $(4): more sources, $(5): flags behind others
define libraries
$(eval $(call library_objects,$(1),$(3),$(5)))
$(eval $(call library_rules,$(1),virtual,$(2)virtual,$(1),$(4)))
$(eval $(call library_rules,$(1)/static,static,$(2)static,$(1),$(4)))
endef

# A traced one finds other trace_points.hpp first.
WATCHED_INCLUDES := -Iuserlib/library/traced
WATCHED_SOURCES := $(wildcard userlib/library/traced/*.cpp)
$(call libraries,$(BUILD))
$(if $(BASE),$(eval $(call library_objects,$(BASE),,,$(BASE))))
# Nobody measures these.
$(foreach kind,traced checked,$(eval $(BUILD)/$(kind)/lib/objects/userlib/library/composition_static.cpp.o: \
  private LIBRARY_FLAGS += -O0))
$(call libraries,$(BUILD)/traced,traced_,$(WATCHED_INCLUDES),$(WATCHED_SOURCES),-g1)
$(call libraries,$(BUILD)/checked,checked_,-I$(CHECKED_HEADERS),,-g1)

HOSTED_JOB := arch/hosted/platform.cpp testing/hosted_job.cpp testing/calling_process.cpp \
  base/result.cpp

# Host tests. Everything in the folders joins in by itself, each source in one of three programs. `leaves`:
# what every leaf does, through its interface alone. `parts`: what needs no threads; the address sanitizer
# sees all of it, so neither the thread sanitizer nor the plain program, which is built on request, has to.
# `messaging`: all that composes a system, or has threads.
MESSAGING_SOURCES := $(filter-out %_explored.cpp %_static.cpp,\
  $(wildcard $(addsuffix /*.cpp,messaging messaging/* \
  messaging/*/* sched/synchronization)))
MESSAGING_TESTS := $(filter %_test.cpp,$(MESSAGING_SOURCES))
MESSAGING_TESTED := $(filter-out %_test.cpp,$(MESSAGING_SOURCES)) \
  $(HOSTED_JOB)
WRONG_LEAF_TESTS := $(filter %/wrong_leaf_test.cpp,$(MESSAGING_TESTS))
LEAVES_TESTS := $(filter-out $(WRONG_LEAF_TESTS),$(shell grep -lE '_faults\.hpp' $(MESSAGING_TESTS)))
LEAVES_TESTED := messaging/memory/buddy_heap.cpp messaging/memory/blocks.cpp $(DESIGN_SOURCES) \
  arch/hosted/platform.cpp base/result.cpp
PARTS_TESTS := $(filter-out $(LEAVES_TESTS) $(WRONG_LEAF_TESTS),\
  $(shell grep -LE '<thread>|hosted_job\.hpp' $(MESSAGING_TESTS)))
$(call host_tests,leaves,$(LEAVES_TESTED) $(LEAVES_TESTS),asan tsan)
# That the tests find wrong leaves is seen once; what is broken on purpose tells a sanitizer nothing.
$(call host_tests,leaves,$(LEAVES_TESTED) $(LEAVES_TESTS) $(wildcard testing/*_test.cpp) \
  $(WRONG_LEAF_TESTS),plain)
PARTS_TESTED := $(MESSAGING_TESTED) $(addprefix testing/,fake_job.cpp fake_factors.cpp call_scene.cpp) \
  $(PARTS_TESTS)
$(call host_tests,parts,$(PARTS_TESTED),asan)
$(call host_tests_on_request,parts,$(PARTS_TESTED),plain)
COMPOSED_TESTS := $(filter-out $(LEAVES_TESTS) $(WRONG_LEAF_TESTS) $(PARTS_TESTS),$(MESSAGING_TESTS))
$(call host_tests,messaging,$(MESSAGING_TESTED) $(COMPOSED_TESTS),asan tsan)
$(call host_tests_on_request,messaging,$(MESSAGING_TESTED) $(COMPOSED_TESTS),plain)

# The rows of static dispatch. Most of the time would go into optimising what runs for three seconds.
$(OBJECTS_plain)/testing/composition_static.o: private FLAVOUR_plain += -O0
$(OBJECTS_plain)/testing/composition_static.o: private HOST_FIRST :=
STATIC_TESTED := testing/composition_static.cpp $(addprefix messaging/,design/presets_test.cpp \
  memory/buddy_heap.cpp memory/blocks.cpp) $(DESIGN_SOURCES) \
  $(HOSTED_JOB)
$(call host_tests,static,$(STATIC_TESTED),plain)

# Leaves of every factor that only a test composes: the sources that see a list of leaves see a longer one
# here.
OWN_LEAVES := testing/own_leaves
OWN_LISTED := $(TESTS)/own_leaves/generated/messaging/leaves.hpp
OWN_HEADERS := $(wildcard $(addprefix $(OWN_LEAVES)/,*/*/*.hpp */*/*/*.hpp))
OWN_TESTED := $(wildcard $(addprefix $(OWN_LEAVES)/,*_test.cpp */*/*_test.cpp */*/*/*_test.cpp)) \
  messaging/memory/buddy_heap.cpp messaging/memory/blocks.cpp messaging/system_bytes.cpp $(DESIGN_SOURCES) \
  $(HOSTED_JOB)
OWN_virtual := $(OWN_TESTED) messaging/composition_virtual.cpp messaging/message_system_virtual.cpp \
  messaging/port/port_test.cpp messaging/transfer/transfer_test.cpp \
  messaging/ending_test.cpp sched/synchronization/synchronization_test.cpp
OWN_static := $(filter-out %_virtual_test.cpp $(OWN_LEAVES)/messaging/% $(OWN_LEAVES)/sched/%,$(OWN_TESTED)) \
  $(OWN_LEAVES)/composition_static.cpp

$(OWN_LISTED): tools/list_leaves.py $(LEAF_FILES) $(LEAF_FILES_NOW) $(OWN_HEADERS)
	@mkdir -p $(@D)
	$(PYTHON) tools/list_leaves.py messaging $@ $(OWN_LEAVES)
	$(PYTHON) tools/list_leaves.py names $(TESTS)/own_leaves/generated/leaf_names.hpp $(OWN_LEAVES)
	@touch $@

$(TESTS)/own_leaves/objects/%.o: %.cpp messaging/messaging.mk $(call standard_first,plain) | $(OWN_LISTED)
	@mkdir -p $(@D)
	$(HOST_CXX) $(call HOST_FIRST,plain) -I$(TESTS)/own_leaves/generated $(FLAVOUR_plain) -c $< -o $@
$(TESTS)/own_leaves/objects/%_test.o: %_test.cpp messaging/messaging.mk \
    $(call catch_first,plain) | $(OWN_LISTED)
	@mkdir -p $(@D)
	$(HOST_CXX) $(call CATCH_FIRST,plain) -I$(TESTS)/own_leaves/generated $(FLAVOUR_plain) \
	    -c $< -o $@
$(TESTS)/own_leaves/objects/$(OWN_LEAVES)/composition_static.o: private FLAVOUR_plain += -O0
$(TESTS)/own_leaves/objects/$(OWN_LEAVES)/composition_static.o: private HOST_FIRST :=

# What sees no list of leaves is the same here.
OWN_UNLISTED := messaging/memory/buddy_heap.cpp messaging/memory/blocks.cpp base/result.cpp \
  arch/hosted/platform.cpp $(addprefix messaging/design/,fixed_string.cpp leaf_arguments.cpp refusals.cpp)
own_objects = $(patsubst %.cpp,$(TESTS)/own_leaves/objects/%.o,$(filter-out $(OWN_UNLISTED),$(1))) \
  $(call host_objects,$(filter $(OWN_UNLISTED),$(1)),plain)
$(call host_program,own_leaves/virtual,$(call own_objects,$(OWN_virtual)),$(OWN_virtual))
$(call host_program,own_leaves/static,$(call own_objects,$(OWN_static)),$(OWN_static))
-include $(patsubst %.o,%.d,$(call own_objects,$(OWN_virtual) $(OWN_static)))

# Every order of steps. Plain accesses of what is explored are told to the explorer, its own and those of what
# composes a job for it are not.
EXPLORER := testing/explorer.cpp $(wildcard testing/exploring/*.cpp)
EXPLORED := $(wildcard testing/explored/*.cpp \
    $(addsuffix *_explored.cpp,messaging/ messaging/*/ messaging/*/*/ sched/ sched/*/ jobs/ kernel/job/ \
      kernel/process/ kernel/accounting/ native/nxrun/ userlib/loops/ studies/*/measuring/)) \
  userlib/loops/kinds.cpp userlib/loops/choice.cpp jobs/roster.cpp kernel/job/cube.cpp \
  kernel/process/timer_queue.cpp \
  $(EXPLORER) \
  testing/calling_process.cpp testing/fake_factors.cpp \
  messaging/composition_virtual.cpp messaging/message_system_virtual.cpp \
  messaging/memory/buddy_heap.cpp messaging/memory/blocks.cpp messaging/system_bytes.cpp $(DESIGN_SOURCES) \
  base/result.cpp \
  sched/server.cpp sched/gang.cpp sched/system_scheduler.cpp sched/slot_scheduler.cpp \
  sched/dispatcher.cpp sched/wait_table.cpp
$(call host_tests,explorer,$(EXPLORED),explored)
$(call host_objects,$(EXPLORER) testing/explored/job.cpp testing/calling_process.cpp,explored): \
  private FLAVOUR_explored += -fno-sanitize=thread
$(call host_objects,$(EXPLORER) testing/explored/job.cpp testing/calling_process.cpp,explored): \
  private HOST_FIRST :=
# A play spends most of its time in it.
$(call host_objects,$(EXPLORER),explored): private FLAVOUR_explored += -O2

# Which cache lines a message moves.
include testing/ledger/ledger.mk
