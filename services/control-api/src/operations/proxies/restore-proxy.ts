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
  const { postgres, changes, sealer, egressPolicy } = dependencies;
  const { principal, id, version, correlationId } = call;
  const { tenantId } = principal;
  const before = await findProxy(postgres, tenantId, id);
  const kept = (await proxyVersions.find(postgres, tenantId, id, version)) ?? missingVersion(proxyVersions);
  const definition = readDefinition(proxyFields, kept.definition);
  // The operator may have changed what is allowed.
  const problems = destinationProblems(definition, egressPolicy);
  readHostList(definition, 'allowed_destinations', egressPolicy, problems);
  if (hasProblems(problems)) throw validationError(problems);
  const configuration = await resealSettings(
    sealer,
    { tenantId, recordId: id },
    { current: before.sealed_configuration, kept: definition.sealed_configuration },
    correlationId,
  );
  return changes.apply(auditEvent(call, 'restore', 'proxy', id), async (tx) => {
    const current = await lockProxy(tx, tenantId, id);
    const next = {
      ...definition,
      sealed_configuration: configuration?.sealed ?? null,
      destination_tls: restoredTls(current.destination_tls, definition.destination_tls),
    };
    const changed = await changeProxy(tx, call, current, next);
    const restored = { version: changed.result.version, readPermission: 'proxy:read' } as const;
    return { ...changed, result: await showRestored(tx, proxyVersions, call, restored) };
  });
}

/** Its key stays sealed as it is, since this service cannot open it. */
function restoredTls(current: DestinationTls | null, kept: DestinationTls | null): DestinationTls | null {
  if (kept === null) return null;
  return { ...kept, sealed_client_key: keyOfSameCertificate(current, kept) ?? kept.sealed_client_key };
}
