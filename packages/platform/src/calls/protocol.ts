/**
 * Call streams: many small calls over one long-lived bidirectional gRPC stream, instead of a unary call each
 * (which costs ten times the CPU).
 *
 * - A request frame carries the calls that became ready in one tick of the client, and the ids of calls that
 *   nobody waits for any more. A response frame carries the replies that were decided together, in any order.
 * - An id is chosen by the client and unique among the open calls of its stream. A call gets one reply, or none
 *   once it is cancelled or the stream has ended.
 * - The server sends its metadata as soon as it takes the stream; no call is written before, so that a call that
 *   was written has reached a server, and is never written again.
 * - A response frame without replies says that the server is about to leave: the client opens another stream
 *   for what comes next and half-closes this one; the server answers what it was sent and ends it.
 */

/** What every call message has; the rest is the service's own. */
export interface CallMessage {
  id: number;
  /** What is left of the caller's deadline, in milliseconds. */
  timeoutMs: number;
}

export interface ReplyMessage {
  id: number;
}

/** A call without what the stream itself fills in. */
export type CallBody<Call> = Omit<Call, 'id' | 'timeoutMs'>;
