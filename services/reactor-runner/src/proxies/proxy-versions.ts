import { AppError } from '@glovebox/platform/errors';
import { Secret } from '@glovebox/platform/secret';
import type { ProxyRecord } from '@glovebox/published/records';
import type { Registry } from '@glovebox/published/registry';
import { LRUCache } from 'lru-cache';

/** A version of a proxy with all that its transforms need. */
export interface RunnableProxy {
  readonly tenantId: string;
  /** Empty when it has none. */
  readonly applicationId: string;
  /** Empty when there is no such transform. */
  readonly requestCode: string;
  readonly responseCode: string;
  /** JSON text. */
  readonly configuration: Secret<Buffer>;
}

export interface ProxyVersionsOptions {
  readonly registry: Pick<Registry, 'proxyByKeyHash'>;
  readonly openConfiguration: (proxy: ProxyRecord, correlationId: string) => Promise<Record<string, string>>;
}

interface Wanted {
  readonly proxy: ProxyRecord;
  readonly correlationId: string;
}

const maxVersions = 5000;
const maxBytes = 64 * 1024 * 1024;
/** Longer than a request lives between its two transforms. */
const keptMs = 120_000;

/**
 * The proxies whose transforms were run lately, version by version: a request is transformed by the version that its
 * gateway acts on, with that version's secrets, even when a newer one is published meanwhile. What is kept is plaintext,
 * for as long as it is used and two minutes more.
 */
export class ProxyVersions {
  readonly #registry: Pick<Registry, 'proxyByKeyHash'>;
  readonly #versions: LRUCache<string, RunnableProxy, Wanted>;

  constructor({ registry, openConfiguration }: ProxyVersionsOptions) {
    this.#registry = registry;
    this.#versions = new LRUCache<string, RunnableProxy, Wanted>({
      max: maxVersions,
      maxSize: maxBytes,
      ttl: keptMs,
      sizeCalculation: bytesOf,
      fetchMethod: async (_key, _stale, { context: { proxy, correlationId } }) => {
        const configuration = await openConfiguration(proxy, correlationId);
        return {
          tenantId: proxy.tenantId,
          applicationId: proxy.applicationId,
          requestCode: proxy.requestTransformCode,
          responseCode: proxy.responseTransformCode,
          configuration: new Secret(Buffer.from(JSON.stringify(configuration))),
        };
      },
    });
  }

  /**
   * @param version that the caller acts on.
   * @throws AppError `not_found`, and `unavailable` for a version that is not known here any more or not yet.
   */
  async get(keyHash: string, version: number, correlationId: string): Promise<RunnableProxy> {
    const key = `${keyHash}:${version}`;
    const proxy = await this.#registry.proxyByKeyHash(keyHash, version);
    const isCurrent = proxy?.version === version;
    const known = this.#versions.get(key, { updateAgeOnGet: isCurrent });
    if (known !== undefined) return known;
    if (proxy === undefined) throw new AppError('not_found', 'There is no proxy with this key.');
    const fetched = isCurrent
      ? await this.#versions.fetch(key, { context: { proxy, correlationId } })
      : undefined;
    if (fetched !== undefined) return fetched;
    throw new AppError('unavailable', 'The proxy was changed while the request was under way.');
  }
}

const fixedBytes = 500;

function bytesOf({ requestCode, responseCode, configuration }: RunnableProxy): number {
  return fixedBytes + 2 * (requestCode.length + responseCode.length) + configuration.reveal().length;
}
