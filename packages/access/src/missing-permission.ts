import { type HolderType, type Permission, allPermissions, mayHold } from './permission.ts';
import type { Principal } from './principal.ts';

const holders: Readonly<Record<HolderType, string>> = {
  private: 'a private application',
  public: 'a public application',
  management: 'a management application',
  expiring: 'an expiring application',
  session: 'a session',
};

/**
 * What a caller is told that lacks a permission: also that such a key can never have it, where that is so, since then it
 * is another key that is wanted.
 */
export function missingPermission(permission: Permission, { applicationType }: Principal): string {
  const required = `The permission ${permission} is required.`;
  if (mayHold(applicationType, permission)) return required;
  const types = allPermissions.find(({ type }) => type === permission)?.applicationTypes ?? [];
  const wanted = types.map((type) => holders[type]).join(' or ');
  return `${required} Only ${wanted} can hold it, and this is the key of ${holders[applicationType]}.`;
}
