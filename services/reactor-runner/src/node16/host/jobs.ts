import { BadOperation, type Operations } from './arguments.ts';
import { failureOf } from './bridge.ts';

export type Job = (...args: unknown[]) => Promise<unknown>;
export type JobTable = Readonly<Record<string, Job>>;

const maxJobs = 1024;
const maxBytes = 64 * 1024 * 1024;

/** Operations that take their time: the isolate starts them, waits, and asks for what has finished. */
export function jobOperations(
  jobs: JobTable,
  onFinished: () => void,
): { readonly operations: Operations; readonly forget: () => void } {
  let lastId = 0;
  let running = 0;
  let held = 0;
  let finished: [number, object][] = [];
  let forgottenId = 0;
  const finish = (id: number, size: number, answer: object) => {
    running -= 1;
    held -= size;
    if (id <= forgottenId) return;
    finished.push([id, answer]);
    onFinished();
  };
  const operations: Operations = {
    start(name, ...args) {
      const job = typeof name === 'string' && Object.hasOwn(jobs, name) ? jobs[name] : undefined;
      if (job === undefined) throw new BadOperation('there is no such operation');
      if (running >= maxJobs) throw new BadOperation(`more than ${maxJobs} operations are under way`);
      const size = sizeOf(args);
      if (held + size > maxBytes) throw new BadOperation('the operations under way hold too many bytes');
      running += 1;
      held += size;
      lastId += 1;
      const id = lastId;
      job(...args).then(
        (v) => finish(id, size, { v }),
        (error: unknown) => finish(id, size, { e: failureOf(error) }),
      );
      return id;
    },
    finished() {
      const all = finished;
      finished = [];
      return all;
    },
  };
  return {
    operations,
    /** Drops the results of what has been started. */
    forget() {
      forgottenId = lastId;
      finished = [];
    },
  };
}

function sizeOf(args: readonly unknown[]): number {
  let size = 0;
  for (const arg of args) {
    if (arg instanceof Uint8Array || typeof arg === 'string') size += arg.length;
    else if (Array.isArray(arg)) size += sizeOf(arg);
  }
  return size;
}
