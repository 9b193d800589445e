import { webhookEvents } from '@glovebox/published/webhook-events';

import type { Handler } from '../../http/call.ts';

/** A bare array, as existing clients expect it (api-facts 6.9). */
export const listEventTypes: Handler = async () => ({ status: 200, body: webhookEvents });
