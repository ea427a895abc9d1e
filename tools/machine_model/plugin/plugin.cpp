// SPDX-License-Identifier: GPL-2.0-or-later
// The emulator's plugin: reads its arguments, and begins what they ask for.
//
// Arguments: machine=FILE (parameters, MachineFile), processors=N (those that the machine has; the emulator
// may have one more, its first, which keeps the time), multiprocessors=N (into which they are divided),
// lookahead=PS, back_end=fast|fast-without-ticks|public, report=FILE (written when the machine ends),
// copies=FIRST-LAST:... (hex: the addresses of each routine that copies, whose time is counted apart),
// intervals=FILE (written when the machine ends: misses and waiting by intervals of interval=PS, at least 1,
// or longer ones, so that most_intervals=N of a processor at most are kept).
#include "tools/machine_model/plugin/fast_back_end.hpp"
#include "tools/machine_model/plugin/instrumentation.hpp"
#include "tools/machine_model/plugin/interface.hpp"
#include "tools/machine_model/plugin/public_back_end.hpp"
#include "tools/machine_model/plugin/report.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

namespace parley::machine_model {

namespace {

// How the emulator exits when the model refuses (tools/parley_runner/model.py and back_end.py know them).
constexpr int bad_machine = 64;
constexpr int no_fast_back_end = 68;
constexpr int bad_emulator = 69;

constexpr std::string_view without_ticks = "fast-without-ticks";

[[noreturn]] void fail(int status, const std::string& sentence)
{
    std::fprintf(stderr, "machine model: %s\n", sentence.c_str());
    std::_Exit(status);
}

[[noreturn]] void fail_for_functions(const std::string& lacking)
{
    fail(no_fast_back_end, "This emulator cannot be modelled by the fast back end: " + lacking +
                               "; take QEMU 7.2 as Debian builds it, or BACK_END=public.");
}

std::string text_of(const std::string& path)
{
    std::ifstream file{path};
    if (!file)
        fail(bad_machine, "The machine's file " + path + " cannot be read.");
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

struct Arguments {
    std::string machine;
    unsigned processors = 0;
    unsigned multiprocessors = 1;
    Picoseconds lookahead = 0;
    std::string back_end = "fast";
    std::string report;
    std::vector<AddressRange> copies;
    std::string intervals;
    Picoseconds interval = 0;
    std::size_t most_intervals = 16'384;
};

std::vector<AddressRange> ranges_of(const std::string& text)
{
    std::vector<AddressRange> result;
    std::istringstream words{text};
    for (std::string word; std::getline(words, word, ':');) {
        char* after = nullptr;
        const std::uint64_t first = std::strtoull(word.c_str(), &after, 16);
        if (*after != '-')
            fail(bad_machine, "The model's argument copies takes FIRST-LAST, not '" + word + "'.");
        result.push_back({first, std::strtoull(after + 1, nullptr, 16)});
    }
    return result;
}

std::uint64_t count_of(const std::string& name, const std::string& text)
{
    char* after = nullptr;
    const std::uint64_t result = std::strtoull(text.c_str(), &after, 10);
    if (result == 0 || *after != '\0')
        fail(bad_machine, "The model's argument " + name + " is a number, at least 1, not '" + text + "'.");
    return result;
}

Arguments arguments_of(int count, char** words)
{
    Arguments result;
    for (int i = 0; i < count; ++i) {
        const std::string word = words[i];
        const std::size_t equals = word.find('=');
        const std::string name = word.substr(0, equals);
        const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
        if (name == "machine")
            result.machine = value;
        else if (name == "report")
            result.report = value;
        else if (name == "processors")
            result.processors = static_cast<unsigned>(std::strtoul(value.c_str(), nullptr, 10));
        else if (name == "multiprocessors")
            result.multiprocessors = static_cast<unsigned>(std::strtoul(value.c_str(), nullptr, 10));
        else if (name == "lookahead")
            result.lookahead = std::strtoull(value.c_str(), nullptr, 10);
        else if (name == "back_end")
            result.back_end = value;
        else if (name == "copies")
            result.copies = ranges_of(value);
        else if (name == "intervals")
            result.intervals = value;
        else if (name == "interval")
            result.interval = count_of(name, value);
        else if (name == "most_intervals")
            result.most_intervals = count_of(name, value);
        else
            fail(bad_machine, "The model has no argument '" + word + "'.");
    }
    return result;
}

// None for the back end that takes nothing of it.
std::optional<Emulator> functions_for(const Arguments& arguments)
{
    if (arguments.back_end == "public")
        return std::nullopt;
    if (arguments.back_end != "fast" && arguments.back_end != without_ticks)
        fail(bad_machine, "The model has no back end '" + arguments.back_end + "'.");
    auto found = Emulator::find();
    if (!found)
        fail_for_functions(found.error());
    return *found;
}

// Never destroyed: it is used while the process ends.
constinit BackEnd* back_end = nullptr;
constinit const std::string* report_path = nullptr;
constinit CountsByInterval* intervals = nullptr;
constinit const std::string* intervals_path = nullptr;

void on_processor(qemu_plugin_id_t, unsigned processor)
{
    if (processor != 0)
        return;
    if (const std::string lacking = back_end->begin(); !lacking.empty())
        fail_for_functions(lacking);
}

void install(qemu_plugin_id_t id, const qemu_info_t& info, const Arguments& arguments)
{
    if (!info.system_emulation || std::strcmp(info.target_name, "x86_64") != 0)
        fail(bad_emulator, "This emulator cannot be modelled: it does not run a whole machine of x86-64 "
                           "processors.");
    const std::optional<Emulator> functions = functions_for(arguments);
    const auto processors = static_cast<unsigned>(info.system.smp_vcpus);
    if (arguments.processors == 0 || arguments.processors > processors ||
        processors > arguments.processors + 1)
        fail(bad_machine, "The emulator has as many processors as the machine, or one more.");
    const auto file = MachineFile::parse(text_of(arguments.machine));
    if (!file)
        fail(bad_machine, file.error());
    const auto make = [&] {
        auto machine = Machine::make(*file, arguments.processors, arguments.multiprocessors);
        if (!machine)
            fail(bad_machine, machine.error());
        return std::move(*machine);
    };
    if (functions)
        back_end = new FastBackEnd{*functions,
                                   make(),
                                   arguments.back_end == without_ticks ? std::optional{make()} : std::nullopt,
                                   processors,
                                   arguments.processors,
                                   arguments.lookahead};
    else
        back_end = new PublicBackEnd{make(), processors, arguments.processors, arguments.lookahead};
    if (!arguments.intervals.empty()) {
        if (arguments.interval == 0)
            fail(bad_machine, "The model's argument intervals goes with interval.");
        intervals = new CountsByInterval{arguments.processors, arguments.interval, arguments.most_intervals};
        intervals_path = new std::string{arguments.intervals};
        std::atexit([] { write_intervals(*back_end, *intervals, *intervals_path); });
    }
    qemu_plugin_register_vcpu_init_cb(id, on_processor);
    instrument(id, *back_end, arguments.copies, intervals);
    if (!arguments.report.empty()) {
        report_path = new std::string{arguments.report};
        std::atexit([] { write_report(*back_end, *report_path); });
    }
}

} // namespace

} // namespace parley::machine_model

QEMU_PLUGIN_EXPORT int qemu_plugin_version;
int qemu_plugin_version = 1;

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t* info, int count,
                                           char** words)
{
    parley::machine_model::install(id, *info, parley::machine_model::arguments_of(count, words));
    return 0;
}
