import { type Permission, allPermissions, permissionsFor } from '@glovebox/access/permission';
import type { Transform } from '@glovebox/access/rules';

/** From the one that may do most (contract/people.md#roles). */
export const roleNames = ['OWNER', 'ADMIN', 'DEVELOPER', 'AUDITOR', 'VIEWER'] as const;
export type Role = (typeof roleNames)[number];

export interface RoleInfo {
  readonly role: Role;
  readonly description: string;
  readonly permissions: readonly Permission[];
  /** What `token:read` shows of tokens' data; absent without it. */
  readonly token_transform?: Transform;
}

const all = permissionsFor('management');
const readable = all.filter((permission) => permission.endsWith(':read'));
/** Reading what others did is for auditors. */
const resources: readonly Permission[] = readable.filter((permission) => permission !== 'log:read');
const isOfCode = (permission: Permission) => /^(?:proxy|reactor):/.test(permission);

const permissions: Readonly<Record<Role, readonly Permission[]>> = {
  OWNER: all,
  ADMIN: all.filter((permission) => permission !== 'tenant:delete'),
  DEVELOPER: all.filter((permission) => resources.includes(permission) || isOfCode(permission)),
  AUDITOR: readable,
  VIEWER: resources,
};

/** Roles that see tokens in the console: redacted, masked, or masked and in plain when they ask for it. */
const tokenViews: Readonly<Partial<Record<Role, Transform>>> = {
  OWNER: 'reveal',
  ADMIN: 'mask',
  DEVELOPER: 'mask',
  AUDITOR: 'redact',
};

const descriptions: Readonly<Record<Role, string>> = {
  OWNER: 'Does everything, and deletes the tenant',
  ADMIN: 'Manages applications, members and all resources',
  DEVELOPER: 'Writes proxies, reactors and formulas, and reads the rest of the configuration',
  AUDITOR: 'Reads the audit log and all of the configuration',
  VIEWER: 'Reads the configuration',
};

/** All roles with their permissions, in order. */
export const roles: readonly RoleInfo[] = roleNames.map((role) => ({
  role,
  description: descriptions[role],
  permissions: permissionsOf(role),
  ...(tokenViews[role] === undefined ? {} : { token_transform: tokenViews[role] }),
}));

/** In the order of the catalogue. */
export function permissionsOf(role: Role): readonly Permission[] {
  const held = permissions[role];
  if (tokenViews[role] === undefined) return held;
  return allPermissions
    .map(({ type }) => type)
    .filter((type) => type === 'token:read' || held.includes(type));
}

export function tokenViewOf(role: Role): Transform {
  return tokenViews[role] ?? 'redact';
}

/** The one that may do more. */
export function higherOf(one: Role, other: Role): Role {
  return roleNames.indexOf(one) < roleNames.indexOf(other) ? one : other;
}
