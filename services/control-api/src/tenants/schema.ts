import { validationError } from '@glovebox/platform/errors';
import * as z from 'zod';

import { type Problems, readShape, resourceName, textMap } from '../http/shape.ts';

const setting = z.string('must be a string').max(500, 'must be at most 500 characters long');
const shape = z.object({ name: resourceName, settings: textMap(50, setting).nullish() });

export interface TenantInput {
  readonly name: string;
  readonly settings: Readonly<Record<string, string>>;
}

/** @throws AppError `invalid_argument` with everything that is wrong. */
export function readTenantInput(body: unknown): TenantInput {
  const problems: Problems = {};
  const fields = readShape(shape, body, problems);
  if (fields === undefined) throw validationError(problems);
  return { name: fields.name, settings: fields.settings ?? {} };
}
