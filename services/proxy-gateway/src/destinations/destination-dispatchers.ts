import type { DestinationTls } from '@glovebox/egress/guarded-dispatcher';
import type { MaybePromise } from '@glovebox/platform/values/maybe-promise';
import type { ProxyRecord } from '@glovebox/published/records';
import type { SealWatch } from '@glovebox/vault-client/seal-watch';
import { LRUCache } from 'lru-cache';
import type { Dispatcher } from 'undici';

/** Opens the client key of a proxy. @throws AppError `unavailable`, `integrity_violation` */
export type OpenClientKey = (proxy: ProxyRecord, correlationId: string) => Promise<Buffer>;

export interface DestinationDispatchersOptions {
  /** @param tls undefined for the one that all proxies without `destination_tls` share */
  readonly create: (tls: DestinationTls | undefined) => Dispatcher;
  readonly openClientKey: OpenClientKey;
  readonly sealWatch: Pick<SealWatch, 'requireUnsealed' | 'onSealed'>;
  /** Of those that proxies have for themselves. Default 500. */
  readonly maxOwn?: number;
  /** Milliseconds until one that is not used is closed, with the client key in its memory. Default 5 minutes. */
  readonly unusedMs?: number;
}

interface Wanted {
  readonly proxy: ProxyRecord;
  readonly correlationId: string;
}

/**
 * What requests are sent with. Each version of a proxy with `destination_tls` has a dispatcher of its own, so that no
 * connection with its identity serves another proxy, and none from before a change serves it afterwards (ADR 69).
 */
export class DestinationDispatchers implements AsyncDisposable {
  readonly #shared: Dispatcher;
  readonly #own: LRUCache<string, Dispatcher, Wanted>;
  readonly #sweep: NodeJS.Timeout;
  readonly #sealWatch: Pick<SealWatch, 'requireUnsealed'>;

  constructor(options: DestinationDispatchersOptions) {
    const { create, openClientKey, sealWatch, maxOwn = 500, unusedMs = 300_000 } = options;
    this.#shared = create(undefined);
    this.#own = new LRUCache<string, Dispatcher, Wanted>({
      max: maxOwn,
      ttl: unusedMs,
      ttlResolution: 1000,
      updateAgeOnGet: true,
      fetchMethod: async (_key, _stale, { context: { proxy, correlationId } }) =>
        create(await tlsOf(proxy, correlationId, openClientKey)),
      // Requests that are on their way end on their connections.
      dispose: (dispatcher) => void dispatcher.close(),
    });
    this.#sealWatch = sealWatch;
    sealWatch.onSealed(() => this.#own.clear());
    this.#sweep = setInterval(() => this.#own.purgeStale(), unusedMs / 5).unref();
  }

  /** @throws AppError `unavailable`, `vault_sealed`, `integrity_violation` */
  of(proxy: ProxyRecord, correlationId: string): MaybePromise<Dispatcher> {
    if (proxy.destinationTls === undefined) return this.#shared;
    if (proxy.destinationTls.clientCertificate !== '') this.#sealWatch.requireUnsealed();
    const key = `${proxy.id} ${proxy.version}`;
    return this.#own.get(key) ?? this.#own.forceFetch(key, { context: { proxy, correlationId } });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#sweep);
    const all = [this.#shared, ...this.#own.values()];
    await Promise.all(all.map((dispatcher) => dispatcher.destroy()));
  }
}

async function tlsOf(
  proxy: ProxyRecord,
  correlationId: string,
  openClientKey: OpenClientKey,
): Promise<DestinationTls> {
  const { clientCertificate: certificate, ca, pins } = proxy.destinationTls!;
  return {
    pins,
    ...(ca === '' ? {} : { ca }),
    ...(certificate === ''
      ? {}
      : { client: { certificate, key: await openClientKey(proxy, correlationId) } }),
  };
}
