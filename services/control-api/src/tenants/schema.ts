import { validationError } from '@glovebox/platform/errors';
import * as z from 'zod';

import {
  type Problems,
  addProblems,
  hasProblems,
  memberReader,
  readShape,
  required,
  resourceName,
  textMap,
} from '../http/shape.ts';
import { settingProblems } from './settings.ts';

const setting = z.string('must be a string').max(500, 'must be at most 500 characters long');
const readMembers = memberReader(z.object({ name: resourceName, settings: textMap(50, setting).nullish() }));

export interface TenantInput {
  readonly name: string;
  readonly settings: Readonly<Record<string, string>>;
}

/** @throws AppError `invalid_argument` with everything that is wrong. */
export function readTenantInput(body: unknown): TenantInput {
  const problems: Problems = {};
  const { name = '', settings } = readMembers(body, problems);
  addProblems(problems, settingProblems(settings ?? {}));
  if (hasProblems(problems)) throw validationError(problems);
  return { name, settings: settings ?? {} };
}

const roles = ['OWNER', 'ADMIN'] as const;
const memberShape = z.object({ role: z.enum(roles, required(`must be one of ${roles.join(', ')}`)) });

/** @throws AppError `invalid_argument` */
export function readMemberInput(body: unknown): { readonly role: (typeof roles)[number] } {
  const problems: Problems = {};
  const input = readShape(memberShape, body, problems);
  if (input === undefined) throw validationError(problems);
  return input;
}
