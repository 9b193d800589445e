import { entityTypes } from '../../audit/entities.ts';
import type { Handler } from '../../http/call.ts';

/** What `entity_type` may be (api-facts 2.7). */
export const listEntityTypes: Handler = async () => ({
  status: 200,
  body: entityTypes.map(({ value, displayName }) => ({ display_name: displayName, value })),
});
