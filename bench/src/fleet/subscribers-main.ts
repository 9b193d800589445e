/** Stands for readers of the configuration: `<redis url> <channel> <how many>`, each with a connection of its own. */
import { once } from 'node:events';

import { Redis } from 'ioredis';

import { answerQuestions } from './messages.ts';

export interface SubscriberQuestion {
  /** Of the announcement that is waited for, from 1. */
  readonly nth: number;
}

export interface SubscriberAnswer {
  /** When the last one heard it, in milliseconds since 1970. */
  readonly at: number;
}

const [url = '', channel = '', count = ''] = process.argv.slice(2);
/** When the last subscriber heard each announcement. */
const heardAt: number[] = [];
const waiting = new Map<number, () => void>();
const complete = new Map<number, number>();

const subscribers = Array.from({ length: Number(count) }, () => new Redis(url));
for (const subscriber of subscribers) {
  if (subscriber.status !== 'ready') await once(subscriber, 'ready');
  let heard = 0;
  subscriber.on('message', () => {
    heard += 1;
    const so = (complete.get(heard) ?? 0) + 1;
    complete.set(heard, so);
    if (so < subscribers.length) return;
    heardAt[heard] = performance.timeOrigin + performance.now();
    waiting.get(heard)?.();
  });
  await subscriber.subscribe(channel);
}

answerQuestions(async ({ nth }: SubscriberQuestion): Promise<SubscriberAnswer> => {
  if (heardAt[nth] === undefined) {
    await new Promise<void>((resolve) => {
      waiting.set(nth, resolve);
    });
  }
  return { at: heardAt[nth] ?? Number.NaN };
});
