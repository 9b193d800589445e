import type { EnvReader } from '@glovebox/platform/settings/env';

import { defaultInboxRoom } from './event-inbox.ts';

/** MAX_WAITING_EVENTS: the room of the inbox, which every service that puts events there judges by itself. */
export function readWaitingEvents(env: EnvReader): number {
  return env.integer('MAX_WAITING_EVENTS', { default: defaultInboxRoom, min: 100, max: 10_000_000 });
}
