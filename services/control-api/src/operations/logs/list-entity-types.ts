import { entityTypes } from '../../audit/entities.ts';
import type { Handler } from '../../http/call.ts';

/** What `entity_type` may be (contract/tenants.md#logs). */
export const listEntityTypes: Handler = async () => ({
  status: 200,
  body: entityTypes.map(({ value, displayName }) => ({ display_name: displayName, value })),
});
