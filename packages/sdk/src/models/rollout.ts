/** Which requests the second version of a proxy or reactor gets. */
export interface UpdateRollout {
  /** A version that is kept, and not the present one. It may be a draft. */
  readonly version: number;
  /** 0 to 100. */
  readonly percent: number;
  /** A shadow gives no answers: it runs on the same input after the answer, and the results are compared. */
  readonly mode?: 'live' | 'shadow' | null;
  /** `random`, the default, or `header:<name>`: the same value of this header always gets the same version. */
  readonly by?: string | null;
  /** The rollout ends by itself when more than this share (0 to 1) of the requests to the second version fails. */
  readonly stopWhen?: StopWhen | null;
}

export interface StopWhen {
  readonly errorRate: number;
  readonly minRequests: number;
}

export interface Rollout {
  readonly version: number;
  readonly percent: number;
  readonly mode: 'live' | 'shadow';
  readonly by: string;
  readonly stopWhen?: StopWhen;
  readonly state: 'running' | 'stopped' | 'completed';
  /** Why it has stopped by itself. */
  readonly reason?: 'error_rate';
  /** The present version, and that which is rolled out. */
  readonly versions: RolloutFigures[];
  /** Of a shadow. */
  readonly shadow?: RolloutShadow;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly modifiedBy?: string;
  readonly modifiedAt?: string;
}

/** What a version has done since the rollout began. */
export interface RolloutFigures {
  readonly version: number;
  readonly requests: number;
  readonly errors: number;
  /** Absent before the first request. */
  readonly p50Ms?: number;
  readonly p99Ms?: number;
}

/** How the results of a shadow compare with those of the present version. */
export interface RolloutShadow {
  readonly compared: number;
  readonly equal: number;
  /** Requests of the share that it was not tried on. Absent from older servers. */
  readonly skipped?: number;
  /** The most frequent first. */
  readonly differences: RolloutDifference[];
}

export interface RolloutDifference {
  /** A place, never a value. */
  readonly path: string;
  readonly kind: 'added' | 'removed' | 'type' | 'value' | 'answered' | 'failed' | 'other';
  /** Requests with this difference. */
  readonly count: number;
}
