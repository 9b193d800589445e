import { AppError } from '@glovebox/platform/errors/app-error';
import { boundedDifferences } from '@glovebox/published/compare-json';
import type { PublishedRecords } from '@glovebox/published/published-records';
import type { ReactorRecord } from '@glovebox/published/records';
import type { ShadowRuns, Tried } from '@glovebox/published/shadow-runs';
import { shownNames } from '@glovebox/published/shown-names';

import type { ReactorConfigurations } from '../configurations/reactor-configurations.ts';
import type { LazyPool } from '../scheduling/lazy-pool.ts';
import { compareResults } from './compare-results.ts';
import { isFailureStatus } from './count-version.ts';
import { type DryCodeContext, type DryOutcome, runDry } from './dry-code.ts';
import { type ReactorResult, readResult } from './read-result.ts';
import { type ResolvedReactor, hasApplication } from './resolve-reactor.ts';

export interface ShadowContext extends Omit<DryCodeContext, 'pool'> {
  readonly published: Pick<PublishedRecords, 'reactorById' | 'applicationById'>;
  readonly configurations: Pick<ReactorConfigurations, 'of'>;
  /** Workers for shadows only: no request waits for them. */
  readonly shadows: Pick<LazyPool, 'pool'>;
  readonly shadowRuns: Pick<ShadowRuns, 'begin'>;
}

/** An invocation that the present version has served. */
export interface ServedInvocation {
  readonly reactor: ResolvedReactor;
  /** JSON text, as the code got it. */
  readonly args: string;
  /** What the code returned. */
  readonly result: ReactorResult;
  readonly correlationId: string;
}

/**
 * Has the second version of a shadow tried on the same arguments, once the answer is out (contract/rollouts.md#shadow). It has
 * no effect, and no request waits for it.
 */
export function tryShadow(context: ShadowContext, served: ServedInvocation): void {
  const { rollout } = served.reactor;
  if (rollout?.shadow === undefined) return;
  const { version, record } = rollout.shadow;
  const { raw = '', tokenize = '' } = served.result;
  context.shadowRuns.begin({
    rolloutId: rollout.id,
    version,
    bytes: 2 * (served.args.length + raw.length + tokenize.length),
    attempt: () => tryVersion(context, served, record),
  });
}

/** @returns undefined if the version is not that of a rollout any more. @throws what says nothing of the version */
async function tryVersion(
  context: ShadowContext,
  { reactor: present, args, result, correlationId }: ServedInvocation,
  record: number,
): Promise<Tried | undefined> {
  const second = await context.published.reactorById(present.id, record);
  if (second?.version !== record) return undefined;
  try {
    const dryOutcome = await run(context, second, args, correlationId);
    if (dryOutcome.kind !== 'returned') return ended(dryOutcome);
    const shown = shownNames<Pick<ReactorRecord, 'code'>>(present, second, ({ code }) => [code]);
    const differences = compareResults(result, readResult(dryOutcome.result), shown);
    return { differences: boundedDifferences(differences), failed: false };
  } catch (error) {
    if (!(error instanceof AppError) || !own.has(error.code)) throw error;
    return failed;
  }
}

/** It sees real values, so nothing that it logs, throws or tries to reach goes any further. @throws AppError */
async function run(
  { published, configurations, shadows: { pool }, limits, docsUrl }: ShadowContext,
  second: ReactorRecord,
  args: string,
  correlationId: string,
): Promise<DryOutcome> {
  const configuration = (await configurations.of(second, correlationId)).reveal();
  const hasBt = await hasApplication(published, second);
  const bt = hasBt ? '' : ',"bt":null';
  const { dryOutcome } = await runDry(
    { pool, limits, docsUrl },
    {
      tenantId: second.tenantId,
      code: second.code,
      codeVersion: `${second.id}:${second.version}`,
      isolates: 'shadow',
      argument: Buffer.from(`{"args":${args},"configuration":${configuration}${bt}}`),
      lifetime: { deadline: Date.now() + longestMs, cancelled: false, signal: never },
      correlationId,
      hasBt,
    },
  );
  return dryOutcome;
}

/** Until a worker has to have ended it; its pool ends it earlier. What waits longer is left out. */
const longestMs = 600_000;
const never = new AbortController().signal;

const path = '/result';
const failed: Tried = { differences: [{ path, kind: 'failed' }], failed: true };
const answered: Tried = { differences: [{ path, kind: 'answered' }], failed: false };

function ended(dryOutcome: Exclude<DryOutcome, { kind: 'returned' }>): Tried {
  return dryOutcome.kind === 'refused' && isFailureStatus(dryOutcome.error.status) ? failed : answered;
}

/** The result cannot be used, or the configuration does not fit the formula. */
const own: ReadonlySet<string> = new Set(['internal', 'invalid_argument', 'too_large', 'unprocessable']);
