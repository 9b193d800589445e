/** Bounds the memory of a client of a call stream. */
export interface CallStreamLimits {
  readonly maxCallsPerFrame: number;
  /** A larger call travels in a frame of its own. */
  readonly maxFrameBytes: number;
  /** A larger call is refused as `too_large`; keep it below the channel's message limit. */
  readonly maxCallBytes: number;
  /** Calls that wait to be written or for their reply; one more is refused as `unavailable`. */
  readonly maxOpenCalls: number;
  /** Bytes of calls that wait to be written; beyond, calls are refused as `unavailable`. */
  readonly maxQueuedBytes: number;
  /** How long calls wait for a stream that is being opened. After that they fail, and new ones fail at once. */
  readonly reconnectWaitMs: number;
}

export const defaultLimits: CallStreamLimits = {
  maxCallsPerFrame: 128,
  maxFrameBytes: 256 * 1024,
  maxCallBytes: 8 * 1024 * 1024,
  maxOpenCalls: 8192,
  maxQueuedBytes: 32 * 1024 * 1024,
  reconnectWaitMs: 1_000,
};
