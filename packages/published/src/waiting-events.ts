import { integer } from '@glovebox/platform/settings/builders';

/** Events of all tenants that wait or are taken: 40 MB at most, and 10 MB of usual ones. */
export const defaultInboxRoom = 10_000;

/** The room of the inbox, as every service that puts events there checks it. */
export const waitingEvents = integer(
  'MAX_WAITING_EVENTS',
  'Events of all tenants that wait in Redis for a runner, 4 KiB each at most beside their actor. Events of data-plane use get half of it and are lost beyond ([ADR 36](adr/0036-webhook-events-go-through-one-inbox-in-redis.md))',
  { default: defaultInboxRoom, min: 100, max: 10_000_000 },
);
