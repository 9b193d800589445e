import * as z from 'zod';

import {
  type ReferencePatch,
  patchReference,
  readShownReferencePatch,
  referenceProblems,
} from '../../applications/reference.ts';
import { readHostList } from '../../destinations/read-host-list.ts';
import { type Sent, sentColumns, sentShapes } from '../../fields/sent.ts';
import { type Problems, addProblems, memberReader, textMap } from '../../http/shape.ts';
import { type InputLimits, perLimits } from '../../limits/input-limits.ts';
import { type ProxyRow, proxyFields, transformColumns, transformsOf } from '../../proxies/fields.ts';
import type { Side } from '../../proxies/transform-expressions.ts';
import {
  type ConfigurationPatch,
  maxPatchEntries,
  namesAfter,
  patchSealed,
} from '../../secrets/patch-configuration.ts';
import type { SealedConfiguration } from '../../secrets/sealer.ts';
import type { Dependencies } from '../dependencies.ts';
import { destinationTlsShape } from './destination-tls-shape.ts';
import { type TlsChange, tlsAfter, tlsProblems } from './destination-tls.ts';
import { type TransformsPatch, patchTransforms, readTransformsPatch } from './patch-transforms.ts';
import { destinationProblems, setting } from './schema.ts';

const shapeOf = (limits: InputLimits) =>
  z.object({
    ...sentShapes(proxyFields, limits, true),
    configuration: textMap(limits, maxPatchEntries(limits), setting(limits)).nullish(),
    destination_tls: destinationTlsShape,
  });

const membersReader = perLimits((limits) => memberReader(shapeOf(limits)));

/** A merge patch of a proxy (RFC 7396); undefined members do not change it. */
export interface ProxyPatch {
  readonly sent: Sent<typeof proxyFields>;
  readonly configuration?: ConfigurationPatch | undefined;
  readonly application: ReferencePatch;
  readonly transforms: Readonly<Record<Side, TransformsPatch>>;
  readonly allowedDestinations: readonly string[] | null | undefined;
  readonly tls: TlsChange;
}

/** Counts only if there were no problems. */
export async function readProxyPatch(
  { postgres, egressPolicy, inputLimits }: Dependencies,
  tenantId: string,
  body: unknown,
  problems: Problems,
): Promise<ProxyPatch> {
  const { configuration, destination_tls, ...sent } = membersReader(inputLimits)(body, problems);
  addProblems(problems, destinationProblems(body, egressPolicy));
  const application = await readShownReferencePatch(postgres, tenantId, body, problems);
  const transforms = {
    request: readTransformsPatch(body, 'request'),
    response: readTransformsPatch(body, 'response'),
  };
  const allowedDestinations = readHostList(body, 'allowed_destinations', egressPolicy, problems);
  const tls = { sent: destination_tls, isPatch: true };
  return { sent, configuration, application, transforms, allowedDestinations, tls };
}

/** Problems that appear only when a patch is merged with the stored proxy. */
export function meetingProblems(current: ProxyRow, patch: ProxyPatch, limits: InputLimits): Problems {
  const problems = referenceProblems(current.application_id, patch.application);
  transformsAfter(limits, current, patch, problems);
  const { configuration, sent, tls } = patch;
  const destinationUrl = sent.destination_url ?? current.destination_url;
  addProblems(problems, tlsProblems(current.destination_tls, tls, destinationUrl));
  if (configuration === undefined) return problems;
  const names = namesAfter(Object.keys(current.sealed_configuration ?? {}), configuration);
  if (names.size > limits.settings) {
    addProblems(problems, { configuration: [`must have at most ${limits.settings} entries`] });
  }
  return problems;
}

/** @param sealed the entries of the configuration, and the client key, that the patch sets. */
export function patchRow(
  limits: InputLimits,
  current: ProxyRow,
  patch: ProxyPatch,
  sealed: { readonly configuration: SealedConfiguration; readonly clientKey: string | null },
): ProxyRow {
  return {
    ...current,
    ...sentColumns(proxyFields, patch.sent, current),
    ...transformColumns(transformsAfter(limits, current, patch, {})),
    sealed_configuration: patchConfiguration(
      current.sealed_configuration,
      patch.configuration,
      sealed.configuration,
    ),
    destination_tls: tlsAfter(current.destination_tls, patch.tls, sealed.clientKey),
    application_id: patchReference(current.application_id, patch.application),
    allowed_destinations:
      patch.allowedDestinations === undefined ? current.allowed_destinations : patch.allowedDestinations,
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
