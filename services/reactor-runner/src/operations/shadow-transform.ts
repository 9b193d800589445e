import type { ShadowTransform } from '@glovebox/protos/runner/v1/runner';

import type { ProxyVersions } from '../configurations/proxy-versions.ts';
import { type DryCodeContext, type DryOutcome, runDry } from '../invocation/dry-code.ts';
import type { Origin } from '../invocation/invoker.ts';
import type { Reply } from '../replies/reply.ts';
import type { LazyPool } from '../scheduling/lazy-pool.ts';
import type { CallLifetime } from '../worker-process/worker-calls.ts';
import { dryTransformOf } from './dry-run-transform.ts';

export interface ShadowTransformContext extends Omit<DryCodeContext, 'pool'> {
  readonly proxies: Pick<ProxyVersions, 'get'>;
  /** Workers for shadows only: no request waits for them. */
  readonly shadows: Pick<LazyPool, 'pool'>;
}

/**
 * Runs a transform of a proxy on what another version of it has got, without any effect (contract/rollouts.md#shadow). It
 * sees real values, so nothing that it logs, throws or tries to reach leaves the runner. @throws AppError
 */
export async function shadowTransform(
  { proxies, shadows: { pool }, limits, docsUrl }: ShadowTransformContext,
  { transform }: ShadowTransform,
  lifetime: CallLifetime,
  { correlationId }: Origin,
): Promise<Reply> {
  const run = await dryTransformOf(proxies, transform, lifetime, correlationId);
  const { dryOutcome } = await runDry({ pool, limits, docsUrl }, { ...run, isolates: 'shadow' });
  return { $case: 'dryRan', value: { json: Buffer.from(JSON.stringify(describeOutcome(dryOutcome))) } };
}

function describeOutcome(dryOutcome: DryOutcome): object {
  const { kind } = dryOutcome;
  if (kind === 'returned') return { kind, result: dryOutcome.result.toString() };
  return kind === 'refused' ? { kind, status: dryOutcome.error.status } : { kind };
}
