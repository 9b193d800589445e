import { type Permission, permissionsFor } from '@glovebox/access/permission';

/** From the one that may do most (contract/people.md#roles). */
export const roleNames = ['OWNER', 'ADMIN', 'DEVELOPER', 'AUDITOR', 'VIEWER'] as const;
export type Role = (typeof roleNames)[number];

export interface RoleInfo {
  readonly role: Role;
  readonly description: string;
  readonly permissions: readonly Permission[];
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
  permissions: permissions[role],
}));

export function permissionsOf(role: Role): readonly Permission[] {
  return permissions[role];
}

/** The one that may do more. */
export function higherOf(one: Role, other: Role): Role {
  return roleNames.indexOf(one) < roleNames.indexOf(other) ? one : other;
}
