import { AppError } from '@glovebox/platform/errors/app-error';
import { type ErrorObject, type Occurrence, toErrorObject } from '@glovebox/platform/errors/http';

import { parseLog } from '../invocation-log/invocation-text.ts';
import { logReaders } from '../replies/audience.ts';
import { failureError } from '../replies/failure-error.ts';
import { hintOf } from '../replies/hint-of.ts';
import { type PlacedError, placedError } from '../replies/placed-error.ts';
import { refusalObject } from '../replies/reply.ts';
import { thrownAnswer } from '../replies/thrown-answer.ts';
import type { CodeRun, RunEnd } from '../scheduling/tenant.ts';
import type { WorkerPool } from '../scheduling/worker-pool.ts';
import type { Failure } from '../worker-protocol/outcome.ts';
import { withoutEffect } from './without-effect.ts';

/** What a dry run shows of one run of code. */
export interface DryStep {
  readonly duration_ms: number;
  readonly log: ReturnType<typeof parseLog>;
  readonly error?: PlacedError;
  readonly tried_to_reach: readonly string[];
}

/** How code ends in a dry run: it returns a result, answers with a response of its own, or the call is refused. */
export type DryOutcome =
  | { readonly kind: 'returned'; readonly result: Buffer }
  | { readonly kind: 'responded'; readonly response: object }
  | { readonly kind: 'refused'; readonly error: ErrorObject };

export interface DryCodeContext {
  readonly pool: Pick<WorkerPool, 'run'>;
  readonly limits: { readonly argumentBytes: number };
  /** Base URL of the error documentation. */
  readonly docsUrl: string;
}

export type DryRun = Pick<CodeRun, 'tenantId' | 'code' | 'argument' | 'lifetime' | 'correlationId'> & {
  /** Of the code in production: here it has isolates of its own. */
  readonly codeVersion: string;
  /** A shadow sees real values, so it shares no isolate with dry runs, whose results are shown. */
  readonly isolates: 'dry' | 'shadow';
  readonly hasBt: boolean;
};

/** Runs the code of a published proxy or reactor without any effect. @throws AppError when it cannot be run */
export async function runDry(
  { pool, limits, docsUrl }: DryCodeContext,
  { hasBt, codeVersion, isolates, ...run }: DryRun,
): Promise<{ readonly step: DryStep; readonly dryOutcome: DryOutcome }> {
  const { argumentBytes } = limits;
  if (run.argument.length > argumentBytes) {
    throw new AppError('too_large', `The argument of code may have at most ${argumentBytes} bytes of JSON.`);
  }
  const tried = new Set<string>();
  let end: RunEnd | undefined;
  const whole: CodeRun = {
    ...run,
    ...withoutEffect(hasBt, (one) => tried.add(one)),
    codeVersion: `${isolates}:${codeVersion}`,
    onEnd: (ended) => {
      end = ended;
    },
  };
  const outcome = await pool.run(whole);
  const step = {
    duration_ms: Math.round((end?.seconds ?? 0) * 1000),
    log: end?.log === undefined ? [] : parseLog(end.log),
    ...(outcome.kind === 'returned' ? {} : { error: placedError(outcome, run.code, hintOf(outcome, whole)) }),
    tried_to_reach: [...tried],
  };
  if (outcome.kind === 'returned') return { step, dryOutcome: { kind: 'returned', result: outcome.result } };
  return { step, dryOutcome: dryOutcomeOf(outcome, whole, { correlationId: run.correlationId, docsUrl }) };
}

/** The answer that the caller would get. */
function dryOutcomeOf(failure: Failure, run: CodeRun, occurrence: Occurrence): DryOutcome {
  const answer = failure.kind === 'threw' ? thrownAnswer(failure.thrown) : undefined;
  if (answer?.$case === 'responded') {
    const { status, json } = answer.value;
    return { kind: 'responded', response: { status, ...(JSON.parse(json.toString()) as object) } };
  }
  if (answer?.$case === 'refused') return { kind: 'refused', error: refusalObject(answer.value, occurrence) };
  const error = failureError(failure, logReaders, hintOf(failure, run));
  return { kind: 'refused', error: toErrorObject(error, occurrence) };
}
