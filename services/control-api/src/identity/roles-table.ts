import { list } from '@glovebox/platform/settings/builders';
import { derived, type Setting } from '@glovebox/platform/settings/setting';

import { type Role, roleNames } from '../people/roles.ts';

/** Maps groups and e-mail domains of the identity provider to roles (contract/people.md#roles-by-group). */
export interface RoleGrant {
  readonly by: 'group' | 'domain';
  /** Of the group, or a domain in lower case. */
  readonly name: string;
  readonly tenantId: string;
  readonly role: Role;
}

const entryPattern = /^(group|domain):(.+)=([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\/([A-Z]+)$/i;

/** `group:payments-admins=<tenant id>/ADMIN, domain:example.com=<tenant id>/VIEWER` */
export const roleGrants: Setting<readonly RoleGrant[]> = derived(
  list(
    'OIDC_ROLES',
    'The roles of groups and e-mail domains, e.g. `group:payments=<tenant id>/ADMIN,domain:example.com=<tenant id>/VIEWER` ([roles](contract/people.md#roles-by-group))',
  ),
  (entries, problem) =>
    entries.flatMap((entry) => {
      const grant = parseGrant(entry);
      if (grant === undefined)
        problem(
          `OIDC_ROLES: "${entry}" is not group:<name>=<tenant id>/<role> or domain:<name>=<tenant id>/<role> with a role of ${roleNames.join(', ')}`,
        );
      return grant ?? [];
    }),
);

function parseGrant(entry: string): RoleGrant | undefined {
  const [, by, name = '', tenantId = '', roleName] = entryPattern.exec(entry) ?? [];
  const role = roleNames.find((known) => known === roleName);
  if (role === undefined) return undefined;
  if (by === 'group') return { by, name, tenantId: tenantId.toLowerCase(), role };
  return { by: 'domain', name: name.toLowerCase(), tenantId: tenantId.toLowerCase(), role };
}
