import type { TimersBinding } from '../bindings/timers.ts';
import type { HostJobs } from './host-jobs.ts';

export interface PhasesParts {
  /** Runs something that may throw; false when it did. */
  readonly attempt: (run: () => void) => boolean;
  /** Runs what `process.nextTick` has put off. */
  readonly drain: () => void;
  readonly jobs: HostJobs;
  readonly timers: TimersBinding;
  readonly uncaught: (thrown: unknown) => void;
}

/**
 * The phases of Node's event loop, one for each call: the next one in turn that has something to do. Microtasks run
 * when the host is back, which is between them.
 */
export function makePhases({ attempt, drain, jobs, timers, uncaught }: PhasesParts): () => void {
  const phases = [timers.runTimers, () => jobs.deliver(drain, uncaught), timers.runImmediates];
  let next = 0;
  return () => {
    let isIdle = true;
    for (let tried = 0; tried < phases.length && isIdle; tried += 1) {
      const phase = phases[next]!;
      // What has thrown goes on with the rest before another has its turn.
      const isWhole = attempt(() => {
        isIdle = !phase();
      });
      if (isWhole) next = (next + 1) % phases.length;
      else isIdle = false;
    }
    drain();
    timers.armNext(!isIdle && jobs.pending().length > 0);
  };
}
