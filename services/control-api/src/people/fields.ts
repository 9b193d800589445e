import { type RowOf, column, created, modified, optionalText, text } from '../fields/column.ts';
import type { Role } from './roles.ts';

/** Who decides on a member's role: the identity provider at each sign-in, or the tenant. */
export type MemberSource = 'directory' | 'invitation';

export const memberFields = {
  tenant_id: text({ fixed: true }),
  /** Of the user, who is the same one in every tenant. */
  id: text({ fixed: true }),
  role: column<Role>()({}),
  source: column<MemberSource>()({}),
  email: optionalText({}),
  first_name: optionalText({}),
  last_name: optionalText({}),
  ...created,
  ...modified,
};

/** A member as it is stored. */
export type MemberRow = RowOf<typeof memberFields>;

/** A member as the API shows it (contract/people.md#members). */
export function showMember(row: MemberRow): object {
  const { id, tenant_id, role, email, first_name, last_name } = row;
  return {
    id,
    tenant_id,
    role,
    user: {
      id,
      email: email ?? undefined,
      first_name: first_name ?? undefined,
      last_name: last_name ?? undefined,
    },
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    modified_by: row.modified_by ?? undefined,
    modified_at: row.modified_at?.toISOString(),
  };
}
