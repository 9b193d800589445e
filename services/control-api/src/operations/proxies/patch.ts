import * as z from 'zod';

import {
  type ReferencePatch,
  patchReference,
  readShownReferencePatch,
  referenceProblems,
} from '../../applications/patch-reference.ts';
import {
  type Problems,
  addProblems,
  memberReader,
  required,
  resourceName,
  textMap,
} from '../../http/shape.ts';
import { type InputLimits, perLimits } from '../../limits/input-limits.ts';
import { type ProxyRow, transformColumns, transformsOf } from '../../proxies/proxy.ts';
import type { Side } from '../../proxies/transform-expressions.ts';
import type { SealedConfiguration } from '../../secrets/configuration.ts';
import {
  type ConfigurationPatch,
  maxPatchEntries,
  namesAfter,
  patchSealed,
} from '../../secrets/patch-configuration.ts';
import type { Dependencies } from '../dependencies.ts';
import { type TransformsPatch, patchTransforms, readTransformsPatch } from './patch-transforms.ts';
import { destinationProblems, invocationOptions, setting } from './schema.ts';

const shapeOf = (limits: InputLimits) =>
  z.object({
    name: resourceName(limits).optional(),
    destination_url: z.string(required('must be a string')).optional(),
    configuration: textMap(limits, maxPatchEntries(limits), setting(limits)).nullish(),
    ...invocationOptions(limits),
  });

type Sent = z.infer<ReturnType<typeof shapeOf>>;

const membersReader = perLimits((limits) => memberReader(shapeOf(limits)));

/** A merge patch of a proxy (RFC 7396): what is undefined stays as it is. */
export interface ProxyPatch extends Omit<Sent, 'configuration'> {
  readonly configuration?: ConfigurationPatch | undefined;
  readonly application: ReferencePatch;
  readonly transforms: Readonly<Record<Side, TransformsPatch>>;
}

/** Counts only if there were no problems. */
export async function readProxyPatch(
  { postgres, egressPolicy, inputLimits }: Dependencies,
  tenantId: string,
  body: unknown,
  problems: Problems,
): Promise<ProxyPatch> {
  const fields = membersReader(inputLimits)(body, problems);
  addProblems(problems, destinationProblems(body, egressPolicy));
  const application = await readShownReferencePatch(postgres, tenantId, body, problems);
  const transforms = {
    request: readTransformsPatch(body, 'request'),
    response: readTransformsPatch(body, 'response'),
  };
  return { ...fields, application, transforms };
}

/** What only shows where a patch meets what there is. */
export function meetingProblems(current: ProxyRow, patch: ProxyPatch, limits: InputLimits): Problems {
  const problems = referenceProblems(current.application_id, patch.application);
  transformsAfter(limits, current, patch, problems);
  const { configuration } = patch;
  if (configuration === undefined) return problems;
  const names = namesAfter(Object.keys(current.sealed_configuration ?? {}), configuration);
  if (names.size > limits.settings) {
    addProblems(problems, { configuration: [`must have at most ${limits.settings} entries`] });
  }
  return problems;
}

/** @param sealed the entries of the configuration that the patch sets. */
export function patchRow(
  limits: InputLimits,
  current: ProxyRow,
  patch: ProxyPatch,
  sealed: SealedConfiguration,
): ProxyRow {
  return {
    ...current,
    name: patch.name ?? current.name,
    destination_url: patch.destination_url ?? current.destination_url,
    ...transformColumns(transformsAfter(limits, current, patch, {})),
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

function transformsAfter(
  limits: InputLimits,
  current: ProxyRow,
  { transforms }: ProxyPatch,
  problems: Problems,
) {
  const { request, response } = transformsOf(current);
  return {
    request: patchTransforms(limits, request, transforms.request, 'request', problems),
    response: patchTransforms(limits, response, transforms.response, 'response', problems),
  };
}

function patchConfiguration(
  current: ProxyRow['sealed_configuration'],
  patch: ConfigurationPatch | undefined,
  sealed: SealedConfiguration,
): ProxyRow['sealed_configuration'] {
  if (patch == null) return patch === null ? null : current;
  return patchSealed(current ?? {}, patch, sealed);
}
