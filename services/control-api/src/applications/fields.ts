import type { ApplicationType } from '@glovebox/access/permission';
import type { AccessRule } from '@glovebox/access/rules';
import type { UseLimitName } from '@glovebox/access/use-limits';

import { type RowOf, column, created, flag, modified, shownFields, text, version } from '../fields/column.ts';
import { type StoredKey, showKey } from './key.ts';

export const applicationFields = {
  id: text({ fixed: true, published: true }),
  tenant_id: text({ fixed: true, published: true }),
  name: text({ published: true }),
  type: column<ApplicationType>()({ fixed: true, published: true }),
  permissions: column<readonly string[]>()({}),
  rules: column<readonly AccessRule[]>()({ json: true }),
  can_create_expiring_applications: flag({}),
  /** Null: it may use any number of tokens. */
  limits: column<ApplicationLimits | null>()({ json: true }),
  /** Null for an application that does not expire. */
  expires_at: column<Date | null>()({ fixed: true }),
  version,
  ...created,
  ...modified,
};

/** What an application may use in an hour (contract/tenants.md#use-limits), with at least one member. */
export type ApplicationLimits = { readonly [Name in UseLimitName]?: number | undefined };

/** An application as it is stored, without its keys. */
export type ApplicationRow = RowOf<typeof applicationFields>;

/** An application with all that is shown of it. */
export type WholeApplication = ApplicationRow & { readonly keys: readonly StoredKey[] };

/**
 * An application as the API shows it (contract/tenants.md#applications); with a key's text only right after that was
 * made.
 */
export function showApplication(application: WholeApplication, key?: string): object {
  const { type, can_create_expiring_applications, keys } = application;
  return shownFields(applicationFields, application, {
    key,
    keys: keys.map((one) => showKey(one)),
    can_create_expiring_applications: type === 'private' ? can_create_expiring_applications : undefined,
  });
}
