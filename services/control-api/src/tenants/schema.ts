import { validationError } from '@glovebox/platform/errors';
import * as z from 'zod';

import { type Problems, readShape, resourceName } from '../http/shape.ts';

const maxSettings = 50;

const settings = z
  .record(z.string(), z.unknown(), 'must be an object')
  .refine((entries) => Object.keys(entries).length <= maxSettings, {
    error: `must have at most ${maxSettings} entries`,
    abort: true,
  })
  .pipe(
    z.record(
      z.string().min(1, 'must have a name').max(200, 'must have a name of at most 200 characters'),
      z.string('must be a string').max(500, 'must be at most 500 characters long'),
    ),
  )
  .nullish();

const shape = z.object({ name: resourceName, settings });

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
