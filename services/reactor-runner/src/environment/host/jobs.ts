import { BadOperation, type Operations } from './arguments.ts';
import { failureOf } from './bridge.ts';

export type Job = (...args: unknown[]) => Promise<unknown>;
export type JobTable = Readonly<Record<string, Job>>;

const maxJobs = 256;

/** Operations that take their time: the isolate starts them, waits, and asks for what has finished. */
export function jobOperations(jobs: JobTable, onFinished: () => void): Operations {
  let lastId = 0;
  let running = 0;
  let finished: [number, object][] = [];
  const finish = (id: number, answer: object) => {
    running -= 1;
    finished.push([id, answer]);
    onFinished();
  };
  return {
    start(name, ...args) {
      const job = typeof name === 'string' && Object.hasOwn(jobs, name) ? jobs[name] : undefined;
      if (job === undefined) throw new BadOperation('there is no such operation');
      if (running >= maxJobs) throw new BadOperation(`more than ${maxJobs} operations are under way`);
      running += 1;
      lastId += 1;
      const id = lastId;
      job(...args).then(
        (v) => finish(id, { v }),
        (error: unknown) => finish(id, { e: failureOf(error) }),
      );
      return id;
    },
    finished() {
      const all = finished;
      finished = [];
      return all;
    },
  };
}
