import { validationError } from '@glovebox/platform/errors/app-error';

import { auditEvent } from '../../audit/audit-event.ts';
import { codeProblems } from '../../code/code-problems.ts';
import type { Call, Reply } from '../../http/call.ts';
import { addProblems, hasProblems } from '../../http/shape.ts';
import { findProxy, lockProxy } from '../../proxies/store.ts';
import { codePaths } from '../../proxies/transforms.ts';
import { entriesToSeal } from '../../secrets/patch-configuration.ts';
import { sealChanges } from '../../secrets/seal-changes.ts';
import type { Dependencies } from '../dependencies.ts';
import { changeProxy } from './change-proxy.ts';
import { sealClientKey } from './destination-tls.ts';
import { meetingProblems, patchRow, readProxyPatch } from './patch.ts';

/** Applies a merge patch (RFC 7396). It is merged after the row is locked, so concurrent changes are not lost. */
export async function patchProxy(dependencies: Dependencies, call: Call): Promise<Reply> {
  const { postgres, changes, sealer, inputLimits } = dependencies;
  const { principal, id, body, correlationId } = call;
  const { tenantId } = principal;
  const before = await findProxy(postgres, tenantId, id);
  const paths = codePaths(inputLimits, body);
  const problems = await codeProblems(dependencies, call, paths);
  const patch = await readProxyPatch(dependencies, tenantId, body, problems);
  addProblems(problems, meetingProblems(before, patch, inputLimits));
  if (hasProblems(problems)) throw validationError(problems);
  const owner = { tenantId, recordId: id };
  const configuration = await sealChanges(
    sealer,
    owner,
    { current: before.sealed_configuration, next: entriesToSeal(patch.configuration) },
    correlationId,
  );
  const sealed = { configuration, clientKey: await sealClientKey(sealer, owner, patch.tls, correlationId) };
  const row = await changes.apply(auditEvent(call, 'update', 'proxy', id), async (tx) => {
    const current = await lockProxy(tx, tenantId, id);
    const late = meetingProblems(current, patch, inputLimits);
    if (hasProblems(late)) throw validationError(late);
    return changeProxy(tx, call, current, patchRow(inputLimits, current, patch, sealed));
  });
  return { status: 204, version: row.version };
}
