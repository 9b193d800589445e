import type { Redis } from '@glovebox/platform/db/redis';
import { awaitReplicas } from '@glovebox/platform/db/redis-replicas';

import type { RedisNames } from './keys.ts';
import { defaultInboxRoom } from './waiting-events.ts';
import type { SentEvent } from './webhook-events.ts';

/** Of one event, as JSON, without its target and its actor. */
const maxEventBytes = 4096;
/** What these two may add: one that is sent again has a target, and an actor with its name. */
const maxAddedBytes = 2048;

/** A taker that has not said that it is done for this long is taken for dead. */
const leaseMs = 30_000;

/**
 * KEYS waiting, taken, count of each tenant; ARGV the most in all, the most of a tenant, then event and tenant of each.
 * Returns how many found room. Counts are reset when the inbox is empty: a service of another version may not keep
 * them.
 */
const putScript = `
local held = redis.call('LLEN', KEYS[1]) + redis.call('ZCARD', KEYS[2])
if held == 0 then redis.call('DEL', KEYS[3]) end
local room, share, count = tonumber(ARGV[1]) - held, tonumber(ARGV[2]), 0
for i = 3, #ARGV, 2 do
  if count >= room then break end
  if tonumber(redis.call('HGET', KEYS[3], ARGV[i + 1]) or '0') < share then
    redis.call('LPUSH', KEYS[1], ARGV[i])
    redis.call('HINCRBY', KEYS[3], ARGV[i + 1], 1)
    count = count + 1
  end
end
return count
`;

/** KEYS taken, count of each tenant; ARGV event and tenant of each. */
const doneScript = `
for i = 1, #ARGV, 2 do
  if redis.call('ZREM', KEYS[1], ARGV[i]) == 1 and redis.call('HINCRBY', KEYS[2], ARGV[i + 1], -1) <= 0 then
    redis.call('HDEL', KEYS[2], ARGV[i + 1])
  end
end
`;

/** KEYS waiting, taken; ARGV now, until when they are taken, the most. Those whose taker is dead come first. */
const takeScript = `
local most = tonumber(ARGV[3])
local events = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[1], 'LIMIT', 0, most)
while #events < most do
  local event = redis.call('RPOP', KEYS[1])
  if not event then break end
  events[#events + 1] = event
end
for _, event in ipairs(events) do redis.call('ZADD', KEYS[2], ARGV[2], event) end
return events
`;

/** An event and its exact text in the inbox. */
export interface TakenEvent {
  readonly event: SentEvent;
  readonly text: string;
}

/**
 * Where services put events that runners deliver (docs/adr/0036). An event is given to one taker at a time, until that
 * taker is done. Every method rejects while Redis is away.
 */
export class EventInbox {
  readonly #redis: Redis;
  readonly #waiting: string;
  readonly #taken: string;
  readonly #tenants: string;
  readonly #room: number;
  readonly #replicated: () => Promise<void>;

  /**
   * @param room most events in it
   * @param waitReplicas how many replicas must have a stored event before it counts as put
   */
  constructor(
    redis: Redis,
    names: Pick<RedisNames, 'events' | 'eventsTaken' | 'eventsOfTenants'>,
    room: number = defaultInboxRoom,
    waitReplicas = 0,
  ) {
    this.#redis = redis;
    const replicated = awaitReplicas(redis, waitReplicas);
    this.#replicated = () => replicated(names.events);
    this.#room = room;
    this.#waiting = names.events;
    this.#taken = names.eventsTaken;
    this.#tenants = names.eventsOfTenants;
  }

  /**
   * An event of more than 4 KiB, its actor and target not counted, is cut to its `id` and its actor.
   * @returns how many found room: the first ones, in their order
   */
  async put(events: readonly SentEvent[]): Promise<number> {
    const count = await this.#put(events, this.#room, this.#room);
    if (count > 0) await this.#replicated();
    return count;
  }

  /**
   * The same for events that are in no database. They get half of the room, so that they never keep out stored ones,
   * and one tenant gets a quarter of that.
   * @returns how many found room: the first ones of each tenant
   */
  putFromMemory(events: readonly SentEvent[]): Promise<number> {
    const room = Math.floor(this.#room / 2);
    return this.#put(events, room, Math.floor(room / 4));
  }

  async #put(events: readonly SentEvent[], room: number, share: number): Promise<number> {
    if (events.length === 0) return 0;
    const items = events.flatMap((event) => [textOf(event), event.tenant_id]);
    const keys = [this.#waiting, this.#taken, this.#tenants];
    return Number(await this.#redis.eval(putScript, keys.length, ...keys, room, share, ...items));
  }

  /** The oldest, at most `count`. They come again unless `done` is called within half a minute. */
  async take(count: number): Promise<readonly TakenEvent[]> {
    const now = Date.now();
    const keys = [this.#waiting, this.#taken];
    const texts = await this.#redis.eval(takeScript, keys.length, ...keys, now, now + leaseMs, count);
    return (texts as string[]).map((text) => ({ event: JSON.parse(text) as SentEvent, text }));
  }

  async done(events: readonly TakenEvent[]): Promise<void> {
    if (events.length === 0) return;
    const items = events.flatMap(({ event, text }) => [text, event.tenant_id]);
    await this.#redis.eval(doneScript, 2, this.#taken, this.#tenants, ...items);
  }
}

function textOf(event: SentEvent): string {
  const text = JSON.stringify(event);
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxEventBytes) return text;
  const { target: _, ...rest } = event;
  const { actor, ...data } = event.data;
  const ownBytes = Buffer.byteLength(JSON.stringify({ ...rest, data }));
  if (ownBytes <= maxEventBytes && bytes <= maxEventBytes + maxAddedBytes) return text;
  return JSON.stringify({ ...event, data: { id: data['id'], actor } });
}
