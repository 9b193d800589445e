import type { InRollout } from '../invocation/choose-version.ts';
import { type QueueOptions, openQueue } from '../queues/open-queue.ts';

/** What the queue holds in clear. The arguments are sealed, and stored beside the queue. */
export interface JobData {
  readonly tenantId: string;
  readonly reactorId: string;
  /** The application whose key invoked the reactor. */
  readonly applicationId: string;
  /** The version of the reactor that the arguments fit. */
  readonly version: number;
  /** The rollout that it takes part in; absent for none. */
  readonly rollout?: InRollout;
  readonly correlationId: string;
  /** Where the request came from; jobs of earlier versions do not say it. */
  readonly clientAddress?: string | undefined;
  /** Empty unless the trace is recorded. */
  readonly traceparent: string;
  /** Milliseconds since the epoch. */
  readonly acceptedAt: number;
  /** Base64 of the sealed callback address. */
  readonly callback?: string;
}

export const queueName = 'reactor-invocations';

export interface JobQueue {
  /** @param priority less is earlier. Rejects while Redis is away. */
  add(requestId: string, data: JobData, priority: number): Promise<void>;
}

/** For failures of the platform before code begins. The last attempt is some four minutes after the first. */
const attempts = 9;
const firstPauseMs = 1000;
/** BullMQ's maximum. */
const maxPriority = 2_097_151;

export function openJobQueue(
  connection: Pick<QueueOptions, 'redis' | 'prefix' | 'waitReplicas' | 'onError'>,
): JobQueue & AsyncDisposable {
  const queue = openQueue<JobData>({ ...connection, name: queueName, attempts, firstPauseMs });
  return {
    add: (requestId, data, priority) =>
      queue.add(data, { jobId: requestId, priority: Math.min(priority, maxPriority) }),
    [Symbol.asyncDispose]: () => queue[Symbol.asyncDispose](),
  };
}
