import { AppError, validationError } from '@glovebox/platform/errors/app-error';
import { KnownValues } from '@glovebox/platform/redaction/known-values';
import type { Context } from '@glovebox/platform/telemetry/tracing';
import { type MaybePromise, andThen } from '@glovebox/platform/values/maybe-promise';
import { type RunTransform, type RunnerReply, TransformSide } from '@glovebox/protos/runner/v1/runner';
import type { Delegation } from '@glovebox/protos/vault/v1/vault';

import type { ProxyVersions, RunnableProxy } from '../configurations/proxy-versions.ts';
import { runCode } from '../invocation/run-code.ts';
import type { Caller } from '../worker-process/worker-process.ts';
import type { FunctionContext } from './run-function.ts';

export interface TransformContext extends FunctionContext {
  readonly proxies: ProxyVersions;
}

type Outcome = NonNullable<RunnerReply['outcome']>;

const head = Buffer.from('{"args":');
const middle = Buffer.from(',"configuration":');
const tail = Buffer.from('}');

/** Runs a transform of a proxy on `req = {args, configuration}` (contract/transforms.md#code). @throws AppError */
export function runTransform(
  context: TransformContext,
  transform: RunTransform,
  caller: Caller,
  correlationId: string,
  trace: Context | undefined,
): MaybePromise<Outcome> {
  const { proxyKeyHash, proxyVersion } = transform;
  // Most versions are at hand, and waiting for what is there costs more than all of this.
  const proxy = context.proxies.get(proxyKeyHash, proxyVersion, correlationId);
  return andThen(proxy, (known) => runOf(context, known, transform, caller, correlationId, trace));
}

function runOf(
  context: TransformContext,
  proxy: RunnableProxy,
  { proxyKeyHash, side, args, anonymous }: RunTransform,
  caller: Caller,
  correlationId: string,
  trace: Context | undefined,
): Promise<Outcome> {
  const configuration = proxy.configuration.reveal();
  const argument = Buffer.concat([head, args, middle, configuration, tail]);
  const { argumentBytes } = context.limits;
  if (argument.length > argumentBytes) {
    throw new AppError('too_large', `What a transform gets may have at most ${argumentBytes} bytes of JSON.`);
  }
  const { id, tenantId, applicationId } = proxy;
  const delegation: Delegation | undefined =
    applicationId === ''
      ? undefined
      : { owner: { $case: 'proxyKeyHash', value: proxyKeyHash }, version: proxy.version, applicationId };
  const code = codeOf(proxy, side);
  const owner = { id, side: isRequest(side) ? 'request' : 'response' } as const;
  const codeVersion = proxy.codeVersions[owner.side];
  const known = new KnownValues();
  known.add(configuration);
  const job = { tenantId, code, codeVersion, argument, caller, correlationId, owner, known };
  return runCode(context, delegation === undefined ? job : { ...job, delegation, trace }, anonymous);
}

function codeOf(proxy: RunnableProxy, side: TransformSide): string {
  const code = isRequest(side) ? proxy.requestCode : proxy.responseCode;
  if (code === '') throw validationError({ side: ['names a transform that the proxy does not have'] });
  return code;
}

function isRequest(side: TransformSide): boolean {
  return side === TransformSide.TRANSFORM_SIDE_REQUEST;
}
