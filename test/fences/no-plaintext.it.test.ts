import { readFileSync } from 'node:fs';

import { readRunning } from '@glovebox/local/run-journal';
import { expect } from 'chai';

import { apiOf } from '../harness/api.ts';
import { callbackSecret, configurationSecret, pan, spellings, text } from '../harness/canary/canary.ts';
import { dumpDatabase, dumpRedis, filesBelow } from '../harness/canary/dumps.ts';
import { useEveryDoor } from '../harness/canary/use-every-door.ts';
import { type Destination, startDestination } from '../harness/destination.ts';
import { type OtlpReceiver, startOtlpReceiver } from '../harness/otlp-receiver.ts';
import { type System, startSystem } from '../harness/system.ts';
import { until } from '../harness/until.ts';

describe('the canary', () => {
  let receiver: OtlpReceiver;
  let system: System;
  let destination: Destination;
  /** A webhook for everything, which takes nothing: so that it waits where it can be looked at. */
  let told: Destination;
  /** Every secret that was handed out or in, by name. */
  const secrets: Record<string, string> = { pan, text, configurationSecret, callbackSecret };
  const places = new Map<string, string>();
  /** What tenants were told of their code. */
  const logs: string[] = [];
  /** What reactors told, which only their callers may know. */
  const answers: string[] = [];

  before('is stored and used through every door', async function () {
    this.timeout(180_000);
    receiver = await startOtlpReceiver();
    system = await startSystem({ env: { ...receiver.env, LOG_LEVEL: 'debug' } });
    destination = await startDestination();
    told = await startDestination();
    await wantEverything();
    await useEveryDoor({
      api: apiOf(system),
      key: system.dev.private_api_key,
      managementKey: system.dev.management_api_key,
      destination,
      secrets,
      answers,
      logs,
    });
    await until('spans have been exported', () =>
      receiver.spans.some(({ service }) => service === 'token-vault'),
    );
    await collectPlaces();
  });
  after(async () => {
    await system[Symbol.asyncDispose]();
    await destination[Symbol.asyncDispose]();
    await told[Symbol.asyncDispose]();
    await receiver[Symbol.asyncDispose]();
  });

  async function wantEverything(): Promise<void> {
    told.answer = (_received, response) => response.writeHead(500).end();
    const api = apiOf(system);
    const events = (await api.manage('GET', '/webhooks/event-types')).json;
    const hook = await api.manage('POST', '/webhooks', { name: 'all', url: told.url, events });
    secrets['wantingKey'] = hook.json.secret.slice('whsec_'.length);
  }

  async function collectPlaces(): Promise<void> {
    const running = readRunning(system.stateDir)?.system;
    if (running === undefined) throw new Error('the system is not running');
    for (const [name, url] of Object.entries(running.migrationDatabases ?? running.databases))
      places.set(`database ${name}`, await dumpDatabase(url));
    places.set('redis', await dumpRedis(running.redisUrl));
    places.set('spans', receiver.raw.join('\n'));
    places.set('events', told.received.map(({ body }) => body.toString()).join('\n'));
    const { data_dirs: dataDirs, log_files: logFiles } = system.dev;
    await system.stop();
    for (const path of new Set([...logFiles, ...dataDirs.flatMap(filesBelow)])) {
      places.set(path, readFileSync(path, 'latin1'));
    }
  }

  it('did reach the destination, so that there was something to find', () => {
    const bodies = destination.received.map(({ body }) => body.toString());
    expect(bodies.some((body) => body.includes(pan) && body.includes(text))).to.equal(true);
    for (const value of [pan, text, configurationSecret]) expect(answers.join('')).to.contain(value);
    expect([...places.keys()].some((path) => path.endsWith('token-vault.log'))).to.equal(true);
    expect(places.get('database vault')).to.contain('tokens');
    for (const name of ['control', 'vault']) {
      expect(places.get(`database ${name}`)).to.match(/idempotency_record\n\(/);
    }
    expect(places.get('redis'))
      .to.contain('record:proxy:')
      .and.to.contain('invocation-log:')
      .and.to.contain('async:request:')
      .and.to.contain(':idempotency:')
      .and.to.contain('bull:deliveries:callback.')
      .and.to.contain('bull:deliveries:event.')
      .and.to.match(/token\.created[\s\S]*proxy\.invoked|proxy\.invoked[\s\S]*token\.created/);
    expect(places.get('events')).to.contain('"event"');
    for (const log of logs) expect(log).to.contain(configurationSecret);
    expect(logs.filter((log) => log.includes(text))).to.have.length(logs.length / 2);
  });

  for (const name of [
    'pan',
    'text',
    'configurationSecret',
    'callbackSecret',
    'clientKeyText',
    'apiKey',
    'proxyKey',
    'keptApiKey',
    'webhookKey',
    'wantingKey',
  ]) {
    it(`is in no file, dump, log, span or Redis value: ${name}`, () => {
      const value = secrets[name]!;
      // Keys are looked up by their SHA-256: they hold 128 random bits.
      const wanted = name.endsWith('Key') ? [value] : spellings(value);
      const found = [...places].flatMap(([place, content]) =>
        wanted.filter((spelling) => content.includes(spelling)).map((spelling) => `${place}: ${spelling}`),
      );
      expect(found).to.deep.equal([]);
    });
  }
});
