import { destinationRefusalText, parseDestination } from '@glovebox/egress/destination-url';
import type { EgressPolicy } from '@glovebox/egress/egress-policy';
import { validationError } from '@glovebox/platform/errors';
import type { Queryable } from '@glovebox/platform/postgres';
import * as z from 'zod';

import { readApplicationReference } from '../applications/reference.ts';
import {
  type Problems,
  addProblems,
  hasProblems,
  readShape,
  required,
  resourceName,
  textMap,
} from '../http/shape.ts';
import type { ProxyInput } from './proxy.ts';
import { readTransforms } from './transforms.ts';

/** Entries of a configuration (api-facts 1.10). */
export const maxSettings = 25;

export const setting = z
  .string('must be a string')
  .max(16_384, 'must be at most 16384 characters long')
  .nullable();

/** Beside what a transform needs. Seconds until the destination's response must begin. */
export const invocationOptions = {
  require_auth: z.boolean('must be a boolean').nullish(),
  disable_detokenization: z.boolean('must be a boolean').nullish(),
  timeout: z
    .int('must be a whole number of seconds')
    .min(1, 'must be at least 1')
    .max(30, 'must be at most 30')
    .nullish(),
};

const shape = z.object({
  name: resourceName,
  destination_url: z.string(required('must be a string')),
  configuration: textMap(maxSettings, setting).nullish(),
  ...invocationOptions,
});

/**
 * Reads the body of a create or update (sections 4.1 and 4.4).
 * @param problems of its code.
 * @throws AppError `invalid_argument` with everything that is wrong.
 */
export async function readProxyInput(
  db: Queryable,
  policy: EgressPolicy,
  tenantId: string,
  body: unknown,
  problems: Problems,
): Promise<ProxyInput> {
  const fields = readShape(shape, body, problems);
  addProblems(problems, destinationProblems(body, policy));
  const request = readTransforms(body, 'request', problems);
  const response = readTransforms(body, 'response', problems);
  const application = await readApplicationReference(db, tenantId, body, problems);
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
  return parsed.ok ? {} : { destination_url: [destinationRefusalText[parsed.reason]] };
}

/** A name without a value is a name that is not set. */
function withoutNulls(entries: Readonly<Record<string, string | null>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(entries).filter((entry): entry is [string, string] => entry[1] !== null),
  );
}
