/** Runs code that is not stored. The runner implements it. */
export interface Trier {
  /**
   * @returns JSON text (contract/dry-runs.md#trying-code)
   * @throws AppError `rate_limited`, `too_large`, `deadline_exceeded`, `unavailable`
   */
  try(trial: CodeTrial, correlationId: string): Promise<string>;
}

export interface CodeTrial {
  readonly tenantId: string;
  readonly code: string;
  /** Of a proxy's transform; undefined for the code of a formula. */
  readonly side: 'request' | 'response' | undefined;
  /** What `req.args` is. */
  readonly args: unknown;
  readonly configuration: Readonly<Record<string, unknown>>;
  /** As which the code acts by `req.bt`; undefined: it has none. */
  readonly applicationId: string | undefined;
  /** Whether it reaches anything, and acts at all. */
  readonly network: boolean;
}
