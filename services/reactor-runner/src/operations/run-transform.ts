import { AppError, validationError } from '@glovebox/platform/errors/app-error';
import { KnownValues } from '@glovebox/platform/redaction/known-values';
import { type MaybePromise, andThen } from '@glovebox/platform/values/maybe-promise';
import { type RunTransform, TransformSide } from '@glovebox/protos/runner/v1/runner';
import type { Delegation } from '@glovebox/protos/vault/v1/vault';
import type { PublishedRecords } from '@glovebox/published/published-records';

import { codeReachOf } from '../configurations/code-reach-of.ts';
import type { ProxyVersions, RunnableProxy } from '../configurations/proxy-versions.ts';
import type { Origin } from '../invocation/invoker.ts';
import { runCode } from '../invocation/run-code.ts';
import type { Reply } from '../replies/reply.ts';
import type { CallLifetime } from '../worker-process/worker-calls.ts';
import type { CodeReach } from '../worker-protocol/code-reach.ts';
import type { FunctionContext } from './run-function.ts';

export interface TransformContext extends FunctionContext {
  readonly proxies: ProxyVersions;
  readonly published: Pick<PublishedRecords, 'tenantById'>;
}

const head = Buffer.from('{"args":');
const middle = Buffer.from(',"configuration":');
const tail = Buffer.from('}');

/** Runs a transform of a proxy on `req = {args, configuration}` (contract/transforms.md#code). @throws AppError */
export function runTransform(
  context: TransformContext,
  transform: RunTransform,
  lifetime: CallLifetime,
  origin: Origin,
): MaybePromise<Reply> {
  const { proxyKeyHash, proxyVersion } = transform;
  // Most versions are cached, and awaiting a value that is already there costs more than the rest of this.
  const proxy = context.proxies.get(proxyKeyHash, proxyVersion, origin.correlationId);
  return andThen(proxy, (found) =>
    andThen(codeReachOf(context.published, found.tenantId, found.allowedDestinations), (reach) =>
      runOf(context, found, reach, transform, lifetime, origin),
    ),
  );
}

function runOf(
  context: TransformContext,
  proxy: RunnableProxy,
  reach: CodeReach | undefined,
  { proxyKeyHash, side: wireSide, args, anonymous, message }: RunTransform,
  lifetime: CallLifetime,
  origin: Origin,
): Promise<Reply> {
  const configuration = proxy.configuration.reveal();
  const argument = Buffer.concat([head, args, middle, configuration, tail]);
  const { argumentBytes } = context.limits;
  if (argument.length > argumentBytes) {
    throw new AppError(
      'too_large',
      `The argument of a transform may have at most ${argumentBytes} bytes of JSON.`,
    );
  }
  const { id, tenantId, applicationId, version, allowedDestinations } = proxy;
  const delegation: Delegation | undefined =
    applicationId === ''
      ? undefined
      : { owner: { $case: 'proxyKeyHash', value: proxyKeyHash }, version, applicationId };
  const side = wireSide === TransformSide.TRANSFORM_SIDE_REQUEST ? 'request' : 'response';
  const code = side === 'request' ? proxy.requestCode : proxy.responseCode;
  if (code === '') throw validationError({ side: ['names a transform that the proxy does not have'] });
  const codeVersion = proxy.codeVersions[side];
  const known = new KnownValues();
  known.add(configuration);
  const owner = { id, side } as const;
  const run = {
    tenantId,
    code,
    codeVersion,
    reach,
    argument,
    lifetime,
    owner,
    message,
    invoking: { allowedDestinations },
    known,
    delegation,
    ...origin,
  };
  return runCode(context, run, anonymous);
}
