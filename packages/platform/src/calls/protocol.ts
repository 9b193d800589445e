/**
 * Call streams: many small calls over one long-lived bidirectional gRPC stream. A unary call costs ten times the CPU.
 *
 * - A request frame carries the calls that became ready in one tick of the client, and the ids of cancelled calls. A
 *   response frame carries the replies that were ready together, in any order.
 * - The client chooses an id, unique among the open calls of its stream. A call gets one reply, or none after a cancel
 *   or the end of the stream.
 * - The server sends its metadata as soon as it accepts the stream. The client writes no call before, so every written
 *   call has reached a server and is never written again.
 * - A response frame without replies announces that the server is about to leave. The client opens another stream for
 *   new calls and half-closes this one; the server answers the calls that it has and ends it.
 */

/** Fields of every call message; the service adds its own. */
export interface CallMessage {
  id: number;
  /** Time left until the caller's deadline, in milliseconds. */
  timeoutMs: number;
}

export interface ReplyMessage {
  id: number;
}

/** A call without the fields that the stream sets. */
export type CallBody<Call> = Omit<Call, 'id' | 'timeoutMs'>;
