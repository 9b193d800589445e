import { randomUUID } from 'node:crypto';

import type { Redis } from '@glovebox/platform/db/redis';

import { anyRecord } from './keys.ts';

export interface ChangeListener {
  /** A record's name, e.g. `proxy:<hash>`. */
  changed(name: string): void;
  /** Announcements arrive from now on; earlier ones may have been missed. */
  resumed(): void;
}

export interface SubscriptionOptions {
  /**
   * A connection to the same cluster, by which the process also sends messages to itself: a node that has left the cluster
   * answers pings and hears nothing.
   */
  readonly publisher?: Redis;
  readonly pingEveryMs?: number;
}

/**
 * Listens to announced changes until it is disposed. A ping finds a connection that is dead without having been closed,
 * and replaces it.
 */
export function subscribe(
  subscriber: Redis,
  channel: string,
  listener: ChangeListener,
  { publisher, pingEveryMs = 5000 }: SubscriptionOptions = {},
): Disposable {
  const own = `${channel}:${randomUUID()}`;
  const channels = publisher === undefined ? [channel] : [channel, own];
  /** Messages to itself that were sent, and not heard. */
  let unheard = 0;
  const onMessage = (heard: string, names: string) => {
    if (heard === own) {
      unheard = 0;
      return;
    }
    for (const name of names.split('\n')) {
      if (name === anyRecord) listener.resumed();
      else listener.changed(name);
    }
  };
  const onReady = () => {
    unheard = 0;
    subscriber.subscribe(...channels).then(
      () => listener.resumed(),
      () => subscriber.disconnect(true),
    );
  };
  const ping = setInterval(() => {
    if (subscriber.status !== 'ready') return;
    if (unheard > 1) {
      subscriber.disconnect(true);
      return;
    }
    subscriber.ping().catch(() => subscriber.disconnect(true));
    publisher?.publish(own, '').then(
      () => (unheard += 1),
      // That the cluster is away says nothing about the subscription.
      () => undefined,
    );
  }, pingEveryMs);
  ping.unref();
  subscriber.on('message', onMessage);
  subscriber.on('ready', onReady);
  if (subscriber.status === 'ready') onReady();
  return {
    [Symbol.dispose]() {
      clearInterval(ping);
      subscriber.off('message', onMessage);
      subscriber.off('ready', onReady);
    },
  };
}
