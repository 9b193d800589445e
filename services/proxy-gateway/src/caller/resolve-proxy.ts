import { hashKey } from '@glovebox/access/api-key';
import { AppError } from '@glovebox/platform/errors';
import type { ProxyRecord } from '@glovebox/published/records';
import type { Registry } from '@glovebox/published/registry';

const maxKeyLength = 100;

export const unknownProxy = () => new AppError('not_found', 'There is no proxy with this key.');

/**
 * The proxy that a request selects by its key; the header wins over the query parameter.
 * @throws AppError `invalid_argument` without a key, `not_found` for an unknown one.
 */
export async function resolveProxy(
  headerKey: string | undefined,
  queryKey: string | undefined,
  registry: Registry,
): Promise<ProxyRecord> {
  const key = headerKey ?? queryKey;
  if (key === undefined || key === '') {
    throw new AppError(
      'invalid_argument',
      'The header SVC-PROXY-KEY or the query parameter svc-proxy-key is required.',
      { title: 'Invalid proxy request' },
    );
  }
  const proxy = key.length > maxKeyLength ? undefined : await registry.proxyByKeyHash(hashKey(key));
  if (proxy === undefined) throw unknownProxy();
  return proxy;
}
