import type { EgressPolicy } from '@glovebox/egress/egress-policy';
import { validationError } from '@glovebox/platform/errors/app-error';
import * as z from 'zod';

import { readHostList } from '../../destinations/read-host-list.ts';
import {
  type Problems,
  addProblems,
  hasProblems,
  memberReader,
  readShape,
  required,
  resourceName,
  textMap,
} from '../../http/shape.ts';
import { type InputLimits, perLimits } from '../../limits/input-limits.ts';
import { type Role, roleNames } from '../../people/roles.ts';
import type { TenantEgressPolicy } from '../../tenants/fields.ts';
import { settingProblems } from './settings.ts';

const membersReader = perLimits((limits) => {
  const { tenantSettings, tenantSettingLength: maxLength } = limits;
  const setting = z.string('must be a string').max(maxLength, `must be at most ${maxLength} characters long`);
  const settings = textMap(limits, tenantSettings, setting).nullish();
  return memberReader(z.object({ name: resourceName(limits), settings }));
});

export interface TenantInput {
  readonly name: string;
  readonly settings: Readonly<Record<string, string>>;
}

/** @throws AppError `invalid_argument` with everything that is wrong. */
export function readTenantInput(limits: InputLimits, body: unknown): TenantInput {
  const problems: Problems = {};
  const { name = '', settings } = membersReader(limits)(body, problems);
  addProblems(problems, settingProblems(settings ?? {}));
  if (hasProblems(problems)) throw validationError(problems);
  return { name, settings: settings ?? {} };
}

const modes = ['off', 'report', 'enforce'] as const;
const policyShape = z.object({
  mode: z.enum(modes, required(`must be one of ${modes.join(', ')}`)),
  ephemeral: z.boolean('must be a boolean').nullish(),
});

/** @throws AppError `invalid_argument` with everything that is wrong. */
export function readEgressPolicyInput(body: unknown, operators: EgressPolicy): TenantEgressPolicy {
  const problems: Problems = {};
  const input = readShape(policyShape, body, problems);
  const destinations = readHostList(body, 'destinations', operators, problems) ?? [];
  if (input === undefined || hasProblems(problems)) throw validationError(problems);
  return { mode: input.mode, destinations, ephemeral: input.ephemeral ?? true };
}

const memberShape = z.object({ role: z.enum(roleNames, required(`must be one of ${roleNames.join(', ')}`)) });

/** @throws AppError `invalid_argument` */
export function readMemberInput(body: unknown): { readonly role: Role } {
  const problems: Problems = {};
  const input = readShape(memberShape, body, problems);
  if (input === undefined) throw validationError(problems);
  return input;
}
