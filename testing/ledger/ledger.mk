# SPDX-License-Identifier: MIT
# The ledger of cache lines: what it records is instrumented, the rest is as in other host tests.
LEDGER := $(TESTS)/ledger/objects
LEDGER_RECORDED := $(addprefix $(LEDGER)/,testing/ledger/transfers_test.o \
  messaging/memory/buddy_heap.o arch/hosted/platform.o)
LEDGER_SOURCES := testing/ledger/recorder.cpp messaging/memory/blocks.cpp messaging/system_bytes.cpp \
  $(DESIGN_SOURCES) base/result.cpp
LEDGER_FLAGS := $(filter-out -Ibase/checked,$(HOST_FLAGS)) -Ibase/unchecked \
  -include testing/ledger/copies.hpp -Iarch/hosted -O1 -g1 -fsanitize=thread -Wno-tsan -fno-access-control

$(LEDGER)/%.o: %.cpp testing/ledger/ledger.mk testing/ledger/copies.hpp | $(LEAF_LIST)
	@mkdir -p $(@D)
	$(HOST_CXX) $(LEDGER_FLAGS) -c $< -o $@

$(call host_program,ledger/lines,$(LEDGER_RECORDED) $(call host_objects,$(LEDGER_SOURCES),plain),\
  testing/ledger/transfers_test.cpp)

# What callers need to find a port's functions.
LEDGER_PORTS := $(addprefix $(LEDGER)/,testing/ledger/ports_test.o messaging/memory/buddy_heap.o \
  arch/hosted/platform.o)
$(call host_program,ledger/ports,$(LEDGER_PORTS) $(call host_objects,testing/ledger/recorder.cpp \
  base/result.cpp $(DESIGN_SOURCES),plain),testing/ledger/ports_test.cpp)
-include $(sort $(LEDGER_RECORDED:.o=.d) $(LEDGER_PORTS:.o=.d))
