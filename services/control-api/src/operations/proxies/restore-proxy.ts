import type { Queryable } from '@glovebox/platform/db/postgres';
import { validationError } from '@glovebox/platform/errors/app-error';

import { auditEvent } from '../../audit/audit-event.ts';
import { readHostList } from '../../destinations/read-host-list.ts';
import type { Call, Reply } from '../../http/call.ts';
import { hasProblems } from '../../http/shape.ts';
import { type DestinationTls, keyOfSameCertificate } from '../../proxies/destination-tls.ts';
import { proxyFields } from '../../proxies/fields.ts';
import { findProxy, lockProxy } from '../../proxies/store.ts';
import { proxyVersions } from '../../proxies/versions.ts';
import { readDefinition } from '../../versions/definition.ts';
import type { Dependencies } from '../dependencies.ts';
import { missingVersion } from '../versions/missing.ts';
import { resealSettings } from '../versions/reseal-settings.ts';
import { showRestored } from '../versions/show-restored.ts';
import { changeProxy } from './change-proxy.ts';
import { destinationProblems } from './schema.ts';

/** Makes a new version that equals an earlier one. Its code was checked when it was stored. */
export async function restoreProxy(dependencies: Dependencies, call: Call): Promise<Reply> {
  const restore = await prepareRestore(dependencies, call, 'new number');
  return dependencies.changes.apply(auditEvent(call, 'restore', 'proxy', call.id), async (tx) => {
    const changed = await restore(tx);
    const restored = { version: changed.result.version, readPermission: 'proxy:read' } as const;
    return { ...changed, result: await showRestored(tx, proxyVersions, call, restored) };
  });
}

/**
 * Does all of a restore that needs no transaction.
 * @param number `keep number`: a version beyond the present one becomes the present one under its own number
 * @throws AppError `not_found`, `invalid_argument`
 */
export async function prepareRestore(
  dependencies: Dependencies,
  call: Call,
  number: 'new number' | 'keep number',
): Promise<(tx: Queryable) => Promise<Restored>> {
  const { postgres, sealer } = dependencies;
  const { principal, id, version, correlationId } = call;
  const { tenantId } = principal;
  const before = await findProxy(postgres, tenantId, id);
  const kept = (await proxyVersions.find(postgres, tenantId, id, version)) ?? missingVersion(proxyVersions);
  const definition = readDefinition(proxyFields, kept.definition);
  requireUsableProxy(dependencies, definition);
  const configuration = await resealSettings(
    sealer,
    { tenantId, recordId: id },
    { current: before.sealed_configuration, kept: definition.sealed_configuration },
    correlationId,
  );
  return async (tx) => {
    const current = await lockProxy(tx, tenantId, id);
    const next = {
      ...definition,
      sealed_configuration: configuration?.sealed ?? null,
      destination_tls: restoredTls(current.destination_tls, definition.destination_tls),
    };
    if (number === 'new number') return changeProxy(tx, call, current, next);
    const comment = call.comment ?? kept.comment ?? undefined;
    return changeProxy(tx, { ...call, comment }, current, next, version);
  };
}

type Restored = Awaited<ReturnType<typeof changeProxy>>;

/** The operator may have changed what is allowed. @throws AppError `invalid_argument` */
export function requireUsableProxy(
  { egressPolicy }: Pick<Dependencies, 'egressPolicy'>,
  definition: Readonly<Record<string, unknown>>,
): void {
  const problems = destinationProblems(definition, egressPolicy);
  readHostList(definition, 'allowed_destinations', egressPolicy, problems);
  if (hasProblems(problems)) throw validationError(problems);
}

/** Its key stays sealed as it is, since this service cannot open it. */
function restoredTls(current: DestinationTls | null, kept: DestinationTls | null): DestinationTls | null {
  if (kept === null) return null;
  return { ...kept, sealed_client_key: keyOfSameCertificate(current, kept) ?? kept.sealed_client_key };
}
