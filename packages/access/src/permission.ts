/** Kinds of application that can hold permissions (contract/tenants.md#applications). */
export type ApplicationType = 'private' | 'public' | 'management' | 'expiring';

export const applicationTypes: readonly ApplicationType[] = ['private', 'public', 'management', 'expiring'];

/** Holders of permissions: the types of applications, and sessions (contract/tenants.md#sessions). */
export type HolderType = ApplicationType | 'session';

interface Entry {
  readonly description: string;
  readonly applicationTypes: readonly ApplicationType[];
}

const management: readonly ApplicationType[] = ['management'];
const privateOnly: readonly ApplicationType[] = ['private'];
const privateAndPublic: readonly ApplicationType[] = ['private', 'public'];
const privateAndExpiring: readonly ApplicationType[] = ['private', 'expiring'];

/** The closed list, in the order in which it is shown (contract/tenants.md#permissions). */
const catalogue = {
  'token:create': entry('Create tokens', privateAndPublic),
  'token:read': entry('Read tokens', privateAndExpiring),
  'token:search': entry('Search tokens', privateOnly),
  'token:update': entry('Update tokens', privateAndPublic),
  'token:delete': entry('Delete tokens', privateOnly),
  'token:use': entry('Use tokens in proxies and reactors', privateOnly),
  'tenant:read': entry('Read the tenant', management),
  'tenant:update': entry('Update the tenant', management),
  'tenant:delete': entry('Delete the tenant', management),
  'tenant:member:read': entry('Read the members of the tenant', management),
  'tenant:member:update': entry('Update members of the tenant', management),
  'tenant:member:delete': entry('Remove members from the tenant', management),
  'tenant:invitation:create': entry('Invite members to the tenant', management),
  'tenant:invitation:read': entry('Read invitations to the tenant', management),
  'tenant:invitation:update': entry('Update invitations to the tenant', management),
  'tenant:invitation:delete': entry('Revoke invitations to the tenant', management),
  'application:create': entry('Create applications', management),
  'application:read': entry('Read applications', management),
  'application:update': entry('Update applications', management),
  'application:delete': entry('Delete applications', management),
  'proxy:create': entry('Create proxies', management),
  'proxy:read': entry('Read proxies', management),
  'proxy:update': entry('Update proxies', management),
  'proxy:delete': entry('Delete proxies', management),
  'reactor:create': entry('Create reactors and reactor formulas', management),
  'reactor:read': entry('Read reactors and reactor formulas', management),
  'reactor:update': entry('Update reactors and reactor formulas', management),
  'reactor:delete': entry('Delete reactors and reactor formulas', management),
  'webhooks:create': entry('Create webhooks', management),
  'webhooks:read': entry('Read webhooks', management),
  'webhooks:update': entry('Update webhooks and their secrets', management),
  'webhooks:delete': entry('Delete webhooks', management),
  'keys:create': entry('Create keys for encryption by clients', management),
  'keys:read': entry('Read keys for encryption by clients', management),
  'keys:delete': entry('Delete keys for encryption by clients', management),
  'log:read': entry('Read the audit log', management),
  'report:read': entry('Read usage reports', management),
} as const satisfies Readonly<Record<string, Entry>>;

/** A permission that an application, or one of its access rules, can hold. */
export type Permission = keyof typeof catalogue;

/** The permissions that access rules can grant: the ones over tokens. */
export type TokenPermission = Extract<Permission, `token:${string}`>;

/** One permission as `GET /permissions` shows it (contract/tenants.md#permissions). */
export interface PermissionInfo {
  readonly type: Permission;
  readonly description: string;
  readonly applicationTypes: readonly ApplicationType[];
}

/** Every permission there is, with its description and the application types that may hold it. */
export const allPermissions: readonly PermissionInfo[] = Object.entries(catalogue).map(
  ([type, { description, applicationTypes: types }]) => ({
    type: type as Permission,
    description,
    applicationTypes: types,
  }),
);

/** Whether `text` spells a permission, exactly. */
export function isPermission(text: string): text is Permission {
  return Object.hasOwn(catalogue, text);
}

/** Whether `text` spells a permission over tokens, exactly. */
export function isTokenPermission(text: string): text is TokenPermission {
  return text.startsWith('token:') && isPermission(text);
}

/** The permissions that an application of this type may hold, in the order of the list. */
export function permissionsFor(type: ApplicationType): readonly Permission[] {
  return byApplicationType[type];
}

/** Whether an application of this type may hold the permission; a session may hold any over tokens. */
export function mayHold(type: HolderType, permission: Permission): boolean {
  if (type === 'session') return isTokenPermission(permission);
  return catalogue[permission].applicationTypes.includes(type);
}

const byApplicationType: Readonly<Record<ApplicationType, readonly Permission[]>> = {
  private: heldBy('private'),
  public: heldBy('public'),
  management: heldBy('management'),
  expiring: heldBy('expiring'),
};

function heldBy(type: ApplicationType): readonly Permission[] {
  return allPermissions.filter((info) => info.applicationTypes.includes(type)).map((info) => info.type);
}

function entry(description: string, types: readonly ApplicationType[]): Entry {
  return { description, applicationTypes: types };
}
