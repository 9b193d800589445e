import { readRunning } from '@glovebox/local/run-journal';
import { redisNames } from '@glovebox/published/keys';

import { apiOf } from '../../../test/harness/api.ts';
import { startSystem } from '../../../test/harness/system.ts';
import { type FleetProcess, startProcess } from './messages.ts';
import type { SubscriberAnswer } from './subscribers-main.ts';

const processes = 4;
const updates = 100;

/** How a change of a proxy reaches so many readers. */
export interface PublicationFigures {
  /** Milliseconds until an update is answered. */
  readonly put: readonly number[];
  /** Milliseconds from the answer until the last reader has heard of it; 0 if all have before. */
  readonly heard: readonly number[];
}

export async function measurePublication(subscribers: number): Promise<PublicationFigures> {
  await using system = await startSystem();
  const { redisUrl = '', redisPrefix = '' } = readRunning(system.stateDir)?.system ?? {};
  const api = apiOf(system);
  const { id } = await api.proxy('https://example.com/0');
  const channel = redisNames(redisPrefix).changes;
  using stack = new DisposableStack();
  const readers: FleetProcess[] = [];
  for (let at = 0; at < (subscribers > 0 ? processes : 0); at += 1) {
    const args = [redisUrl, channel, String(subscribers / processes)];
    readers.push(stack.use(await startProcess('subscribers-main.ts', args)));
  }
  const put: number[] = [];
  const heard: number[] = [];
  for (let nth = 1; nth <= updates; nth += 1) {
    const since = performance.now();
    const body = { name: 'story', destination_url: `https://example.com/${nth}` };
    const { status, text } = await api.send('PUT', `/proxies/${id}`, {
      key: system.dev.management_api_key,
      body,
    });
    if (status !== 200) throw new Error(text);
    put.push(performance.now() - since);
    const answeredAt = performance.timeOrigin + performance.now();
    const answers = await Promise.all(readers.map((one) => one.ask<SubscriberAnswer>({ nth })));
    heard.push(Math.max(0, ...answers.map(({ at }) => at - answeredAt)));
  }
  return { put, heard };
}
