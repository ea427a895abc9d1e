// SPDX-License-Identifier: MIT
#include "native/nxrun/schedule.hpp"

#include "native/nxrun/ranks_test.hpp"

#include <csignal>
#include <cstdlib>
#include <ctime>

using namespace parley;
using namespace parley::native;

namespace {

// Stands for the Federation of a job on one machine. The job ends when the test sets `ends`.
struct FakeFederation final : Federation {
    unsigned begun = 0;
    bool ends = false;

    void begin() override { ++begun; }
    void asked(Place&, const parley_native_request&) override { }
    void ended(Place&, int, const std::optional<std::string>&) override { }
    void network_ended() override { }
    void receive(unsigned, const Packet&) override { }
    void look() override { }
    void end(JobEnd, const std::string&) override { }
    void end_with_reports(JobEnd, const std::string&) override { }
    bool is_ending() const override { return ends; }
    void complete(Record&) override { }
};

struct Job : RankScene {
    FakeFederation federation;
    JobControl control{places};
    Schedule schedule{ranks, federation, control};
};

bool becomes_stopped(pid_t process, bool stopped)
{
    constexpr timespec moment{0, 1'000'000};
    for (int looks = 0; looks < 20'000 && is_stopped(process) != stopped; ++looks)
        nanosleep(&moment, nullptr);
    return is_stopped(process) == stopped;
}

// An nxrun that pauses is a child of the test, which plays the user's shell. It says which process its rank
// is, pauses, and then whether its ranks are halted.
struct Paused {
    int from_nxrun[2]{};
    pid_t nxrun = 0;

    // `prepare` is what has happened in the job before.
    template <class Prepare>
    explicit Paused(Prepare prepare)
    {
        REQUIRE(pipe(from_nxrun) == 0);
        nxrun = fork();
        REQUIRE(nxrun >= 0);
        if (nxrun == 0) {
            alarm(60); // whatever becomes of the test
            {
                Job job;
                REQUIRE(job.ranks.start(job.places[0]));
                prepare(job);
                say(job.places[0].process);
                job.schedule.pause();
                say(job.ranks.are_halted() ? 1 : 0);
            }
            _exit(0);
        }
    }
    // It ends its ranks, which nobody else could: those that are stopped take no notice of anything else.
    ~Paused()
    {
        int status = 0;
        while (waitpid(nxrun, &status, WUNTRACED) == nxrun && WIFSTOPPED(status))
            kill(nxrun, SIGCONT);
        close(from_nxrun[0]);
        close(from_nxrun[1]);
    }
    void say(pid_t word) { (void)!write(from_nxrun[1], &word, sizeof word); }
    pid_t hear()
    {
        pid_t word = -1;
        return read(from_nxrun[0], &word, sizeof word) == sizeof word ? word : -1;
    }
    // Returns when nxrun has stopped itself.
    bool await_stop() const
    {
        int status = 0;
        return waitpid(nxrun, &status, WUNTRACED) == nxrun && WIFSTOPPED(status);
    }
};

} // namespace

TEST_CASE("a job that takes no turns begins its programs once, and has ranks to come until then")
{
    Job job;
    CHECK(job.schedule.has_ranks_to_come());
    job.schedule.begin();
    CHECK(job.federation.begun == 1);
    CHECK_FALSE(job.schedule.has_ranks_to_come());
    job.schedule.look();
    CHECK(job.schedule.finish() == 0);
}

TEST_CASE("a job that ends before its programs begin has no ranks to come")
{
    Job job;
    job.federation.ends = true;
    CHECK_FALSE(job.schedule.has_ranks_to_come());
}

TEST_CASE("ranks are stopped while the user has stopped nxrun, and go on with it")
{
    Paused paused([](Job& job) { job.schedule.begin(); });
    const pid_t rank = paused.hear();
    REQUIRE(rank > 0);
    REQUIRE(paused.await_stop());
    CHECK(is_stopped(rank));
    kill(paused.nxrun, SIGCONT);
    CHECK(paused.hear() == 0);
    CHECK(becomes_stopped(rank, false));
}

TEST_CASE("ranks that did not run when the user stopped nxrun do not run afterwards")
{
    Paused paused([](Job& job) {
        job.schedule.begin();
        job.ranks.halt();
    });
    const pid_t rank = paused.hear();
    REQUIRE(rank > 0);
    REQUIRE(paused.await_stop());
    kill(paused.nxrun, SIGCONT);
    CHECK(paused.hear() == 1);
}

TEST_CASE("a job whose programs have not begun does not begin them because nxrun goes on")
{
    Paused paused([](Job&) { });
    REQUIRE(paused.hear() > 0);
    REQUIRE(paused.await_stop());
    kill(paused.nxrun, SIGCONT);
    CHECK(paused.hear() == 0); // nobody has halted or begun anything
}
