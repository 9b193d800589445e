import type { Redis } from '@glovebox/platform/db/redis';

import { anyRecord } from './keys.ts';

export interface ChangeListener {
  /** A record's name, e.g. `proxy:<hash>`. */
  changed(name: string): void;
  /** Announcements arrive from now on; earlier ones may have been missed. */
  resumed(): void;
}

const pingEveryMs = 5000;

/**
 * Listens to announced changes until it is disposed. A ping finds a connection that is dead without having been closed,
 * and replaces it.
 */
export function subscribe(subscriber: Redis, channel: string, listener: ChangeListener): Disposable {
  const onMessage = (_channel: string, names: string) => {
    for (const name of names.split('\n')) {
      if (name === anyRecord) listener.resumed();
      else listener.changed(name);
    }
  };
  const onReady = () => {
    subscriber.subscribe(channel).then(
      () => listener.resumed(),
      () => subscriber.disconnect(true),
    );
  };
  const ping = setInterval(() => {
    if (subscriber.status === 'ready') subscriber.ping().catch(() => subscriber.disconnect(true));
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
