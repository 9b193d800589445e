/** Code that is run once, and not stored. */
export interface TryFormula {
  readonly code: string;
  readonly event: { readonly args?: object | null };
  readonly configuration?: Readonly<Record<string, string | number | boolean | null>> | null;
  /** As which `req.bt` acts. */
  readonly application?: { readonly id: string } | null;
  /** Whether the code reaches anything, and really acts by `req.bt`. Default: false. */
  readonly network?: boolean | null;
}

export interface TryTransform extends TryFormula {
  /** Default: `request`. */
  readonly side?: 'request' | 'response' | null;
}

/** Where code fails, for its author. */
export interface CodeError {
  readonly name?: string;
  readonly message: string;
  /** Both from 1. */
  readonly line?: number;
  readonly column?: number;
  /** The lines around the place, with a mark below it. */
  readonly frame?: string;
}

/** How code that was tried has ended. */
export interface TrialResult {
  /** `returned`, `threw`, `syntax_error`, `timeout`, … */
  readonly outcome: string;
  /** As the code returned it. */
  readonly result?: unknown;
  readonly error?: CodeError;
  readonly log: { readonly time: string; readonly level: 'info' | 'error'; readonly text: string }[];
  readonly durationMs: number;
  /** Null when the isolate was ended. */
  readonly memoryBytes: number | null;
  /** Refused hosts as `host:port`, and refused calls such as `bt POST /tokens`. */
  readonly triedToReach: string[];
}
