/** Who was invoked. A proxy that stood in the request has no id. */
export interface InvocationSubject {
  readonly type: 'proxy' | 'reactor';
  readonly id?: string | undefined;
}

/** `succeeded` whatever a destination answers, `failed` by code or a destination, `refused` for what the caller did. */
export type InvocationOutcome = 'succeeded' | 'failed' | 'refused';

export const invocationOutcomes: readonly InvocationOutcome[] = ['succeeded', 'failed', 'refused'];

/**
 * What one invocation was, without anything that went through it: neither values nor paths, queries, headers or texts of
 * errors (contract/invocations.md#outline).
 */
export interface InvocationOutline {
  /** UUID. */
  readonly id: string;
  readonly subject: InvocationSubject;
  /** Of the proxy; absent for a reactor. */
  readonly version?: number | undefined;
  readonly outcome: InvocationOutcome;
  /** The status of the answer; absent for a run without a waiting client. */
  readonly status?: number | undefined;
  readonly trace_id: string;
  /** The application that invoked; absent for an anonymous caller. */
  readonly application_id?: string | undefined;
  /** RFC 3339. */
  readonly started_at: string;
  readonly duration_ms: number;
  /** Milliseconds of each stage that was entered. */
  readonly stages?: Readonly<Record<string, number>> | undefined;
  readonly destination?: { readonly url: string; readonly status?: number | undefined } | undefined;
  /** Of the request's body, as the caller announced it. */
  readonly request_bytes?: number | undefined;
  /** Of the body that the destination answered with. */
  readonly response_bytes?: number | undefined;
  readonly error?: InvocationError | undefined;
  /** Its code wrote to its log. */
  readonly logged: boolean;
}

export interface InvocationError {
  /** Of the answer's error (contract/errors.md); of a run without a waiting client, how it ended. */
  readonly code: string;
  /** In the code, both from 1. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** The setting of a tenant: of a hundred quiet successes, how many are kept. */
export const samplingSetting = 'invocation_sampling';

const defaultSampling = 1;
const samplingPattern = /^(?:100|[1-9]?\d)$/;

/** Whether a text is a value of the setting: a whole number from 0 to 100. */
export function isSampling(text: string): boolean {
  return samplingPattern.test(text);
}

/** Whether an invocation is kept: always if it failed or logged, and of the others a share. */
export function isKept(
  { outcome, logged }: Pick<InvocationOutline, 'outcome' | 'logged'>,
  settings: Readonly<Record<string, string>> | undefined,
  chance: () => number = Math.random,
): boolean {
  if (logged || outcome !== 'succeeded') return true;
  const sampling = settings?.[samplingSetting];
  return (
    chance() * 100 < (sampling !== undefined && isSampling(sampling) ? Number(sampling) : defaultSampling)
  );
}
