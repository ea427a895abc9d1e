# SPDX-License-Identifier: MIT
# Host tests of the scheduler, and of how jobs use it: their own sources on simulated processors. What
# switches real processors is tested by booting.

SCHED_TESTED := sched/server.cpp sched/gang.cpp sched/system_scheduler.cpp sched/slot_scheduler.cpp \
  kernel/job/schedule_plan.cpp kernel/job/shares.cpp \
  messaging/design/design.cpp messaging/design/traits.cpp messaging/design/fixed_string.cpp \
  messaging/design/leaf_arguments.cpp messaging/design/refusals.cpp \
  base/result.cpp \
  $(wildcard sched/*_test.cpp kernel/job/*_test.cpp)
$(call host_tests,sched,$(SCHED_TESTED),asan)
$(call host_tests_on_request,sched,$(SCHED_TESTED),plain)

# Its tests go through so many steps that optimised code saves more than it costs the compiler; what was made
# of headers for other code does not fit them.
$(OBJECTS_asan)/sched/%.o: private FLAVOUR_asan += -O1
$(OBJECTS_asan)/sched/%.o: private CATCH_FIRST :=
$(OBJECTS_asan)/sched/%.o: private HOST_FIRST :=

# Semaphores, with real threads.
SEMAPHORES_TESTED := $(wildcard sched/semaphore/*_test.cpp) native/library/shared_semaphores_test.cpp \
  $(DESIGN_SOURCES) \
  arch/hosted/platform.cpp base/result.cpp
$(call host_tests,semaphores,$(SEMAPHORES_TESTED),plain tsan)
