/** contract/invocations.md#outline */
export interface Invocation {
  readonly id: string;
  readonly subject: { readonly type: 'proxy' | 'reactor'; readonly id?: string };
  readonly version?: number;
  readonly outcome: 'succeeded' | 'failed' | 'refused';
  readonly status?: number;
  readonly trace_id: string;
  readonly application_id?: string;
  readonly started_at: string;
  readonly duration_ms: number;
  readonly stages?: Readonly<Record<string, number>>;
  readonly destination?: { readonly url: string; readonly status?: number };
  readonly request_bytes?: number;
  readonly response_bytes?: number;
  readonly error?: { readonly code: string; readonly line?: number; readonly column?: number };
  readonly logged: boolean;
}

/** A run of a reactor that nobody waits for. */
export interface AsyncInvocation {
  readonly id: string;
  readonly reactor_id: string;
  readonly application_id?: string;
  readonly state: 'waiting' | 'running' | 'completed' | 'failed' | 'interrupted';
  readonly accepted_at: string;
  readonly ended_at?: string;
  readonly duration_ms?: number;
  readonly error?: string;
}
