import { AppError } from '@glovebox/platform/errors/app-error';
import type { Delegation } from '@glovebox/protos/vault/v1/vault';
import type { PublishedRecords } from '@glovebox/published/published-records';
import type { ApplicationRecord } from '@glovebox/published/records';
import { LRUCache } from 'lru-cache';

/** As long as code may run at most. */
const rememberedMs = 3_600_000;
const maxRemembered = 20_000;

/**
 * The applications that published proxies and reactors name. The runner only says
 * which proxy or reactor the code belongs to: it can act as no application that none of them names, or has named
 * within the time that code may run.
 */
export class NamedApplications {
  readonly #registry: PublishedRecords;
  readonly #seen = new LRUCache<string, true>({ max: maxRemembered, ttl: rememberedMs, ttlResolution: 1000 });

  constructor(registry: PublishedRecords) {
    this.#registry = registry;
  }

  /**
   * The application of the version that the code is of, though another may be published since.
   * @throws AppError `permission_denied`, `unauthenticated`
   */
  async resolve(delegation: Delegation, peer: string): Promise<ApplicationRecord> {
    if (peer !== 'reactor-runner') {
      throw new AppError(
        'permission_denied',
        'Only user code may act as the application of a proxy or reactor.',
      );
    }
    const { owner, version } = delegation;
    const resource =
      owner?.$case === 'proxyKeyHash'
        ? await this.#registry.proxyByKeyHash(owner.value, version)
        : await this.#registry.reactorById(owner?.value ?? '', version);
    const id = this.#idOf(delegation, resource?.applicationId ?? '');
    const application = id === '' ? undefined : await this.#registry.applicationById(id);
    if (application === undefined || application.principal.tenantId !== resource?.tenantId) {
      throw new AppError('unauthenticated', 'The application that the code acts as does not exist any more.');
    }
    return application;
  }

  /** @param named by what is published now. @returns empty for none */
  #idOf({ owner, applicationId }: Delegation, named: string): string {
    const keyOf = (id: string) => `${owner?.$case} ${owner?.value} ${id}`;
    if (named !== '') this.#seen.set(keyOf(named), true);
    // An earlier runner names none.
    if (applicationId === '' || applicationId === named) return named;
    return this.#seen.has(keyOf(applicationId)) ? applicationId : '';
  }
}
