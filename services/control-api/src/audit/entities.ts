/** What management operations change. */
const managed = {
  application: 'Application',
  proxy: 'Proxy',
  reactor: 'Reactor',
  reactor_formula: 'Reactor Formula',
  tenant: 'Tenant',
  tenant_invitation: 'Tenant Invitation',
  webhook: 'Webhook',
} as const;

/** What the vault keeps the log of. */
const audited = { token: 'Token', session: 'Session', key: 'Key' } as const;

export type ManagedEntity = keyof typeof managed;
export type AuditedEntity = keyof typeof audited;

const displayNames: Readonly<Record<string, string>> = { ...managed, ...audited };

/** In the order of their names. */
export const entityTypes = Object.entries(displayNames)
  .map(([value, displayName]) => ({ value, displayName }))
  .toSorted((a, b) => a.value.localeCompare(b.value));

export function isManaged(entityType: string): entityType is ManagedEntity {
  return Object.hasOwn(managed, entityType);
}

export function isAudited(entityType: string): entityType is AuditedEntity {
  return Object.hasOwn(audited, entityType);
}

export function displayNameOf(entityType: string): string {
  return displayNames[entityType] ?? entityType;
}
