import { allPermissions, applicationTypes } from '@glovebox/access/permission';

import type { Handler } from '../../http/call.ts';
import { QueryReader } from '../../http/query.ts';

/** A bare array, as existing clients expect it (contract/tenants.md#permissions). */
export const listPermissions: Handler = async ({ query }) => {
  const reader = new QueryReader(query);
  const type = reader.oneOf('application_type', applicationTypes);
  reader.done();
  const body = allPermissions
    .filter((permission) => type === undefined || permission.applicationTypes.includes(type))
    .map((permission) => ({
      type: permission.type,
      description: permission.description,
      application_types: permission.applicationTypes,
    }));
  return { status: 200, body };
};
