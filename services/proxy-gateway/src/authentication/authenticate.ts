import type { Socket } from 'node:net';

import { hashKey, isPlausibleApiKey } from '@glovebox/access/api-key';
import { missingPermission } from '@glovebox/access/missing-permission';
import type { Principal } from '@glovebox/access/principal';
import { mayInvoke } from '@glovebox/access/rules';
import { AppError } from '@glovebox/platform/errors/app-error';
import { type MaybePromise, andThen } from '@glovebox/platform/values/maybe-promise';
import type { PublishedRecords } from '@glovebox/published/published-records';

import type { Exchange } from '../http/exchange.ts';
import { admitCaller, waitForTurn } from './admit.ts';

/** The application that sent a request, with the credential that the vault resolves for itself. */
export interface AuthenticatedCaller {
  readonly principal: Principal;
  readonly apiKey: string;
}

type Applications = Pick<PublishedRecords, 'applicationByKeyHash'>;

/**
 * The application that an API key belongs to.
 * @throws AppError `unauthenticated` for a missing or unknown key, `rate_limited`.
 */
export function authenticate(exchange: Exchange, published: Applications): MaybePromise<AuthenticatedCaller> {
  const { apiKey } = exchange.headers;
  if (apiKey === undefined || apiKey === '') {
    throw new AppError('unauthenticated', 'The header SVC-API-KEY is required.');
  }
  if (!isPlausibleApiKey(apiKey)) throw unknownKey();
  const hash = hashOnConnection(exchange.request.socket, 'application', apiKey);
  return andThen(published.applicationByKeyHash(hash), (application) => {
    if (application === undefined) throw unknownKey();
    const { principal } = application;
    if (isLasting(principal)) exchange.keyUses.note(principal.tenantId, hash);
    const caller = { principal, apiKey };
    if (exchange.rates === undefined) return caller;
    return andThen(admitCaller(exchange, hash, principal), () => caller);
  });
}

/** The same in the tenant's turn, and logs the application: the vault or the runner authorizes it. */
export async function authenticateCaller(
  exchange: Exchange,
  published: Applications,
): Promise<AuthenticatedCaller> {
  const caller = await authenticate(exchange, published);
  exchange.logFields.tenantId = caller.principal.tenantId;
  exchange.logFields.applicationId = caller.principal.applicationId;
  await waitForTurn(exchange, caller.principal.tenantId);
  return caller;
}

/**
 * The same for an operation on tokens, before its body is read.
 * @throws AppError `unauthenticated`, and `permission_denied` for a management application.
 */
export async function authenticateTokenCaller(
  exchange: Exchange,
  published: Applications,
): Promise<AuthenticatedCaller> {
  const caller = await authenticateCaller(exchange, published);
  if (caller.principal.applicationType === 'management') {
    const text =
      'A management application cannot use tokens. Send the key of a private application, or of a public one.';
    throw new AppError('permission_denied', text);
  }
  exchange.stages.enter('own');
  return caller;
}

/**
 * @throws AppError `permission_denied` for a caller that may use no token at all
 * (contract/proxies.md#authentication-of-invocations).
 */
export function requireTokenUse(principal: Principal): void {
  if (mayInvoke(principal.grants)) return;
  throw new AppError('permission_denied', missingPermission('token:use', principal));
}

/** Keys that people manage. Those of sessions and expiring applications are many, and expire. */
function isLasting({ applicationType: type }: Principal): boolean {
  return type !== 'session' && type !== 'expiring';
}

const unknownKey = () => new AppError('unauthenticated', 'The API key is not valid.');

interface HashedKey {
  readonly key: string;
  readonly hash: string;
}

/** The keys of each connection's last request. */
const last = { proxy: new WeakMap<Socket, HashedKey>(), application: new WeakMap<Socket, HashedKey>() };

/** `hashKey`, but free for a key that the connection's last request brought too, as most do. */
export function hashOnConnection(socket: Socket, kind: keyof typeof last, key: string): string {
  const known = last[kind].get(socket);
  if (known?.key === key) return known.hash;
  const hash = hashKey(key);
  last[kind].set(socket, { key, hash });
  return hash;
}
