import { validationError } from '@glovebox/platform/errors/app-error';
import { type DryRunTransform, type RunTransform, TransformSide } from '@glovebox/protos/runner/v1/runner';

import type { ProxyVersions } from '../configurations/proxy-versions.ts';
import { type DryCodeContext, type DryRun, runDry } from '../invocation/dry-code.ts';
import type { Origin } from '../invocation/invoker.ts';
import type { Reply } from '../replies/reply.ts';
import type { CallLifetime } from '../worker-process/worker-calls.ts';

export interface DryTransformContext extends DryCodeContext {
  /** With stand-ins of their configuration. */
  readonly dryProxies: Pick<ProxyVersions, 'get'>;
}

/** Runs a transform of a proxy without any effect (contract/dry-runs.md#code). @throws AppError */
export async function dryRunTransform(
  context: DryTransformContext,
  { transform }: DryRunTransform,
  lifetime: CallLifetime,
  { correlationId }: Origin,
): Promise<Reply> {
  const run = await dryTransformOf(context.dryProxies, transform, lifetime, correlationId);
  const { step, dryOutcome } = await runDry(context, { ...run, isolates: 'dry' });
  // The result stays text: the gateway reads it as it reads every other one.
  const end =
    dryOutcome.kind === 'returned'
      ? { kind: dryOutcome.kind, result: dryOutcome.result.toString() }
      : dryOutcome;
  return { $case: 'dryRan', value: { json: Buffer.from(JSON.stringify({ step, ending: end })) } };
}

/** The run of a transform without any effect. @throws AppError */
export async function dryTransformOf(
  proxies: Pick<ProxyVersions, 'get'>,
  transform: RunTransform | undefined,
  lifetime: CallLifetime,
  correlationId: string,
): Promise<Omit<DryRun, 'isolates'>> {
  if (transform === undefined) throw validationError({ transform: ['is required'] });
  const { proxyKeyHash, proxyVersion, args } = transform;
  const side = transform.side === TransformSide.TRANSFORM_SIDE_REQUEST ? 'request' : 'response';
  const proxy = await proxies.get(proxyKeyHash, proxyVersion, correlationId);
  const code = side === 'request' ? proxy.requestCode : proxy.responseCode;
  if (code === '') throw validationError({ side: ['names a transform that the proxy does not have'] });
  const configuration = proxy.configuration.reveal().toString();
  return {
    tenantId: proxy.tenantId,
    code,
    codeVersion: proxy.codeVersions[side],
    argument: Buffer.from(`{"args":${args.toString()},"configuration":${configuration}}`),
    lifetime,
    correlationId,
    hasBt: proxy.applicationId !== '',
  };
}
