import { randomUUID } from 'node:crypto';

import type {
  InvocationOutcome,
  InvocationOutline,
  InvocationSubject,
} from '@glovebox/published/invocation-outline';

import type { Exchange, OutlineNotes } from '../http/exchange.ts';

export interface Invoked {
  readonly tenantId: string;
  readonly subject: InvocationSubject;
  /** Of a proxy that is saved. */
  readonly version?: number;
  /** An origin, once the request was about to be sent there. */
  readonly destination?: string | undefined;
}

type Ended = Pick<Exchange, 'logFields' | 'response'>;

/** How an invocation ended, when its answer is complete or given up (contract/invocations.md#outcomes). */
export function outcomeOf({ logFields, response }: Ended): InvocationOutcome {
  const { errorCode } = logFields;
  if (errorCode === undefined) return 'succeeded';
  const { statusCode: status, writableEnded } = response;
  // The answer had begun, or code gave it.
  if (status < 400) return writableEnded ? 'succeeded' : 'failed';
  const ofCaller = status < 500 && status !== 408 && status !== 422;
  return ofCaller ? 'refused' : 'failed';
}

/** What an invocation that has ended was: ids, times, sizes and codes (contract/invocations.md#outline). */
export function outlineOf(
  exchange: Exchange,
  { subject, version, destination: url }: Invoked,
  now = new Date(),
): InvocationOutline {
  const { logFields, response, correlationId, stages, outlineNotes: notes } = exchange;
  const duration = performance.now() - exchange.startedAt;
  const outcome = outcomeOf(exchange);
  const { errorCode: code, destinationStatus: status, applicationId } = logFields;
  return {
    id: randomUUID(),
    subject,
    version: subject.id === undefined ? undefined : version,
    outcome,
    status: response.statusCode,
    trace_id: correlationId,
    application_id: applicationId,
    started_at: new Date(now.getTime() - duration).toISOString(),
    duration_ms: hundredths(duration),
    stages: stages.all(),
    destination: url === undefined ? undefined : { url, status },
    request_bytes: announced(exchange),
    response_bytes: status === undefined ? undefined : notes.responseBytes,
    error: outcome === 'succeeded' || code === undefined ? undefined : { code, ...placeOf(notes) },
    logged: notes.logged,
  };
}

function placeOf({ line, column }: OutlineNotes): { readonly line?: number; readonly column?: number } {
  return line === 0 ? {} : { line, column };
}

/** The length of the request's body, where the client has announced it. */
function announced({ request }: Exchange): number | undefined {
  const length = Number(request.headers['content-length']);
  return Number.isSafeInteger(length) ? length : undefined;
}

function hundredths(ms: number): number {
  return Math.round(ms * 100) / 100;
}
