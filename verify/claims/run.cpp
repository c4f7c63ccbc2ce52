#include "verify/claims/run.hpp"

#include <algorithm>
#include <chrono>

#include "verify/verdict.hpp"

namespace headroom::verify {

Run run_claims(const std::vector<const Claim*>& claims, const RunOptions& options) {
  using Clock = std::chrono::steady_clock;
  Run run;
  for (const Claim* claim : claims) {
    run.hypotheses += claim->hypotheses(options.preset);
    if (options.attack != nullptr) run.hypotheses += options.attack->hypotheses(*claim, options.preset);
  }
  RunContext context;
  context.preset = options.preset;
  context.seed = options.seed;
  context.level = family_level / static_cast<double>(std::max<std::size_t>(run.hypotheses, 1));
  context.stop = options.stop;
  context.finished = options.finished_cell;
  try {
    for (const Claim* claim : claims) {
      const Clock::time_point start = Clock::now();
      ClaimResult result = claim->run(context);
      if (options.attack != nullptr) options.attack->run(*claim, context, result);
      run.results.push_back(std::move(result));
      run.seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
      options.finished_claim(run.results.size());
    }
  } catch (const Stopped&) {
    run.interrupted = true;
  }
  return run;
}

}  // namespace headroom::verify
