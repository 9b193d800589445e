import { destinationRefusalText, parseDestination } from '@glovebox/egress/destination-url';
import type { EgressPolicy } from '@glovebox/egress/egress-policy';
import { validationError } from '@glovebox/platform/errors/app-error';
import * as z from 'zod';

import { readShownReference } from '../../applications/reference.ts';
import { type CodeCall, codeProblems } from '../../code/code-problems.ts';
import {
  type Problems,
  addProblems,
  hasProblems,
  readShape,
  required,
  resourceName,
  textMap,
} from '../../http/shape.ts';
import { perLimits } from '../../limits/input-limits.ts';
import type { ProxyInput } from '../../proxies/proxy.ts';
import { codePaths, readTransforms } from '../../proxies/transforms.ts';
import type { Dependencies } from '../dependencies.ts';

export const setting = perLimits(({ settingLength }) =>
  z
    .string('must be a string')
    .max(settingLength, `must be at most ${settingLength} characters long`)
    .nullable(),
);

/** Beside what a transform needs. Seconds until the destination's response must begin. */
export const invocationOptions = perLimits(({ timeoutSeconds }) => ({
  require_auth: z.boolean('must be a boolean').nullish(),
  disable_detokenization: z.boolean('must be a boolean').nullish(),
  timeout: z
    .int('must be a whole number of seconds')
    .min(1, 'must be at least 1')
    .max(timeoutSeconds, `must be at most ${timeoutSeconds}`)
    .nullish(),
}));

const shapeOf = perLimits((limits) =>
  z.object({
    name: resourceName(limits),
    destination_url: z.string(required('must be a string')),
    configuration: textMap(limits, limits.settings, setting(limits)).nullish(),
    ...invocationOptions(limits),
  }),
);

/**
 * Reads the body of a create or update (sections 4.1 and 4.4).
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
  const application = await readShownReference(postgres, principal.tenantId, body, problems);
  if (fields === undefined || hasProblems(problems)) throw validationError(problems);
  return {
    name: fields.name,
    destinationUrl: fields.destination_url,
    transforms: { request, response },
    configuration: fields.configuration == null ? null : withoutNulls(fields.configuration),
    applicationId: application?.id ?? null,
    requireAuth: fields.require_auth ?? true,
    disableDetokenization: fields.disable_detokenization ?? false,
    timeout: fields.timeout ?? null,
  };
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
