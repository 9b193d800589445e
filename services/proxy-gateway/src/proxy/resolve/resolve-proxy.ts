import { AppError } from '@glovebox/platform/errors/app-error';
import { type MaybePromise, andThen } from '@glovebox/platform/values/maybe-promise';
import type { PublishedRecords } from '@glovebox/published/published-records';
import type { ProxyRecord } from '@glovebox/published/records';

import { hashOnConnection } from '../../authentication/hash-on-connection.ts';
import type { Exchange } from '../../http/exchange.ts';

const maxKeyLength = 100;

export const unknownProxy = () => new AppError('not_found', 'There is no proxy with this key.');

/**
 * The proxy that a request selects by its key; the header wins over the query parameter.
 * @throws AppError `invalid_argument` without a key, `not_found` for an unknown one.
 */
export function resolveProxy(
  { request, headers }: Exchange,
  queryKey: string | undefined,
  registry: PublishedRecords,
): MaybePromise<ProxyRecord> {
  const key = headers.proxyKey ?? queryKey;
  if (key === undefined || key === '') {
    throw new AppError(
      'invalid_argument',
      'The header SVC-PROXY-KEY, the query parameter svc-proxy-key or the header SVC-PROXY-URL is required.',
      { title: 'Invalid proxy request' },
    );
  }
  if (key.length > maxKeyLength) throw unknownProxy();
  return andThen(registry.proxyByKeyHash(hashOnConnection(request.socket, 'proxy', key)), known);
}

function known(proxy: ProxyRecord | undefined): ProxyRecord {
  if (proxy === undefined) throw unknownProxy();
  return proxy;
}
