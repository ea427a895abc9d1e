# SPDX-License-Identifier: MIT
# The modelled machine: the emulator's plugin, which is loaded into it, and host tests of the model alone.

MODEL := tools/machine_model
MODEL_SOURCES := $(filter-out %_test.cpp,$(wildcard $(MODEL)/*.cpp))
MODEL_PLUGIN_SOURCES := $(MODEL_SOURCES) $(wildcard $(MODEL)/plugin/*.cpp)
MODEL_FLAGS := -std=c++23 -O2 -g1 -Wall -Wextra $(if $(WERROR),-Werror) -fPIC -fvisibility=hidden -MMD -MP -I.
MODEL_OBJECTS := $(patsubst %.cpp,$(BUILD)/machine_model/objects/%.o,$(MODEL_PLUGIN_SOURCES))
MODEL_PLUGIN := $(BUILD)/machine_model/plugin.so

$(BUILD)/machine_model/objects/%.o: %.cpp $(MODEL)/machine_model.mk
	@mkdir -p $(@D)
	$(HOST_CXX) $(MODEL_FLAGS) -c $< -o $@

# What it leaves undefined is the emulator's.
$(MODEL_PLUGIN): $(MODEL_OBJECTS)
	$(HOST_CXX) -shared $^ -o $@

# The model without the emulator: whether a machine can be.
MODEL_JUDGE := $(BUILD)/machine_model/judge
MODEL_JUDGE_OBJECTS := $(patsubst %.cpp,$(BUILD)/machine_model/objects/%.o,$(MODEL_SOURCES) \
  $(MODEL)/judge/judge_machine.cpp)
$(MODEL_JUDGE): $(MODEL_JUDGE_OBJECTS)
	$(HOST_CXX) $^ -o $@

-include $(MODEL_OBJECTS:.o=.d) $(MODEL_JUDGE_OBJECTS:.o=.d)

# Processors' threads take turns: the thread sanitizer sees that.
MODEL_THREADED := $(addprefix $(MODEL)/,processor_turns.cpp processor_turns_test.cpp processor_order.cpp)
$(call host_tests,machine_model,$(MODEL_SOURCES) $(filter-out $(MODEL)/processor_turns_test.cpp,$(wildcard \
  $(MODEL)/*_test.cpp)),asan)
$(call host_tests,processor_turns,$(MODEL_THREADED),tsan)

# This host as a machine file, for MACHINE=FILE.toml.
MEASURE_HOST := $(BUILD)/machine_model/measure_host
$(MEASURE_HOST): $(MODEL)/host/measure_host.cpp $(MODEL)/machine_model.mk
	@mkdir -p $(@D)
	@$(HOST_CXX) -std=c++23 -O2 -Wall -Wextra $(if $(WERROR),-Werror) -pthread $< -o $@

.PHONY: tests-need-model measure-host
measure-host: $(MEASURE_HOST)
	@$(MEASURE_HOST)

tests-need-model: $(MODEL_PLUGIN) $(MODEL_JUDGE) $(MEASURE_HOST)
