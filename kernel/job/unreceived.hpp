// SPDX-License-Identifier: MIT
// What the processes of a job have left that they never received, for the record of the run.
#pragma once

namespace parley::kernel {

class Job;
class ResultsChannel;

// Called when all processes of the job have ended, and before it is released.
void send_unreceived(ResultsChannel& results, Job& job);

} // namespace parley::kernel
