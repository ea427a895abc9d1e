// SPDX-License-Identifier: MIT
#include "native/nxrun/rank_schedule.hpp"

#include "native/nxrun/ranks_test.hpp"

#include <csignal>
#include <cstdlib>
#include <functional>
#include <sys/syscall.h>

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
    RankSchedule schedule{ranks, federation, control};
};

// Returns when nxrun's rank, which was stopped, goes on.
bool goes_on(pid_t rank)
{
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(rank), &info, WCONTINUED | WNOWAIT) == 0 &&
           info.si_code == CLD_CONTINUED;
}

// What happens in this process before it waits for another to stop.
std::function<void()> before_it_waits = [] { };

// A word to another process, which waits for it.
struct PipeSignal {
    int ends[2]{};

    PipeSignal() { REQUIRE(pipe(ends) == 0); }
    ~PipeSignal()
    {
        close(ends[0]);
        close(ends[1]);
    }
    void give() { (void)!write(ends[1], "", 1); }
    void await()
    {
        char byte = 0;
        (void)!read(ends[0], &byte, 1);
    }
};

// An nxrun that pauses is a child of the test, which plays the user's shell. It says which process its rank
// is, pauses, and then whether its ranks are halted.
struct Paused {
    int from_nxrun[2]{};
    pid_t nxrun = 0;

    // `prepare`: what has happened in the job before; `last`: what nxrun says in the end.
    explicit Paused(
        const std::function<void(Job&)>& prepare,
        const std::function<bool(Job&)>& last = [](Job&) { return true; },
        const std::function<void(const RankStart&)>& life_of_ranks = [](const RankStart&) { pause(); })
    {
        REQUIRE(pipe(from_nxrun) == 0);
        nxrun = fork();
        REQUIRE(nxrun >= 0);
        if (nxrun == 0) {
            alarm(60); // whatever becomes of the test
            {
                Job job;
                job.starter.life = life_of_ranks;
                REQUIRE(job.ranks.start(job.places[0]));
                prepare(job);
                say(job.places[0].process);
                job.schedule.pause();
                say(job.ranks.are_halted() ? 1 : 0);
                say(last(job) ? 1 : 0);
            }
            _exit(0);
        }
        close(from_nxrun[1]);
    }
    // It ends its ranks, which nobody else could: those that are stopped take no notice of anything else.
    ~Paused()
    {
        int status = 0;
        while (waitpid(nxrun, &status, WUNTRACED) == nxrun && WIFSTOPPED(status))
            kill(nxrun, SIGCONT);
        close(from_nxrun[0]);
    }
    void say(pid_t word) { (void)!write(from_nxrun[1], &word, sizeof word); }
    // -1: nxrun has ended and said nothing.
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

// The C library's, for all of this program.
extern "C" int waitid(idtype_t type, id_t process, siginfo_t* info, int options)
{
    if ((options & WSTOPPED) != 0 && (options & WNOHANG) == 0)
        before_it_waits();
    return static_cast<int>(syscall(SYS_waitid, type, process, info, options, nullptr));
}

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
    Paused paused([](Job& job) { job.schedule.begin(); },
                  [](Job& job) { return goes_on(job.places[0].process); });
    const pid_t rank = paused.hear();
    REQUIRE(rank > 0);
    REQUIRE(paused.await_stop());
    CHECK(is_stopped(rank));
    kill(paused.nxrun, SIGCONT);
    CHECK(paused.hear() == 0);
    CHECK(paused.hear() == 1);
}

// Linux stops a process that has called vfork only when the child has ended. The child of this rank ends when
// nxrun waits for the rank to stop, and a nxrun that does not would stop itself before.
TEST_CASE("nxrun stops itself when its ranks have stopped, however long that takes them")
{
    PipeSignal cannot_stop, can_stop;
    Paused paused(
        [&](Job& job) {
            job.schedule.begin();
            cannot_stop.await();
            before_it_waits = [&] { can_stop.give(); };
        },
        [](Job& job) { return goes_on(job.places[0].process); },
        [&](const RankStart&) {
            if (vfork() == 0) {
                cannot_stop.give();
                can_stop.await();
                _exit(0);
            }
            pause();
        });
    const pid_t rank = paused.hear();
    REQUIRE(rank > 0);
    REQUIRE(paused.await_stop());
    CHECK(is_stopped(rank));
    can_stop.give(); // to a rank that has not heard it yet
    kill(paused.nxrun, SIGCONT);
    CHECK(paused.hear() == 0);
    CHECK(paused.hear() == 1);
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
