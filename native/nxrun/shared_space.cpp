// SPDX-License-Identifier: MIT
#include "native/nxrun/shared_space.hpp"

#include "native/interface/departure.h"
#include "native/nxrun/helper_process.hpp"
#include "native/nxrun/machine.hpp"
#include "native/nxrun/options.hpp"
#include "native/nxrun/processes.hpp"
#include "native/nxrun/program_image.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <sched.h>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace parley::native {

namespace {

// A request is this, with five descriptors: the rank's connections, and a file with the words of its command,
// each with a zero behind it. The keeper answers with an Answer.
struct StartRequest {
    unsigned endpoint;
    int processor;
};
enum Descriptor : unsigned { from_nxrun, input, output, errors, command, descriptors };

// A request on its way through the socket, with room for the descriptors that go with it.
struct Parcel {
    explicit Parcel(StartRequest& request) : bytes{&request, sizeof request}
    {
        message.msg_iov = &bytes;
        message.msg_iovlen = 1;
        message.msg_control = control;
        message.msg_controllen = sizeof control;
    }
    Parcel(const Parcel&) = delete;
    Parcel& operator=(const Parcel&) = delete;

    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int[descriptors]))]{};
    iovec bytes;
    msghdr message{};
};

struct StartAnswer {
    pid_t process; // or 0, and
    char sentence[512];
};

// ---- a new rank, before its program begins ----
//
// It has the keeper's thread-local variables until its own dynamic linker has made others, so nothing of the
// C library is called here.

long linux_call(long number, long first, long second = 0, long third = 0)
{
    long value = number;
    asm volatile("syscall" : "+a"(value) : "D"(first), "S"(second), "d"(third) : "rcx", "r11", "memory");
    return value;
}

struct Beginning {
    pid_t nxrun;
    char name[16];     // as ps shows it
    int nxruns_socket; // to tell it that the rank has begun
    parley_native_request told;
    int* process;             // where the rank's number is to be
    int keepers[descriptors]; // descriptors that it is not to have
};

extern "C" [[gnu::used]] void parley_begin_rank(const Beginning& beginning)
{
    linux_call(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
    if (linux_call(SYS_getppid, 0) != beginning.nxrun) // it ended before the line above
        linux_call(SYS_exit_group, 1);
    linux_call(SYS_write, beginning.nxruns_socket, reinterpret_cast<long>(&beginning.told),
               offsetof(parley_native_request, payload));
    linux_call(SYS_setpgid, 0, 0);
    linux_call(SYS_prctl, PR_SET_NAME, reinterpret_cast<long>(beginning.name));
    for (const int descriptor : beginning.keepers)
        linux_call(SYS_close, descriptor);
    __atomic_store_n(beginning.process, static_cast<int>(linux_call(SYS_getpid, 0)), __ATOMIC_RELEASE);
}

// Answers the number of the new process, or minus an error. It begins at `entry`, with its stack pointer at
// `stack`; the beginning lies in its stack, below that.
long clone_rank(std::uintptr_t stack, std::uintptr_t entry, const Beginning& beginning)
{
    constexpr std::size_t red = 4096; // for parley_begin_rank
    auto* const own = reinterpret_cast<Beginning*>((stack - red - sizeof beginning) / 16 * 16);
    *own = beginning;
    long value = SYS_clone;
    register std::uintptr_t at asm("r12") = stack;
    register std::uintptr_t to asm("r13") = entry;
    register const Beginning* what asm("r14") = own;
    asm volatile("syscall\n\t"
                 "testq %%rax, %%rax\n\t"
                 "jnz 1f\n\t"
                 "xorl %%ebp, %%ebp\n\t"
                 "movq %%r14, %%rdi\n\t"
                 "leaq -256(%%r12), %%rsp\n\t"
                 "andq $-16, %%rsp\n\t"
                 "call parley_begin_rank\n\t"
                 "movq %%r12, %%rsp\n\t"
                 "xorl %%edx, %%edx\n\t" // no function to be called at the end
                 "jmp *%%r13\n"
                 "1:"
                 : "+a"(value)
                 : "D"(CLONE_VM | CLONE_PARENT | SIGCHLD), "S"(stack), "d"(0), "r"(at), "r"(to), "r"(what)
                 : "rcx", "r11", "memory");
    return value;
}

// ---- the keeper ----

class Keeper {
public:
    Keeper(int socket, pid_t nxrun, parley_native_job& job, const parley_library& library)
        : socket_(socket), nxrun_(nxrun), job_(job), library_(library)
    {
        end_with(nxrun, SIGKILL);
        prctl(PR_SET_DUMPABLE, 0); // for a core file Linux ends all who share the address space
        const auto own = static_cast<unsigned>(socket); // all others are nxrun's
        if (own > 3)
            close_range(3, own - 1, 0);
        close_range(own + 1, ~0u, 0);
        // What lies behind the end of the data is nobody's, so that no C library takes it for its own.
        const auto end = (reinterpret_cast<std::uintptr_t>(sbrk(0)) + 4095) & ~std::uintptr_t{4095};
        mmap(reinterpret_cast<void*>(end), 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE,
             -1, 0);
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, nullptr);
        std::signal(PARLEY_NATIVE_INTERRUPT, SIG_IGN); // until a rank has handlers
        CPU_ZERO(&all_);
        sched_getaffinity(0, sizeof all_, &all_);
    }

    [[noreturn]] void run()
    {
        StartRequest request{};
        int given[descriptors];
        while (receive(request, given)) {
            StartAnswer answer{};
            try {
                answer.process = start(request, given);
            } catch (const std::exception& error) {
                std::strncpy(answer.sentence, error.what(), sizeof answer.sentence - 1);
            }
            for (const int descriptor : given)
                close(descriptor);
            (void)send(socket_, &answer, sizeof answer, MSG_NOSIGNAL);
        }
        _exit(0);
    }

private:
    bool receive(StartRequest& request, int (&given)[descriptors])
    {
        Parcel parcel(request);
        ssize_t got = 0;
        do
            got = recvmsg(socket_, &parcel.message, 0);
        while (got < 0 && errno == EINTR);
        const cmsghdr* const head = CMSG_FIRSTHDR(&parcel.message);
        if (got != static_cast<ssize_t>(sizeof request) || head == nullptr ||
            head->cmsg_len != CMSG_LEN(sizeof given))
            return false;
        std::memcpy(given, CMSG_DATA(head), sizeof given);
        return true;
    }

    static std::vector<std::string> words_of(int file)
    {
        std::vector<std::string> words;
        std::string word;
        char bytes[4096];
        for (ssize_t got = 0; (got = read(file, bytes, sizeof bytes)) > 0;)
            for (ssize_t at = 0; at < got; ++at) {
                if (bytes[at] != '\0') {
                    word.push_back(bytes[at]);
                    continue;
                }
                words.push_back(word);
                word.clear();
            }
        return words;
    }

    // A rank has the descriptors that the keeper has when it is cloned: 0 to 2, and the socket to nxrun.
    pid_t start(const StartRequest& request, const int (&given)[descriptors])
    {
        const std::vector<std::string> words = words_of(given[command]);
        for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
            dup2(given[input + static_cast<unsigned>(stream)], stream);
        sched_setaffinity(0, sizeof all_, &all_);
        job_.places[request.endpoint].processor = request.processor;
        if (request.processor >= 0)
            pin_to(request.processor);
        Beginning beginning{nxrun_,
                            {},
                            given[from_nxrun],
                            {},
                            &job_.places[request.endpoint].process,
                            {socket_, given[input], given[output], given[errors], given[command]}};
        beginning.told.method = PARLEY_NATIVE_BEGUN;
        const std::string name = words.empty() ? "nxrun" : words.front().substr(words.front().rfind('/') + 1);
        name.copy(beginning.name, sizeof beginning.name - 1);
        const long process = words.empty() ? clone_helper(request, beginning)
                                           : clone_program(request, words, given[from_nxrun], beginning);
        if (process < 0)
            throw std::runtime_error(no_more_processes(static_cast<int>(-process)));
        return static_cast<pid_t>(process);
    }

    long clone_program(const StartRequest& request, const std::vector<std::string>& words, int socket,
                       const Beginning& beginning)
    {
        const ProgramImage program(words.front());
        std::optional<ProgramImage> linker;
        if (!program.linker.empty())
            linker.emplace(program.linker);
        std::vector<std::string> variables;
        for (char** variable = environ; *variable != nullptr; ++variable)
            variables.emplace_back(*variable);
        variables.push_back(PARLEY_NATIVE_VARIABLE "=" + std::to_string(PARLEY_NATIVE_VERSION) +
                            ":-1:-1:-1:" + std::to_string(socket) + ":" + std::to_string(request.endpoint));
        const InitialStack stack(program, linker ? &*linker : nullptr, words, variables);
        return clone_rank(stack.pointer, linker ? linker->entry : program.entry, beginning);
    }

    // As interface/library.h has it: the stack pointer is where its start's address is.
    long clone_helper(const StartRequest& request, const Beginning& beginning)
    {
        auto* const word = reinterpret_cast<const parley_start**>(new_stack() - 64);
        parley_native_place& place = job_.places[request.endpoint];
        *word = &place.start;
        const auto first = first_instruction(library_, place.start);
        listen_for_the_end(library_, place); // the process has what the keeper has when it is cloned
        const long process = clone_rank(reinterpret_cast<std::uintptr_t>(word),
                                        reinterpret_cast<std::uintptr_t>(first), beginning);
        std::signal(PARLEY_NATIVE_DEPART, SIG_DFL);
        return process;
    }

    const int socket_;
    const pid_t nxrun_;
    parley_native_job& job_;
    const parley_library& library_;
    cpu_set_t all_; // that nxrun may use
};

} // namespace

namespace {

// A file with these words, a zero after each, to be read from its beginning; -1: Linux gives no memory.
int file_of(const std::vector<std::string>& words)
{
    const int file = memfd_create("parley-command", MFD_CLOEXEC);
    if (file < 0)
        return -1;
    for (const std::string& word : words)
        if (write(file, word.c_str(), word.size() + 1) != static_cast<ssize_t>(word.size() + 1)) {
            close(file);
            return -1;
        }
    lseek(file, 0, SEEK_SET);
    return file;
}

} // namespace

SharedSpace::SharedSpace(parley_native_job& job, const parley_library& library)
{
    int sockets[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) < 0)
        throw BadRequest{std::string("Linux refuses a socket: ") + std::strerror(errno) + "."};
    const pid_t nxrun = getpid();
    char name[16];
    prctl(PR_GET_NAME, name);
    prctl(PR_SET_NAME, "nxrun-keeper"); // whoever looks at nxrun's children knows it from the first moment
    keeper_ = fork();
    if (keeper_ == 0) {
        close(sockets[0]);
        Keeper(sockets[1], nxrun, job, library).run();
    }
    const int error = errno; // of fork
    prctl(PR_SET_NAME, name);
    close(sockets[1]);
    socket_ = sockets[0];
    if (keeper_ < 0) {
        close(socket_);
        throw BadRequest{no_more_processes(error)};
    }
}

SharedSpace::~SharedSpace()
{
    close(socket_); // by that the keeper knows
    waitpid(keeper_, nullptr, 0);
}

void SharedSpace::resume() { kill(keeper_, SIGCONT); }

std::string SharedSpace::how_keeper_ended()
{
    std::string sentence = "The address space of the ranks is lost: its keeper has ended";
    if (int status = 0; waitpid(keeper_, &status, 0) == keeper_ && WIFSIGNALED(status))
        sentence += " by " + name_of_signal(status);
    return sentence + ".";
}

std::expected<pid_t, std::string> SharedSpace::start(const RankStart& rank)
{
    const auto failed = [](const char* what) {
        return std::unexpected(std::string(what) + " (" + std::strerror(errno) + ").");
    };
    const int words =
        file_of(is_for_programs(rank.place.role) ? rank.place.command : std::vector<std::string>{});
    if (words < 0)
        return failed("Linux gives no memory for a command");
    StartRequest request{rank.place.endpoint, rank.processor};
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    const bool prints_here = rank.output < 0;
    const int given[descriptors] = {rank.socket, rank.reads_input ? STDIN_FILENO : nothing,
                                    prints_here ? STDOUT_FILENO : rank.output,
                                    prints_here ? STDERR_FILENO : rank.output, words};
    Parcel parcel(request);
    cmsghdr* const head = CMSG_FIRSTHDR(&parcel.message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof given);
    std::memcpy(CMSG_DATA(head), given, sizeof given);
    const ssize_t sent = sendmsg(socket_, &parcel.message, MSG_NOSIGNAL);
    const int refused = sent < 0 ? errno : 0;
    close(words);
    close(nothing);
    errno = refused;
    if (sent < 0 && refused != EPIPE && refused != ECONNRESET) // else the keeper has ended
        return failed("Linux hands no descriptors on to a new rank");
    StartAnswer answer{};
    ssize_t got = -1;
    do
        got = sent < 0 ? -1 : recv(socket_, &answer, sizeof answer, 0);
    while (sent >= 0 && got < 0 && errno == EINTR);
    if (got != static_cast<ssize_t>(sizeof answer))
        return std::unexpected(how_keeper_ended());
    if (answer.process == 0)
        return std::unexpected(answer.sentence);
    return answer.process;
}

} // namespace parley::native
