import { AppError } from '@glovebox/platform/errors/app-error';
import { type MaybePromise, andThen } from '@glovebox/platform/values/maybe-promise';
import { Secret } from '@glovebox/platform/values/secret';
import type { HostPatterns } from '@glovebox/protos/published/v1/published';
import type { PublishedRecords } from '@glovebox/published/published-records';
import type { ProxyRecord } from '@glovebox/published/records';
import type { SealWatch } from '@glovebox/vault-client/seal-watch';

import { type OpenConfiguration, VersionCache } from './version-cache.ts';

/** A version of a proxy, ready for its transforms to run. */
export interface RunnableProxy {
  readonly id: string;
  readonly tenantId: string;
  readonly version: number;
  /** Empty for none. */
  readonly applicationId: string;
  /** Empty for no transform. */
  readonly requestCode: string;
  readonly responseCode: string;
  /** Names of its transforms' versions (worker-process/code-table.ts). */
  readonly codeVersions: Readonly<Record<'request' | 'response', string>>;
  /** Undefined: what the tenant's egress policy allows. */
  readonly allowedDestinations: HostPatterns | undefined;
  /** JSON text. */
  readonly configuration: Secret<Buffer>;
}

export interface ProxyVersionsOptions {
  readonly published: Pick<PublishedRecords, 'proxyByKeyHash'>;
  readonly openConfiguration: OpenConfiguration;
  readonly sealWatch: Pick<SealWatch, 'requireUnsealed' | 'onSealed'>;
}

/**
 * The proxies whose transforms ran recently. A request is transformed by the version that its gateway uses, with that
 * version's secrets, even when a newer version has been published meanwhile.
 */
export class ProxyVersions {
  readonly #published: Pick<PublishedRecords, 'proxyByKeyHash'>;
  readonly #versions: VersionCache<ProxyRecord, RunnableProxy>;

  constructor({ published, ...opening }: ProxyVersionsOptions) {
    this.#published = published;
    this.#versions = new VersionCache({ ...opening, prepare, bytesOf });
  }

  /**
   * @param version the gateway's
   * @throws AppError `not_found`, or `unavailable` for a version that is not known any more, or not yet
   */
  get(keyHash: string, version: number, correlationId: string): MaybePromise<RunnableProxy> {
    return andThen(this.#published.proxyByKeyHash(keyHash, version), (proxy) =>
      this.#runnable(proxy, keyHash, version, correlationId),
    );
  }

  #runnable(
    proxy: ProxyRecord | undefined,
    keyHash: string,
    version: number,
    correlationId: string,
  ): MaybePromise<RunnableProxy> {
    if (proxy?.version === version) return this.#versions.current(keyHash, proxy, correlationId);
    const earlier = this.#versions.earlier(keyHash, version);
    if (earlier !== undefined) return earlier;
    if (proxy === undefined) throw new AppError('not_found', 'There is no proxy with this key.');
    throw new AppError('unavailable', 'The proxy was changed during the request.');
  }
}

function prepare(proxy: ProxyRecord, configuration: Readonly<Record<string, string>>): RunnableProxy {
  return {
    id: proxy.id,
    tenantId: proxy.tenantId,
    version: proxy.version,
    applicationId: proxy.applicationId,
    requestCode: proxy.requestTransformCode,
    responseCode: proxy.responseTransformCode,
    codeVersions: {
      request: `${proxy.id}:request:${proxy.version}`,
      response: `${proxy.id}:response:${proxy.version}`,
    },
    configuration: new Secret(Buffer.from(JSON.stringify(configuration))),
    allowedDestinations: proxy.allowedDestinations,
  };
}

function bytesOf({ requestCode, responseCode, configuration }: RunnableProxy): number {
  return 2 * (requestCode.length + responseCode.length) + configuration.reveal().length;
}
