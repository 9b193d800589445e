import type { Call, Reply } from '../../http/call.ts';
import { showInvitation } from '../../invitations/fields.ts';
import { findInvitation } from '../../invitations/store.ts';
import type { Dependencies } from '../dependencies.ts';

export async function getInvitation({ postgres }: Dependencies, { principal, id }: Call): Promise<Reply> {
  return {
    status: 200,
    body: showInvitation(await findInvitation(postgres, principal.tenantId, id), new Date()),
  };
}
