# SPDX-License-Identifier: MIT
# Host tests of the scheduler, and of how jobs use it: their own sources on simulated processors. What
# switches real processors is tested by booting.

SCHED_TESTED := sched/server.cpp sched/gang.cpp sched/system_scheduler.cpp sched/slot_scheduler.cpp \
  kernel/job/schedule_plan.cpp messaging/design.cpp messaging/traits.cpp messaging/sentence.cpp \
  kernel/base/result.cpp \
  $(wildcard sched/*_test.cpp kernel/job/*_test.cpp)

# $(1): folder of the flavour, $(2): its flags
define sched_test_rules
$(1)/sched: $(SCHED_TESTED:%.cpp=$(1)/objects/%.o) $(CATCH_MAIN)
	$$(HOST_CXX) $(2) $$^ -pthread -o $$@
-include $(SCHED_TESTED:%.cpp=$(1)/objects/%.d)
HOST_TESTS += $(1)/sched
endef

$(eval $(call sched_test_rules,$(BUILD)/tests,))
$(eval $(call sched_test_rules,$(BUILD)/tests/asan,-fsanitize=address$(comma)undefined))
