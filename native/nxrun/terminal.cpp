// SPDX-License-Identifier: MIT
#include "native/nxrun/terminal.hpp"

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <unistd.h>

namespace parley::native {

namespace {

pid_t parent_of(pid_t process)
{
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    std::istringstream words(text.substr(std::min(text.rfind(')') + 1, text.size())));
    char state = ' ';
    pid_t parent = 0;
    words >> state >> parent;
    return parent;
}

} // namespace

Terminal::~Terminal()
{
    take_back();
    if (file_ >= 0)
        close(file_);
}

bool Terminal::lend(pid_t group)
{
    if (file_ < 0)
        file_ = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
    const pid_t has = file_ < 0 ? -1 : tcgetpgrp(file_);
    if (has < 0 || (has != getpgrp() && has != lent_to_))
        return false;
    give(group);
    lent_to_ = group;
    return true;
}

void Terminal::take_back()
{
    if (lent_to_ != 0 && tcgetpgrp(file_) == lent_to_)
        give(getpgrp());
    lent_to_ = 0;
}

// Linux stops whoever gives it away without having it, unless the signal is held back.
void Terminal::give(pid_t group)
{
    sigset_t output, usual;
    sigemptyset(&output);
    sigaddset(&output, SIGTTOU);
    sigprocmask(SIG_BLOCK, &output, &usual);
    tcsetpgrp(file_, group);
    sigprocmask(SIG_SETMASK, &usual, nullptr);
}

// As POSIX has it of groups that are not orphaned: whoever started this one is of the same session.
bool Terminal::is_shared_out()
{
    pid_t starter = getppid();
    while (starter > 1 && getpgid(starter) == getpgrp())
        starter = parent_of(starter);
    return starter > 1 && getsid(starter) == getsid(0);
}

} // namespace parley::native
