import type { EgressPolicy } from '@glovebox/egress/egress-policy';
import type { Queryable } from '@glovebox/platform/postgres';
import * as z from 'zod';

import {
  type ReferencePatch,
  patchReference,
  readReferencePatch,
  referenceProblems,
} from '../applications/patch-reference.ts';
import {
  type Problems,
  addProblems,
  memberReader,
  required,
  resourceName,
  sourceCode,
  textMap,
} from '../http/shape.ts';
import type { SealedConfiguration } from '../secrets/configuration.ts';
import {
  type ConfigurationPatch,
  maxPatchEntries,
  namesAfter,
  patchSealed,
} from '../secrets/patch-configuration.ts';
import type { ProxyRow } from './proxy.ts';
import { destinationProblems, invocationOptions, maxSettings, setting } from './schema.ts';

const transform = z.object({ code: sourceCode.optional() }, 'must be an object').nullish();

const shape = z.object({
  name: resourceName.optional(),
  destination_url: z.string(required('must be a string')).optional(),
  request_transform: transform,
  response_transform: transform,
  configuration: textMap(maxPatchEntries, setting).nullish(),
  ...invocationOptions,
});

type Sent = z.infer<typeof shape>;

const readMembers = memberReader(shape);

/** A merge patch of a proxy (RFC 7396): what is undefined stays as it is. */
export interface ProxyPatch extends Omit<Sent, 'configuration'> {
  readonly configuration?: ConfigurationPatch | undefined;
  readonly application: ReferencePatch;
}

/** Counts only if there were no problems. */
export async function readProxyPatch(
  db: Queryable,
  policy: EgressPolicy,
  tenantId: string,
  body: unknown,
  problems: Problems,
): Promise<ProxyPatch> {
  const fields = readMembers(body, problems);
  addProblems(problems, destinationProblems(body, policy));
  const application = await readReferencePatch(db, tenantId, body, problems);
  return { ...fields, application };
}

/** What only shows where a patch meets what there is. */
export function meetingProblems(current: ProxyRow, patch: ProxyPatch): Problems {
  const problems = referenceProblems(current.application_id, patch.application);
  for (const side of ['request_transform', 'response_transform'] as const) {
    const sent = patch[side];
    if (sent != null && sent.code === undefined && current[`${side}_code`] === null) {
      addProblems(problems, { [`${side}.code`]: ['is required'] });
    }
  }
  const { configuration } = patch;
  if (configuration === undefined) return problems;
  const names = namesAfter(Object.keys(current.sealed_configuration ?? {}), configuration);
  if (names.size > maxSettings) {
    addProblems(problems, { configuration: [`must have at most ${maxSettings} entries`] });
  }
  return problems;
}

/** @param sealed the entries of the configuration that the patch sets. */
export function patchRow(current: ProxyRow, patch: ProxyPatch, sealed: SealedConfiguration): ProxyRow {
  return {
    ...current,
    name: patch.name ?? current.name,
    destination_url: patch.destination_url ?? current.destination_url,
    request_transform_code: patchCode(current.request_transform_code, patch.request_transform),
    response_transform_code: patchCode(current.response_transform_code, patch.response_transform),
    sealed_configuration: patchConfiguration(current.sealed_configuration, patch.configuration, sealed),
    application_id: patchReference(current.application_id, patch.application),
    // Null is absence, and that means true.
    require_auth: patch.require_auth === undefined ? current.require_auth : (patch.require_auth ?? true),
    disable_detokenization:
      patch.disable_detokenization === undefined
        ? current.disable_detokenization
        : (patch.disable_detokenization ?? false),
    timeout_seconds: patch.timeout === undefined ? current.timeout_seconds : patch.timeout,
  };
}

function patchCode(current: string | null, sent: Sent['request_transform']): string | null {
  return sent === null ? null : (sent?.code ?? current);
}

function patchConfiguration(
  current: ProxyRow['sealed_configuration'],
  patch: ConfigurationPatch | undefined,
  sealed: SealedConfiguration,
): ProxyRow['sealed_configuration'] {
  if (patch == null) return patch === null ? null : current;
  return patchSealed(current ?? {}, patch, sealed);
}
