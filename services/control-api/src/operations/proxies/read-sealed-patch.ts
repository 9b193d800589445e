import { validationError } from '@glovebox/platform/errors/app-error';

import { codeProblems } from '../../code/code-problems.ts';
import type { Call } from '../../http/call.ts';
import { addProblems, hasProblems } from '../../http/shape.ts';
import type { ProxyRow } from '../../proxies/fields.ts';
import { codePaths } from '../../proxies/transforms.ts';
import { entriesToSeal } from '../../secrets/patch-configuration.ts';
import { sealChanges } from '../../secrets/seal-changes.ts';
import type { Dependencies } from '../dependencies.ts';
import { sealClientKey } from './destination-tls.ts';
import { meetingProblems, patchRow, readProxyPatch } from './patch.ts';

/**
 * Reads a merge patch of a proxy, and seals its secrets.
 * @returns the patch, to be applied to the proxy once it is locked. It throws AppError `invalid_argument` where the two do not fit.
 * @throws AppError `invalid_argument`
 */
export async function readSealedPatch(
  dependencies: Dependencies,
  call: Pick<Call, 'principal' | 'id' | 'body' | 'correlationId' | 'warnings'>,
  before: ProxyRow,
): Promise<(current: ProxyRow) => ProxyRow> {
  const { sealer, inputLimits } = dependencies;
  const { principal, id, body, correlationId } = call;
  const { tenantId } = principal;
  const problems = await codeProblems(dependencies, call, codePaths(inputLimits, body));
  const patch = await readProxyPatch(dependencies, tenantId, body, problems);
  addProblems(problems, meetingProblems(before, patch, inputLimits));
  if (hasProblems(problems)) throw validationError(problems);
  const owner = { tenantId, recordId: id };
  const changes = { current: before.sealed_configuration, next: entriesToSeal(patch.configuration) };
  const sealed = {
    configuration: await sealChanges(sealer, owner, changes, correlationId),
    clientKey: await sealClientKey(sealer, owner, patch.tls, correlationId),
  };
  return (current) => {
    const late = meetingProblems(current, patch, inputLimits);
    if (hasProblems(late)) throw validationError(late);
    return patchRow(inputLimits, current, patch, sealed);
  };
}
