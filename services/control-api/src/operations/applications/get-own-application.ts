import { showApplication } from '../../applications/fields.ts';
import { findApplication } from '../../applications/store.ts';
import type { Call, Reply } from '../../http/call.ts';
import type { Dependencies } from '../dependencies.ts';

/** The application that the presented key belongs to. */
export async function getOwnApplication({ postgres }: Dependencies, { principal }: Call): Promise<Reply> {
  return {
    status: 200,
    body: showApplication(await findApplication(postgres, principal.tenantId, principal.applicationId)),
  };
}
