/** What stands in the queue in clear: ids, and when. The arguments are sealed, and stand beside it. */
export interface JobData {
  readonly tenantId: string;
  readonly reactorId: string;
  /** Whose key invoked it. */
  readonly applicationId: string;
  /** Of the reactor, when its arguments were judged. */
  readonly version: number;
  readonly correlationId: string;
  /** Empty unless the trace is recorded. */
  readonly traceparent: string;
  /** Milliseconds since the epoch. */
  readonly acceptedAt: number;
  /** Base64 of the address that the result is to be sent to, sealed. */
  readonly callback?: string;
}

export const queueName = 'reactor-invocations';

/** The queue, as far as something is put into it. */
export interface JobQueue {
  /** @param priority less is earlier. Rejects while Redis is away. */
  add(requestId: string, data: JobData, priority: number): Promise<void>;
}
