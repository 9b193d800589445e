import { AppError } from '@glovebox/platform/errors/app-error';
import type { Delegation } from '@glovebox/protos/vault/v1/vault';
import { proxyRecord, reactorRecord } from '@glovebox/published/keys';
import type { PublishedRecords } from '@glovebox/published/published-records';
import type { ApplicationRecord } from '@glovebox/published/records';

/**
 * The applications that published proxies and reactors name. The runner says only which proxy or reactor its code belongs
 * to. It can act only as an application that one of them names, or named within the time that code may run.
 */
export class NamedApplications {
  readonly #registry: PublishedRecords;

  constructor(registry: PublishedRecords) {
    this.#registry = registry;
  }

  /**
   * The application of the version that the code belongs to, even if a newer version is published.
   * @throws AppError `permission_denied`, `unauthenticated`, `unavailable`
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
    const id = resource === undefined ? '' : await this.#idOf(delegation, resource.applicationId);
    const application = id === '' ? undefined : await this.#registry.applicationById(id);
    if (application === undefined || application.principal.tenantId !== resource?.tenantId) {
      throw new AppError('unauthenticated', 'The application that the code acts as does not exist any more.');
    }
    return application;
  }

  /** @param named by the published version. @returns empty for none */
  async #idOf({ owner, applicationId }: Delegation, named: string): Promise<string> {
    // Earlier runners name none.
    if (applicationId === '' || applicationId === named || owner === undefined) return named;
    const name = owner.$case === 'proxyKeyHash' ? proxyRecord(owner.value) : reactorRecord(owner.value);
    return (await this.#registry.namedUntilLately(name, applicationId)) ? applicationId : '';
  }
}
