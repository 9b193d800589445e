import { entityTypes } from '../../audit/audit-event.ts';
import type { Reply } from '../../http/call.ts';

/** The values of `entity_type` (contract/tenants.md#logs). */
export async function listEntityTypes(): Promise<Reply> {
  return {
    status: 200,
    body: entityTypes.map(({ value, displayName }) => ({ display_name: displayName, value })),
  };
}
