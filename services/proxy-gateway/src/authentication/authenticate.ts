import { isPlausibleApiKey } from '@glovebox/access/api-key';
import type { Principal } from '@glovebox/access/principal';
import { AppError } from '@glovebox/platform/errors/app-error';
import { type MaybePromise, andThen } from '@glovebox/platform/values/maybe-promise';
import type { PublishedRecords } from '@glovebox/published/published-records';

import type { Exchange } from '../http/exchange.ts';
import { admitCaller } from './admit.ts';
import { hashOnConnection } from './hash-on-connection.ts';

/** Who calls, together with the credential that the vault will resolve for itself. */
export interface Caller {
  readonly principal: Principal;
  readonly apiKey: string;
}

/**
 * The application that an API key belongs to.
 * @throws AppError `unauthenticated` for a missing or unknown key, `rate_limited`.
 */
export function identifyCaller(
  exchange: Exchange,
  registry: Pick<PublishedRecords, 'applicationByKeyHash'>,
): MaybePromise<Caller> {
  const { apiKey } = exchange.headers;
  if (apiKey === undefined || apiKey === '') {
    throw new AppError('unauthenticated', 'The header SVC-API-KEY is required.');
  }
  if (!isPlausibleApiKey(apiKey)) throw unknownKey();
  const hash = hashOnConnection(exchange.request.socket, 'application', apiKey);
  return andThen(registry.applicationByKeyHash(hash), (application) => {
    if (application === undefined) throw unknownKey();
    const caller = { principal: application.principal, apiKey };
    if (exchange.limits === undefined) return caller;
    return andThen(admitCaller(exchange, hash, caller.principal), () => caller);
  });
}

const unknownKey = () => new AppError('unauthenticated', 'The API key is not valid.');
