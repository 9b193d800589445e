import { hashKey } from '@glovebox/access/api-key';
import type { FilledValues } from '@glovebox/platform/redaction/filled-values';
import { KnownValues } from '@glovebox/platform/redaction/known-values';
import type { TransformStep } from '@glovebox/protos/published/v1/published';
import type { Reach } from '@glovebox/protos/vault/v1/vault';
import type { ProxyRecord } from '@glovebox/published/records';

import type { ResponseGuard } from '../../guard/response-guard.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { InvocationProgress } from '../../idempotency/invocation-progress.ts';
import type { ResolvedProxy } from './resolve.ts';

export type Side = 'request' | 'response';

/** One request on its way through a proxy. */
export interface ProxyInvocation extends ResolvedProxy {
  readonly exchange: Exchange;
  readonly progress: InvocationProgress;
  /** Values that were filled into the request: no error shows them. */
  readonly filledValues: KnownValues;
  /** Tokens that transforms have made, as the API shows them, by the identifier of their transform. */
  readonly madeTokens: Record<string, unknown>;
  /** The side whose transforms are running. */
  transforming: Side | undefined;
  /** Everywhere that detokenized values can get to, once that is known. */
  reach: Reach | undefined;
  /** The origin, once the request is about to be sent there. */
  destination: string | undefined;
  /** What was filled into the body and the headers; undefined for nothing. */
  filled: FilledValues | undefined;
  /** The body as the client has sent it, if values were filled into it. */
  sentBody: Buffer | undefined;
  /** Searches the answer for them; undefined where nothing is to be searched for. */
  guard: ResponseGuard | undefined;
}

export function createInvocation(
  exchange: Exchange,
  { target, proxy, rolloutId, shadow, caller }: ResolvedProxy,
  progress: InvocationProgress,
): ProxyInvocation {
  return {
    exchange,
    target,
    proxy,
    rolloutId,
    shadow,
    caller,
    progress,
    filledValues: new KnownValues(),
    madeTokens: Object.create(null) as Record<string, unknown>,
    transforming: undefined,
    reach: undefined,
    destination: undefined,
    filled: undefined,
    sentBody: undefined,
    guard: undefined,
  };
}

/** Empty for an ephemeral proxy: it has no key. */
export function proxyKeyHashOf({ exchange, target, proxy }: ProxyInvocation): string {
  const key = exchange.headers.proxyKey ?? target.proxyKey;
  return proxy.id === '' || key === undefined ? '' : hashKey(key);
}

const none: readonly TransformStep[] = [];
const onlyCode: readonly TransformStep[] = [
  { type: 'code', expression: '', replacement: '', identifier: '', location: '', value: '' },
];

/** The transforms of one side of a proxy, in their order. */
export function stepsOf(proxy: ProxyRecord, side: Side): readonly TransformStep[] {
  const steps = side === 'request' ? proxy.requestTransforms : proxy.responseTransforms;
  if (steps.length > 0) return steps;
  const code = side === 'request' ? proxy.requestTransformCode : proxy.responseTransformCode;
  return code === '' ? none : onlyCode;
}
