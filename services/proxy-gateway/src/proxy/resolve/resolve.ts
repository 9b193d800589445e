import { AppError } from '@glovebox/platform/errors/app-error';
import { type MaybePromise, andThen } from '@glovebox/platform/values/maybe-promise';
import type { PublishedLookups } from '@glovebox/published/published-lookups';
import type { ProxyRecord } from '@glovebox/published/records';

import { admitAnonymous } from '../../authentication/admit.ts';
import {
  type AuthenticatedCaller,
  authenticate,
  hashOnConnection,
  requireTokenUse,
} from '../../authentication/authenticate.ts';
import type { Exchange, RequestTarget } from '../../http/exchange.ts';
import { chooseVersion } from './choose-version.ts';
import { type EphemeralProxyDependencies, ephemeralProxy } from './ephemeral-proxy.ts';

/** The request target of a proxied request (contract/proxies.md#invocation). */
interface ProxyTarget {
  /** Raw text after `/proxy`. */
  readonly subPath: string;
  /** Raw query without the proxy key's parameters. */
  readonly query: string;
  readonly proxyKey: string | undefined;
}

export interface ResolveDependencies extends EphemeralProxyDependencies {
  readonly published: PublishedLookups;
}

export interface ResolvedProxy {
  readonly target: ProxyTarget;
  /** The version that serves the request. */
  readonly proxy: ProxyRecord;
  /** Id of the rollout that it takes part in. */
  readonly rolloutId?: string | undefined;
  /** The version that is tried on the request after its answer. */
  readonly shadow?: ProxyRecord | undefined;
  /** Undefined for an anonymous caller of a proxy that allows it. */
  readonly caller: AuthenticatedCaller | undefined;
}

/**
 * The proxy that a request names by its key or, without any, by a destination (contract/proxies.md#selecting-a-proxy),
 * and its caller.
 * @throws AppError `invalid_argument`, `not_found`, `unauthenticated`, `permission_denied`, `rate_limited`
 */
export async function resolveProxy(
  exchange: Exchange,
  dependencies: ResolveDependencies,
): Promise<ResolvedProxy> {
  const { headers, logFields, stages } = exchange;
  const target = parseProxyTarget(exchange.target, exchange.aliases);
  const key = headers.proxyKey ?? target.proxyKey;
  if (key === undefined && headers.proxyUrl !== undefined) {
    const { proxy, caller } = await ephemeralProxy(exchange, headers.proxyUrl, dependencies);
    stages.enter('receive');
    return { target, proxy, caller };
  }
  const { proxy, rolloutId, shadow } = await findProxy(exchange, key, dependencies.published);
  logFields.proxyId = proxy.id;
  logFields.tenantId = proxy.tenantId;
  const caller = await identifyCaller(exchange, proxy, dependencies.published);
  if (caller !== undefined) logFields.applicationId = caller.principal.applicationId;
  stages.enter('receive');
  return { target, proxy, rolloutId, shadow, caller };
}

const maxKeyLength = 100;

export const unknownProxy = () => new AppError('not_found', 'There is no proxy with this key.');

/** @throws AppError `invalid_argument` without a key, `not_found` for an unknown one. */
function findProxy(
  exchange: Exchange,
  key: string | undefined,
  published: PublishedLookups,
): MaybePromise<Pick<ResolvedProxy, 'proxy' | 'rolloutId' | 'shadow'>> {
  if (key === undefined || key === '') {
    throw new AppError(
      'invalid_argument',
      'The header SVC-PROXY-KEY, the query parameter svc-proxy-key or the header SVC-PROXY-URL is required.',
      { title: 'Invalid proxy request' },
    );
  }
  if (key.length > maxKeyLength) throw unknownProxy();
  const hash = hashOnConnection(exchange.request.socket, 'proxy', key);
  return andThen(published.proxyByKeyHash(hash), (proxy: ProxyRecord | undefined) => {
    if (proxy === undefined) throw unknownProxy();
    return andThen(published.proxyRolloutByKeyHash(hash), (rollout) =>
      rollout === undefined ? { proxy } : chooseVersion(exchange, proxy, rollout),
    );
  });
}

/**
 * Undefined for an anonymous caller of a proxy that allows it. An API key is checked even there
 * (contract/proxies.md#authentication-of-invocations).
 * @throws AppError `unauthenticated`, `rate_limited`, `permission_denied` without token:use anywhere, and `not_found`
 * for another tenant's key: its caller must not learn that the proxy exists.
 */
function identifyCaller(
  exchange: Exchange,
  proxy: ProxyRecord,
  published: PublishedLookups,
): MaybePromise<AuthenticatedCaller | undefined> {
  if (exchange.headers.apiKey === undefined && !proxy.requireAuth) return admitAnonymous(exchange, proxy);
  return andThen(authenticate(exchange, published), (caller) => {
    if (caller.principal.tenantId !== proxy.tenantId) throw unknownProxy();
    if (proxy.requireAuth) requireTokenUse(caller.principal);
    return caller;
  });
}

const ownParameter = 'svc-proxy-key';
const aliasParameter = 'bt-proxy-key';

/**
 * The proxy key is a credential: it is taken out of the query, which goes on to the destination.
 * @param aliases the name that starts with `bt-` counts too; it is taken out in any case
 */
export function parseProxyTarget({ path, query }: RequestTarget, aliases: boolean): ProxyTarget {
  const subPath = path.slice('/proxy'.length);
  if (query === '') return { subPath, query, proxyKey: undefined };
  const kept: string[] = [];
  let proxyKey: string | undefined;
  for (const parameter of query.split('&')) {
    const equals = parameter.indexOf('=');
    const name = decode(equals < 0 ? parameter : parameter.slice(0, equals));
    if (name !== ownParameter && name !== aliasParameter) {
      kept.push(parameter);
      continue;
    }
    if (name === aliasParameter && !aliases) continue;
    const value = equals < 0 ? '' : decode(parameter.slice(equals + 1));
    if (proxyKey !== undefined && proxyKey !== value) {
      throw new AppError(
        'invalid_argument',
        `The query parameter ${name} was sent twice with different values.`,
      );
    }
    proxyKey = value;
  }
  return { subPath, query: kept.join('&'), proxyKey };
}

function decode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
