import { showApplication } from '../../applications/fields.ts';
import { findApplication } from '../../applications/store.ts';
import type { Call, Reply } from '../../http/call.ts';
import type { Dependencies } from '../dependencies.ts';

export async function getApplication({ postgres }: Dependencies, { principal, id }: Call): Promise<Reply> {
  return {
    status: 200,
    body: showApplication(await findApplication(postgres, principal.tenantId, id)),
  };
}
