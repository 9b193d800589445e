import { destinationRefusalText, parseDestination } from '@glovebox/egress/destination-url';
import type { EgressPolicy } from '@glovebox/egress/egress-policy';
import { validationError } from '@glovebox/platform/errors/app-error';
import * as z from 'zod';

import { readShownReference } from '../../applications/reference.ts';
import { type CodeCall, codeProblems } from '../../code/code-problems.ts';
import { readHostList } from '../../destinations/read-host-list.ts';
import { type SentColumns, sentColumns, sentShapes } from '../../fields/sent.ts';
import { type Problems, addProblems, hasProblems, readShape, textMap } from '../../http/shape.ts';
import { perLimits } from '../../limits/input-limits.ts';
import { type ProxyRow, type ProxyTransforms, proxyFields, transformColumns } from '../../proxies/fields.ts';
import { codePaths, readTransforms } from '../../proxies/transforms.ts';
import type { Configuration } from '../../secrets/sealer.ts';
import type { Dependencies } from '../dependencies.ts';
import { destinationTlsShape } from './destination-tls-shape.ts';
import { type TlsChange, tlsProblems } from './destination-tls.ts';

export const setting = perLimits(({ settingLength }) =>
  z
    .string('must be a string')
    .max(settingLength, `must be at most ${settingLength} characters long`)
    .nullable(),
);

const shapeOf = perLimits((limits) =>
  z.object({
    ...sentShapes(proxyFields, limits),
    configuration: textMap(limits, limits.settings, setting(limits)).nullish(),
    destination_tls: destinationTlsShape,
  }),
);

/** What a request may set of a proxy. */
export interface ProxyInput {
  readonly columns: SentColumns<typeof proxyFields>;
  readonly transforms: ProxyTransforms;
  readonly configuration: Configuration | null;
  readonly applicationId: string | null;
  readonly allowedDestinations: readonly string[] | null;
  readonly tls: TlsChange;
}

/** The columns that a create and an update set alike. */
export function settableColumns(
  { columns, transforms, applicationId, allowedDestinations }: ProxyInput,
  sealedConfiguration: ProxyRow['sealed_configuration'],
  destinationTls: ProxyRow['destination_tls'],
) {
  return {
    ...columns,
    ...transformColumns(transforms),
    sealed_configuration: sealedConfiguration,
    application_id: applicationId,
    allowed_destinations: allowedDestinations,
    destination_tls: destinationTls,
  };
}

/**
 * Reads the body of a create or update (contract/proxies.md#proxy-object).
 * @throws AppError `invalid_argument` with everything that is wrong.
 */
export async function readProxyInput(dependencies: Dependencies, call: CodeCall): Promise<ProxyInput> {
  const { principal, body } = call;
  const { postgres, egressPolicy, inputLimits: limits } = dependencies;
  const problems = await codeProblems(dependencies, call, codePaths(limits, body));
  const fields = readShape(shapeOf(limits), body, problems);
  addProblems(problems, destinationProblems(body, egressPolicy));
  const request = readTransforms(limits, body, 'request', problems);
  const response = readTransforms(limits, body, 'response', problems);
  const allowed = readHostList(body, 'allowed_destinations', egressPolicy, problems);
  const application = await readShownReference(postgres, principal.tenantId, body, problems);
  if (fields === undefined || hasProblems(problems)) throw validationError(problems);
  return {
    columns: sentColumns(proxyFields, fields),
    transforms: { request, response },
    configuration: fields.configuration == null ? null : withoutNulls(fields.configuration),
    applicationId: application?.id ?? null,
    allowedDestinations: allowed ?? null,
    tls: { sent: fields.destination_tls, isPatch: false },
  };
}

/**
 * What a create or update makes of `destination_tls`.
 * @param current null for a proxy that does not exist yet
 * @throws AppError `invalid_argument`
 */
export function requireUsableTls(current: ProxyRow['destination_tls'], { tls, columns }: ProxyInput): void {
  const problems = tlsProblems(current, tls, columns.destination_url);
  if (hasProblems(problems)) throw validationError(problems);
}

export function destinationProblems(body: unknown, policy: EgressPolicy): Problems {
  const text = z.object({ destination_url: z.string() }).safeParse(body).data?.destination_url;
  if (text === undefined) return {};
  const parsed = parseDestination(text, policy);
  return parsed.ok ? {} : { destination_url: [destinationRefusalText(parsed.reason, policy)] };
}

/** A name without a value is a name that is not set. */
function withoutNulls(entries: Readonly<Record<string, string | null>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(entries).filter((entry): entry is [string, string] => entry[1] !== null),
  );
}
