/** A run of a proxy's or a reactor's code that logged something or failed. */
export interface Invocation {
  readonly id: string;
  readonly correlationId: string;
  readonly startedAt: string;
  readonly durationMs: number;
  /** `returned`, `threw`, `timeout`, … */
  readonly outcome: string;
  /** Which transform of a proxy. */
  readonly side?: 'request' | 'response';
  readonly error?: { readonly name?: string; readonly message: string; readonly stack?: string[] };
  readonly log: { readonly time: string; readonly level: 'info' | 'error'; readonly text: string }[];
}

/** Newest first. */
export interface InvocationList {
  readonly data: Invocation[];
}

export interface InvocationQuery {
  /** 1 to 100; default 20. */
  readonly size?: number | undefined;
}
