// SPDX-License-Identifier: MIT
#include "native/nxrun/trace_file.hpp"

#include "native/nxrun/frame_writer.hpp"
#include "native/nxrun/printable.hpp"
#include "native/nxrun/processes.hpp"
#include "native/nxrun/trace_cost.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string_view>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace parley::native {

namespace {

constexpr std::size_t records_a_frame = 4096;
constexpr const char* interpreter = "/usr/bin/python3";

// A line of a frame of text has one value.
std::string in_one_line(std::string text)
{
    std::ranges::replace_if(text, [](unsigned char c) { return c < ' '; }, ' ');
    return text;
}

std::string last_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// FROM..TO in microseconds, either a number; FROM may be left out.
bool is_window(std::string_view text)
{
    const std::size_t dots = text.find("..");
    if (dots == std::string_view::npos)
        return false;
    double from = 0, to = 0;
    const auto is_number = [](std::string_view word, double& value) {
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        return error == std::errc{} && end == word.data() + word.size();
    };
    return (dots == 0 || is_number(text.substr(0, dots), from)) && is_number(text.substr(dots + 2), to) &&
           from >= 0 && from < to;
}

// nxtrace lies beside nxrun.
std::string beside_nxrun(const char* name)
{
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    const std::string own(path, length > 0 ? static_cast<std::size_t>(length) : 0);
    return own.substr(0, own.rfind('/') + 1) + name;
}

// What is to be said of a trace that nobody draws now; nxtrace says it of a picture.
std::string worth_of(const JobTrace& trace)
{
    if (trace.machines() == 1)
        return {};
    std::ostringstream text;
    text << std::fixed << std::setprecision(2) << " The clocks of its machines are known to "
         << static_cast<double>(trace.doubt_nanoseconds()) / 1000 << " us.";
    if (const std::optional<std::string> missing = trace.about_missing())
        text << ' ' << *missing;
    return text.str();
}

void put_records(FrameWriter& out, parley_trace_head head, std::span<const parley_trace_record> records)
{
    do {
        const std::size_t count = std::min(records.size(), records_a_frame);
        out.put(PARLEY_FRAME_TRACE,
                {std::as_bytes(std::span(&head, 1)), std::as_bytes(records.first(count))});
        records = records.subspan(count);
    } while (!records.empty());
}

// Of a job on several machines: what a time in it is worth, and what is not in it.
std::string about_machines(const JobTrace& trace)
{
    if (trace.machines() == 1)
        return {};
    std::string text = "machines=" + std::to_string(trace.machines()) +
                       "\nclock_doubt_nanoseconds=" + std::to_string(trace.doubt_nanoseconds()) + "\n";
    if (const std::optional<std::string> missing = trace.about_missing())
        text += "missing=" + *missing + "\n";
    return text;
}

void put_all(FrameWriter& out, const Record& record, const JobTrace& trace)
{
    const unsigned long clock_hertz = trace.clock_hertz();
    const TraceCost cost = measure_trace_cost(clock_hertz);
    out.put(PARLEY_FRAME_JOB,
            "job=0\nname=" + in_one_line(last_name(record.app)) + "\ndesign=" + record.design +
                "\napp=" + in_one_line(record.app) + "\nnodes=" + std::to_string(record.nodes) +
                "\npids=" + std::to_string(record.pids) + "\nhost=" + std::to_string(record.host ? 1 : 0) +
                "\nprocessors=" + std::to_string(record.processors) +
                "\nclock=native\nrecord_picoseconds=" + std::to_string(cost.record) +
                "\ncall_picoseconds=" + std::to_string(cost.call) + "\n" + about_machines(trace));
    for (const RankTime& time : record.times)
        out.put(PARLEY_FRAME_TIME,
                "job=0\nendpoint=" + std::to_string(time.endpoint) + "\nlife=" + std::to_string(time.life) +
                    "\nrunning=" + std::to_string(time.running) + "\ninside=" +
                    std::to_string(time.use.inside) + "\nwaiting=" + std::to_string(time.use.waiting) +
                    "\ncalls=" + std::to_string(time.use.calls) +
                    "\nclock_hertz=" + std::to_string(clock_hertz) + "\n");
    for (const TracePart& part : trace.parts()) {
        parley_trace_head head{PARLEY_TRACE_VERSION, sizeof(parley_trace_record), 0, 0, 0,
                               clock_hertz,          trace.clock_start()};
        put_records(out, head, part.seen());
        head.job = 1;
        for (const TracePart::Source& source : part.sources()) {
            head.source = source.time.endpoint;
            head.lost = source.lost;
            put_records(out, head, source.records);
        }
    }
    out.put(PARLEY_FRAME_JOB_END, std::string("job=0\nstatus=") + record.job_word() + "\n");
}

} // namespace

void TraceFile::check_words(const std::string& name, const std::string& window)
{
    constexpr std::array<std::string_view, 3> endings{".json", ".svg", ".trace"};
    if (std::ranges::none_of(endings, [&](std::string_view ending) { return name.ends_with(ending); }))
        throw BadRequest{"--trace " + name + " must end in one of .json, .svg, .trace."};
    if (!window.empty() && !is_window(window))
        throw BadRequest{"--window " + window + " is not of the form FROM..TO, in microseconds."};
    if (!window.empty() && name.ends_with(".trace"))
        throw BadRequest{"--window says what a picture shows, and " + name +
                         " keeps all of it: give the window to nxtrace, or say --trace FILE.svg."};
}

TraceFile::TraceFile(const std::string& name, const std::string& window) : name_(name), window_(window)
{
    check_words(name, window);
    if (name.ends_with(".trace")) {
        file_.emplace(name, "trace");
        return;
    }
    const std::string folder = name.substr(0, name.rfind('/') + 1);
    if (access(folder.empty() ? "." : folder.c_str(), W_OK) != 0)
        throw BadRequest{"The trace cannot be written to " + name + ": " + std::strerror(errno) + "."};
    drawer_ = beside_nxrun("nxtrace");
    if (access(drawer_.c_str(), X_OK) != 0)
        throw BadRequest{drawer_ + " draws traces and cannot be started (" + std::strerror(errno) +
                         "): build or install it again."};
    if (access(interpreter, X_OK) != 0)
        throw BadRequest{"To draw " + name + " there must be a " + interpreter +
                         " (Debian: apt-get install python3); a file whose name ends in .trace can be drawn "
                         "later."};
}

bool TraceFile::write(const Record& record, const JobTrace& trace) const
{
    const auto fill = [&](int file) {
        FrameWriter out(file);
        put_all(out, record, trace);
        return out.failure();
    };
    const std::string name = printable(name_);
    int failure = 0;
    if (file_)
        failure = file_->write(fill);
    else {
        const int file = memfd_create("parley-trace", 0);
        failure = file < 0 ? errno : fill(file);
        const bool drawn = failure == 0 && draw(file);
        if (file >= 0)
            close(file);
        if (failure == 0)
            return drawn;
    }
    if (failure == 0)
        std::cerr << "nxrun: the trace is in " << name << "; nxtrace shows it." << worth_of(trace) << '\n';
    else
        std::cerr << "nxrun: the trace cannot be written to " << name << ": " << std::strerror(failure)
                  << "; nothing was written.\n";
    return failure == 0;
}

// It says itself what it has drawn, or why it has not.
bool TraceFile::draw(int frames) const
{
    const pid_t self = getpid();
    const pid_t child = fork();
    if (child == 0) {
        end_with(self, SIGKILL);
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, nullptr); // Ctrl-C ends the drawing
        lseek(frames, 0, SEEK_SET);
        dup2(frames, STDIN_FILENO);
        execl(drawer_.c_str(), drawer_.c_str(), "--name", "nxrun", "--output", name_.c_str(), "-",
              window_.empty() ? nullptr : "--window", window_.c_str(), nullptr);
        _exit(127);
    }
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) { }
    if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) != 127)
        return WEXITSTATUS(status) == 0;
    std::cerr << "nxrun: the trace was not drawn to " << printable(name_) << ", since nxtrace "
              << (child < 0 || WIFEXITED(status) ? "cannot be started" : "was ended")
              << "; a file whose name ends in .trace can be drawn later.\n";
    return false;
}

} // namespace parley::native
