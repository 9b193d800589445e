import { randomBytes } from 'node:crypto';

import { apiOf } from '../../harness/api.ts';
import { callbackSecret, configurationSecret, pan, text } from '../../harness/canary/canary.ts';
import { useEveryDoor } from '../../harness/canary/use-every-door.ts';
import { startDestination } from '../../harness/destination.ts';
import { startOtlpReceiver } from '../../harness/otlp-receiver.ts';
import { startSystem } from '../../harness/system.ts';
import { until } from '../../harness/until.ts';
import { MixedLoad } from '../chaos/load.ts';
import type { Campaign } from '../report/campaign.ts';
import { searchEverything } from './search.ts';

/** Requests of the load before the search. */
const requests = { sample: 200, full: 3000 };

export const canary: Campaign = {
  name: 'canary',
  title: 'Canaries',
  guarantee: 'No plaintext of a token, of a configuration or of a callback is written down anywhere.',
  method:
    'Values that are nowhere else are stored and used through every door of the API, with logs at the level debug and every span exported, beside a load of proxied requests, transforms, tokens, asynchronous reactors and webhooks. Then databases, the write-ahead log, Redis with its queues and its files, snapshots, logs, spans, metrics, events and exports of the audit log are searched for them: as they are, backwards, in base64 at any offset, hexadecimal, URL-encoded, hashed, and as digits in groups.',
  async run({ scale }) {
    await using receiver = await startOtlpReceiver();
    await using destination = await startDestination();
    await using told = await startDestination();
    await using system = await startSystem({ env: { ...receiver.env, LOG_LEVEL: 'debug' } });
    const api = apiOf(system);
    // It takes nothing, so that events wait where they can be looked at.
    told.answer = (_received, response) => response.writeHead(500).end();
    const events = (await api.manage('GET', '/webhooks/event-types')).json;
    await api.manage('POST', '/webhooks', { name: 'all', url: told.url, events });
    const answers: string[] = [];
    await useEveryDoor({
      api,
      key: system.dev.private_api_key,
      managementKey: system.dev.management_api_key,
      destination,
      secrets: { pan, text, configurationSecret, callbackSecret },
      answers,
      logs: [],
    });
    const loaded = { text: `canarytext${randomBytes(8).toString('hex')}`, digits: '492917283640' };
    const load = await MixedLoad.start(system, destination, loaded);
    await until('the load has been served', () => load.outcomes.length >= requests[scale], 600_000);
    await load.end();
    const values = [pan, text, configurationSecret, callbackSecret, ...Object.values(loaded)];
    const reached = destination.received.map(({ body }) => body.toString()).join('\n') + answers.join('\n');
    const searched = await searchEverything(system, values, {
      spans: () => receiver.raw.join('\n'),
      'events of webhooks': () => told.received.map(({ body }) => body.toString()).join('\n'),
    });
    // What a callback holds waits sealed in the queue: nobody takes it here.
    const used = [pan, text, configurationSecret, loaded.digits];
    return {
      cases: searched.reduce((sum, { files }) => sum + files, 0) * values.length,
      failures: [
        ...searched.flatMap(({ found }) => found),
        ...used
          .filter((value) => !reached.includes(value))
          .map((value) => `${value} was never used, so nothing is proved`),
      ],
      tables: [
        {
          title: 'What was searched',
          head: ['place', 'files', 'bytes', 'found'],
          rows: searched.map(({ place, files, bytes, found }) => [
            place,
            String(files),
            bytes.toLocaleString('en'),
            String(found.length),
          ]),
        },
      ],
      notes: [
        `${load.outcomes.length.toLocaleString('en')} requests of the load; ${values.length} values in all their spellings. All of those that may reach a destination did reach it.`,
      ],
    };
  },
};
