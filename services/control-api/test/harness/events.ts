import { once } from 'node:events';

import { createRedis } from '@glovebox/platform/db/redis';
import { EventInbox } from '@glovebox/published/event-inbox';
import { redisNames } from '@glovebox/published/keys';
import type { EventBody } from '@glovebox/published/webhook-events';

import type { ControlConfig } from '../../src/config.ts';
import { until } from './until.ts';

/** What a runner would find to be delivered. */
export interface EventReader extends Disposable {
  /** The next events, once there are so many; they are not found again. */
  next(count: number): Promise<readonly EventBody[]>;
  /** What is there now. */
  rest(): Promise<readonly EventBody[]>;
}

export async function openEvents(config: ControlConfig): Promise<EventReader> {
  const redis = createRedis({
    url: config.redisUrl,
    connectionName: 'test',
    commandTimeoutMs: 5000,
    onError: () => undefined,
  });
  await once(redis, 'ready');
  const inbox = new EventInbox(redis, redisNames(config.redisPrefix));
  const take = async () => {
    const taken = await inbox.take(100);
    await inbox.done(taken);
    return taken.map(({ event }) => event);
  };
  return {
    async next(count) {
      const found: EventBody[] = [];
      await until(20_000, async () => {
        found.push(...(await take()));
        if (found.length < count) throw new Error(`${found.length} of ${count} events came`);
      });
      return found;
    },
    rest: take,
    [Symbol.dispose]: () => redis.disconnect(),
  };
}
