# SPDX-License-Identifier: MIT
# The kernel: build/kernel.elf (virtual dispatch), build/static/kernel.elf (static dispatch), and of other
# kinds the same two in build/traced (watched), build/accounted (processors' time is told apart) and
# build/checked (what must hold is looked at); beside each measuring/kernel.elf, which also measures gangs

KERNEL_FLAGS := -std=c++23 -O2 -g -ffreestanding -fno-exceptions -fno-rtti -fno-stack-protector \
  -fno-threadsafe-statics -mno-red-zone -mcmodel=kernel -mgeneral-regs-only -fno-pic -fcf-protection=none \
  -fno-asynchronous-unwind-tables \
  -fno-omit-frame-pointer -fno-delete-null-pointer-checks -fno-strict-aliasing \
  -fno-devirtualize -fno-devirtualize-speculatively $(ALIGNED) -Wall -Wextra -MMD -MP \
  -ffile-prefix-map='$(CURDIR)/'= $(if $(WERROR),-Werror)
KERNEL_INCLUDES := -I. -Ikernel/platform -Iarch/x86_64 -I$(BUILD)/generated \
  -Ibase/unchecked

# A folder's sources are its *.cpp without the tests; X_virtual.cpp and X_static.cpp belong to one way of
# dispatch.
KERNEL_FOLDERS := arch/x86_64 sched messaging messaging/* jobs kernel base kernel/boot kernel/job \
  kernel/memory \
  kernel/network kernel/platform kernel/process kernel/program kernel/program/linux_calls kernel/report
KERNEL_SOURCES := $(filter-out %_test.cpp %_explored.cpp %_static.cpp %_virtual.cpp,\
  $(wildcard $(addsuffix /*.cpp,$(KERNEL_FOLDERS)))) \
  $(wildcard arch/x86_64/*.S)

# The leaves that decide something when the kernel makes a job.
JOB_LEAVES := $(BUILD)/generated/kernel/job/leaves.hpp

JOB_FACTORS := kernel/job/system_home kernel/job/residency
$(JOB_LEAVES): tools/list_leaves.py $(BUILD)/generated/added_leaves $(JOB_FACTORS) \
    $(wildcard $(addsuffix /*.hpp,$(JOB_FACTORS) \
    $(foreach folder,$(LEAVES),$(addprefix $(folder)/,$(JOB_FACTORS)))))
	@mkdir -p $(@D)
	$(PYTHON) tools/list_leaves.py kernel $@ $(LEAVES)
	@touch $@

# A traced kernel finds other trace_points.hpp first and has a recorder.
TRACED_HEADERS := kernel/trace/on
TRACED_SOURCES := $(wildcard kernel/trace/*.cpp)

# An accounting one finds other processor_time_points.hpp and accounting_points.hpp first, and has accounts.
ACCOUNTED_HEADERS := kernel/accounting/on
ACCOUNTED_SOURCES := $(filter-out %_test.cpp %_explored.cpp,$(wildcard kernel/accounting/*.cpp))

# A checked one finds the assertion.hpp that asserts first; so does its library (messaging.mk).
CHECKED_HEADERS := base/checked

# What a measuring kernel has beside the nucleus: what measures gangs, and what studies inject into the
# machine. The runner takes it where a program or a key asks for it.
MEASURING_SOURCES := $(filter-out %_test.cpp %_explored.cpp,\
  $(wildcard measuring/*.cpp studies/*/measuring/*.cpp))

# $(1): the image's folder, $(2): that of its linker script, $(3): its objects. It is linked twice: the first
# has the symbols of which the second has a table.
define kernel_image
$(1)/objects/no_symbols.S: tools/kernel_symbols.py
	@mkdir -p $$(@D)
	$$(PYTHON) $$< --empty > $$@
$(1)/kernel_first.elf: $(3) $(1)/objects/no_symbols.S.o $(2)/kernel.ld
	$$(KERNEL_LINK) -T $(2)/kernel.ld $(3) $(1)/objects/no_symbols.S.o -o $$@
$(1)/objects/symbols.S: $(1)/kernel_first.elf tools/kernel_symbols.py
	$$(PYTHON) tools/kernel_symbols.py "$$(CROSS)" $$< > $$@
$(1)/objects/symbols.S.o: $(1)/objects/symbols.S
	$$(CXX) -c $$< -o $$@
$(1)/objects/no_symbols.S.o: $(1)/objects/no_symbols.S
	$$(CXX) -c $$< -o $$@
$(1)/kernel.elf: $(1)/objects/symbols.S.o $(1)/kernel_first.elf
	$$(KERNEL_LINK) -T $(2)/kernel.ld $(3) $$< -o $$@
endef

# BASE: another build, with other leaves (LEAVES). Sources that are known to see no list of leaves are the
# same there, and their plain objects are taken from it. $(1): folder of objects in either build, $(2):
# sources.
unlisting = $(patsubst $(BASE)/$(1)/%.d,%,\
  $(shell grep -rLs --include='*.d' '$(BASE)/generated/' $(BASE)/$(1)))
own_of = $(if $(and $(BASE),$(filter objects lib/objects,$(1))),\
  $(filter-out $(call unlisting,$(1)) $(filter %.S,$(2)),$(2)),$(2))
objects_of = $(patsubst %,$(BUILD)/$(1)/%.o,$(call own_of,$(1),$(2))) \
  $(patsubst %,$(BASE)/$(1)/%.o,$(filter-out $(call own_of,$(1),$(2)),$(2)))

# The plain objects, for both ways of dispatch, and what every kind makes of assembly. $(1): folder
# Every preset's classes as types of their own: to describe them to debuggers takes as long as half of the
# compiling, so static dispatch has lines alone.
define plain_objects
$(call standard_headers_rule,$(1)/objects,$$(CXX) $$(KERNEL_FLAGS),kernel/kernel.mk)
$(1)/objects/messaging/composition_static.cpp.o: private KERNEL_FLAGS += -g1
$(1)/objects/messaging/composition_static.cpp.o: private FIRST :=
# Handlers of calls save three instructions each without frame pointers, and are in backtraces all the same:
# what they call returns into them, and there is nothing behind them.
$(1)/objects/kernel/calls.cpp.o: private KERNEL_FLAGS += -fomit-frame-pointer -ffixed-rbp
$(1)/objects/kernel/calls.cpp.o: private FIRST :=
$(1)/objects/%.cpp.o: %.cpp $(call standard_headers,$(1)/objects).gch \
    | $(BUILD)/generated/messaging/leaves.hpp $(JOB_LEAVES)
	@mkdir -p $$(@D)
	$$(CXX) $$(call FIRST,$(1)/objects) $$(KERNEL_FLAGS) \
	    $(subst $(BUILD)/generated,$(1)/generated,$(KERNEL_INCLUDES)) -c $$< -o $$@
endef
define assembled_objects
$(1)/objects/%.S.o: %.S
	@mkdir -p $$(@D)
	$$(CXX) -I. -g -c $$< -o $$@
endef

# Another kind has a folder of headers that are found before all others. A source that sees none of them is
# the same there, and its plain object is taken: nine of ten are, and each takes a second to compile.
# Debuggers are for the plain kind; the others need lines for reports, and compile in two thirds of the time.
# Nobody measures their static dispatch: to optimise every preset by itself would take the compiler a quarter
# of a minute.
# $(1): folder, $(2): the folder of headers, $(3): folders of sources that belong to this kind alone
headers_of = $(patsubst $(1)/%,%,$(shell find $(1) -name '*.hpp'))
any_of = ($(subst $(nothing) $(nothing),|,$(strip $(subst .,\.,$(1)))))
sees = $(shell grep -lsE '(^|[ /])$(call any_of,$(call headers_of,$(1)))( |$$)' $(2))
define other_objects
$(call standard_headers_rule,$(1)/objects,$$(CXX) $$(KERNEL_FLAGS) -g1,kernel/kernel.mk)
$(1)/objects/messaging/composition_static.cpp.o: private KERNEL_FLAGS += -O0
$(1)/objects/messaging/composition_static.cpp.o: private FIRST :=
$(foreach own,$(3),$(eval $(call own_objects,$(1),$(2),$(own))))
$(1)/objects/%.cpp.o: %.cpp $(BUILD)/objects/%.cpp.o $(call standard_headers,$(1)/objects).gch
	@mkdir -p $$(@D)
	$$(if $$(call sees,$(2),$(BUILD)/objects/$$*.cpp.d),\
	  $$(CXX) $$(call FIRST,$(1)/objects) -I$(2) $$(KERNEL_FLAGS) $(KERNEL_INCLUDES) -g1 -c $$< -o $$@,\
	  cp -p $(BUILD)/objects/$$*.cpp.o $$@)
endef
define own_objects
$(1)/objects/$(3)/%.cpp.o: $(3)/%.cpp $(call standard_headers,$(1)/objects).gch
	@mkdir -p $$(@D)
	$$(CXX) $$(call FIRST,$(1)/objects) -I$(2) $(KERNEL_FLAGS) $(KERNEL_INCLUDES) -g1 -c $$< -o $$@
endef

# $(1): folder of the images, $(2): virtual or static, $(3): a name, $(4): folder of the objects,
# $(5): more sources
define kernel_rules
KERNEL_OBJECTS_$(3) := $(call objects_of,$(patsubst $(BUILD)/%,%,$(4)/objects),$(KERNEL_SOURCES) $(5) \
  $(wildcard messaging/*_$(2).cpp kernel/report/*_$(2).cpp))
MEASURING_OBJECTS_$(3) := $(MEASURING_SOURCES:%=$(4)/objects/%.o)
$(1)/kernel.ld: arch/x86_64/kernel.ld arch/x86_64/memory_map.hpp
	@mkdir -p $$(@D)
	$$(CXX) -E -P -I. -x c++ $$< -o $$@
$$(eval $$(call kernel_image,$(1),$(1),$$(KERNEL_OBJECTS_$(3))))
$$(eval $$(call kernel_image,$(1)/measuring,$(1),$$(KERNEL_OBJECTS_$(3)) $$(MEASURING_OBJECTS_$(3))))
-include $$(KERNEL_OBJECTS_$(3):.o=.d) $$(MEASURING_OBJECTS_$(3):.o=.d)
endef

# $(1): folder, $(2): a name, $(3): more sources
define kernels
$(eval $(call assembled_objects,$(1)))
$(eval $(call kernel_rules,$(1),virtual,$(2)virtual,$(1),$(3)))
$(eval $(call kernel_rules,$(1)/static,static,$(2)static,$(1),$(3)))
endef

KERNEL_LINK = $(CXX) -nostdlib -static -no-pie -Wl,--build-id=none -Wl,-z,max-page-size=4096 \
  -Wl,-z,noexecstack -Wl,--no-warn-rwx-segments

$(foreach folder,$(BUILD) $(BASE),$(eval $(call plain_objects,$(folder))))
$(if $(BASE),$(eval $(call assembled_objects,$(BASE))))
$(call kernels,$(BUILD))
$(eval $(call other_objects,$(BUILD)/traced,$(TRACED_HEADERS),kernel/trace))
$(call kernels,$(BUILD)/traced,traced_,$(TRACED_SOURCES))
$(eval $(call other_objects,$(BUILD)/accounted,$(ACCOUNTED_HEADERS),kernel/accounting))
$(call kernels,$(BUILD)/accounted,accounted_,$(ACCOUNTED_SOURCES))
$(eval $(call other_objects,$(BUILD)/checked,$(CHECKED_HEADERS)))
$(call kernels,$(BUILD)/checked,checked_)

# Host tests of what needs no machine: the base, programs with their files and system calls, lists of
# regions and pages, page frames.
KERNEL_TESTED := $(wildcard base/*.cpp kernel/program/*.cpp kernel/program/linux_calls/*.cpp) \
  $(wildcard $(addprefix kernel/memory/,regions*.cpp writable_pages*.cpp frames*.cpp))
# None of them has threads: the address sanitizer sees all that the plain program and the thread sanitizer
# could.
# The links between machines, who takes part, and what crosses: no processes, no devices.
NETWORK_TESTED := $(wildcard kernel/network/*_test.cpp) $(addprefix kernel/network/,attendance.cpp \
  incoming_messages.cpp job_link.cpp outgoing_messages.cpp reliable_link.cpp) \
  jobs/deadlock_search.cpp base/text.cpp arch/hosted/platform.cpp base/result.cpp
$(call host_tests,network,$(NETWORK_TESTED),asan)
$(call host_tests_on_request,network,$(NETWORK_TESTED),plain)

# Accounts are read while they change.
$(call host_tests,accounting,$(addprefix kernel/accounting/,account_test.cpp lock_waits_test.cpp \
  lock_waits.cpp),plain tsan)

$(call host_tests,nucleus,$(KERNEL_TESTED),asan)
$(call host_tests_on_request,nucleus,$(KERNEL_TESTED),plain)

.PHONY: kernel
kernel: $(BUILD)/kernel.elf
