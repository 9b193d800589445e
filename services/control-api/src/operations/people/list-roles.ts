import type { Call, Reply } from '../../http/call.ts';
import { QueryReader } from '../../http/query.ts';
import { roles } from '../../people/roles.ts';
import type { Dependencies } from '../dependencies.ts';

/** A bare array, as that of the permissions (contract/people.md#roles). */
export async function listRoles(_: Dependencies, { query }: Call): Promise<Reply> {
  new QueryReader(query).done();
  return { status: 200, body: roles };
}
