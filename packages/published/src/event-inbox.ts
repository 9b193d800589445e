import type { Redis } from '@glovebox/platform/redis';

import type { RedisNames } from './keys.ts';
import type { EventBody } from './webhook-events.ts';

/** Events that wait or are being handed on, of all tenants together: 40 MB at the very most, and 10 MB of usual ones. */
export const defaultInboxRoom = 10_000;

/** Of one event, as JSON. */
const maxEventBytes = 4096;

/** Whoever has taken an event and says nothing for this long is taken for dead. */
const leaseMs = 30_000;

/** KEYS waiting, taken; ARGV the most, event… Gives how many found room: the first ones. */
const putScript = `
local room = tonumber(ARGV[1]) - redis.call('LLEN', KEYS[1]) - redis.call('ZCARD', KEYS[2])
local count = math.max(0, math.min(room, #ARGV - 1))
for i = 2, count + 1 do redis.call('LPUSH', KEYS[1], ARGV[i]) end
return count
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

/** An event and the very text under which it stands in the inbox. */
export interface TakenEvent {
  readonly event: EventBody;
  readonly text: string;
}

/**
 * Where services put events for whoever delivers them (docs/adr/0037). What is in it is given to one taker at a time until
 * that one says that it is done. Every method rejects while Redis is away.
 */
export class EventInbox {
  readonly #redis: Redis;
  readonly #keys: readonly [waiting: string, taken: string];
  readonly #room: number;

  /** @param room events that it takes */
  constructor(
    redis: Redis,
    names: Pick<RedisNames, 'events' | 'eventsTaken'>,
    room: number = defaultInboxRoom,
  ) {
    this.#redis = redis;
    this.#room = room;
    this.#keys = [names.events, names.eventsTaken];
  }

  /**
   * What would be larger than 4 KiB is told in short: by its `id` and its actor alone.
   * @returns how many found room: the first ones, in their order
   */
  put(events: readonly EventBody[]): Promise<number> {
    return this.#put(events, this.#room);
  }

  /** The same of what is told from memory: in half of the room, so that it keeps out nothing that was kept with a change. */
  putFromMemory(events: readonly EventBody[]): Promise<number> {
    return this.#put(events, Math.floor(this.#room / 2));
  }

  async #put(events: readonly EventBody[], room: number): Promise<number> {
    if (events.length === 0) return 0;
    return Number(await this.#redis.eval(putScript, 2, ...this.#keys, room, ...events.map(textOf)));
  }

  /** The oldest, at most `count`. They come again unless `done` is called within half a minute. */
  async take(count: number): Promise<readonly TakenEvent[]> {
    const now = Date.now();
    const texts = await this.#redis.eval(takeScript, 2, ...this.#keys, now, now + leaseMs, count);
    return (texts as string[]).map((text) => ({ event: JSON.parse(text) as EventBody, text }));
  }

  async done(events: readonly TakenEvent[]): Promise<void> {
    if (events.length > 0) await this.#redis.zrem(this.#keys[1], ...events.map(({ text }) => text));
  }
}

function textOf(event: EventBody): string {
  const text = JSON.stringify(event);
  if (Buffer.byteLength(text) <= maxEventBytes) return text;
  const { id, actor } = event.data;
  return JSON.stringify({ ...event, data: { id, actor } });
}
