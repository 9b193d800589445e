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
 * The message for a missing permission. It says if this type of key can never have it, because then the caller needs
 * another key.
 */
export function missingPermission(permission: Permission, { applicationType }: Principal): string {
  const required = `The permission ${permission} is required.`;
  if (mayHold(applicationType, permission)) return required;
  const types = allPermissions.find(({ type }) => type === permission)?.applicationTypes ?? [];
  const wanted = types.map((type) => holders[type]).join(' or ');
  return `${required} Only ${wanted} can hold it, and this is the key of ${holders[applicationType]}.`;
}
