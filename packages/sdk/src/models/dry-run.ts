/** The rule that decides; absent for a plain permission. */
export interface DecidingRule {
  readonly priority: number;
}

/** One occurrence of an expression in a dry run. */
export interface DryRunExpression {
  readonly expression: string;
  /** A JSON Pointer. */
  readonly place: string;
  readonly token_id?: string;
  readonly container?: string;
  readonly rule?: DecidingRule;
  readonly decision?: 'allowed' | 'denied';
  readonly reason?: string;
  /** What is used in place of the value. */
  readonly stand_in?: unknown;
}

/** What a dry run has decided in one step; which members there are depends on its name. */
export interface DryRunStep {
  readonly name: 'resolve' | 'authorize' | 'detokenize' | 'transform' | 'egress';
  readonly duration_ms: number;
  readonly permission?: string;
  readonly rule?: DecidingRule;
  readonly expressions?: readonly DryRunExpression[];
  readonly log?: readonly {
    readonly time: string;
    readonly level: 'info' | 'error';
    readonly text: string;
  }[];
  readonly error?: {
    readonly name?: string;
    readonly message: string;
    readonly line?: number;
    readonly column?: number;
    readonly frame?: string;
  };
  /** A JSON Patch. */
  readonly changes?: readonly { readonly op: string; readonly path: string; readonly value?: unknown }[];
  readonly tried_to_reach?: readonly string[];
  readonly host?: string;
  readonly allowed?: boolean;
  readonly reason?: string;
}

/** What would happen to a request. All values in it are stand-ins. Its names are those of the API. */
export interface DryRun {
  readonly dry_run: true;
  readonly outcome: 'would_send' | 'would_return' | 'refused';
  readonly error?: { readonly status: number; readonly code: string; readonly detail: string };
  readonly subject: { readonly type: 'proxy' | 'reactor'; readonly id?: string; readonly version?: number };
  readonly caller: { readonly application_id: string; readonly type: string };
  readonly steps: readonly DryRunStep[];
  /** Of a proxy: what would be sent. */
  readonly request?: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string | string[]>>;
    readonly body: string | null;
  };
  /** Of a reactor, or of code that answers by itself. */
  readonly result?: unknown;
}
