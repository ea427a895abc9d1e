// SPDX-License-Identifier: MIT
#include "native/nxrun/verdict.hpp"

namespace parley::native {

void Verdict::rank_failed(const std::string& what)
{
    if (!first_.empty())
        ++others_;
    else if (how_ == JobEnd::success)
        first_ = what;
    if (how_ == JobEnd::success)
        how_ = JobEnd::failed;
}

void Verdict::end(JobEnd how, const std::string& sentence, const std::string& report)
{
    if (first_.empty() || how == JobEnd::interrupted) {
        how_ = how;
        first_.clear();
        rest_ = report.empty() ? sentence : sentence + "\n" + report;
    } else if (how == JobEnd::deadlock)
        rest_ = "; the others wait, and none can ever go on:\n" + report;
    else if (how == JobEnd::limit)
        rest_ = "; the others went on until the limit:\n" + report;
}

std::string Verdict::sentence() const
{
    if (first_.empty())
        return rest_;
    std::string text = "The job failed: " + first_;
    if (others_ != 0)
        text +=
            " (and " + std::to_string(others_) + " other process" + (others_ > 1 ? "es" : "") + " failed)";
    return text + (rest_.empty() ? "." : rest_);
}

} // namespace parley::native
