import { allPermissions, applicationTypes } from '@glovebox/access/permission';

import type { Call, Reply } from '../../http/call.ts';
import { QueryReader } from '../../http/query.ts';
import type { Dependencies } from '../dependencies.ts';

/** A bare array, as existing clients expect it (contract/tenants.md#permissions). */
export async function listPermissions(_: Dependencies, { query }: Call): Promise<Reply> {
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
}
