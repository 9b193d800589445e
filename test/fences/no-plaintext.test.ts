import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { readRunning } from '@glovebox/local/run-journal';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import pg from 'pg';

import { apiOf } from '../harness/api.ts';
import { type Destination, startDestination } from '../harness/destination.ts';
import { encrypt, encryptedHeader } from '../harness/encrypt.ts';
import { type OtlpReceiver, startOtlpReceiver } from '../harness/otlp-receiver.ts';
import { createReactor } from '../harness/reactor-story.ts';
import { type System, startSystem } from '../harness/system.ts';
import { until } from '../harness/until.ts';

/** Values that stand nowhere else; a card number that passes its check, and text for everything else. */
const pan = '3566002020360505';
const text = 'canary-7f3a9e51c8d24b60';
const cvc = '8417';
const configurationSecret = 'canary-configuration-5d0e8a97';
const callbackSecret = 'canary-callback-91c4e6d0';

/** Ways in which a value could stand somewhere without being seen at once, its plain hashes included. */
function spellings(value: string): string[] {
  const bytes = Buffer.from(value);
  const hash = (algorithm: string) => createHash(algorithm).update(value);
  return [
    value,
    [...value].toReversed().join(''),
    bytes.toString('hex'),
    // The same bytes at each offset that base64 can put them at, without the ends that depend on their neighbours.
    ...[0, 1, 2].map((shift) =>
      Buffer.concat([Buffer.alloc(shift), bytes])
        .toString('base64')
        .slice(shift === 0 ? 0 : 4, -4),
    ),
    ...['md5', 'sha1', 'sha256'].flatMap((name) => [hash(name).digest('hex'), hash(name).digest('base64')]),
  ];
}

/** Statements that write to an invocation's log. */
const writing: ((told: string) => string)[] = [
  (told) => `console.log(${told})`,
  (told) => `console.error(new Error(${told}), { told: ${told} }, '%s', ${told})`,
  (told) => `process.stdout.write(${told}); process.stderr.write(${told} + '\\n')`,
];

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
    await useEveryDoor();
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

  async function useEveryDoor(): Promise<void> {
    const api = apiOf(system);
    const key = system.dev.private_api_key;
    const application = await api.application({
      name: 'canary',
      type: 'private',
      permissions: ['token:use'],
    });
    secrets['apiKey'] = application.key;
    const proxy = await api.proxy(destination.url, { configuration: { SECRET: configurationSecret } });
    secrets['proxyKey'] = proxy.key;
    const down = await api.proxy('http://localhost:1', { configuration: { SECRET: configurationSecret } });
    const card = await api.token({
      type: 'card',
      data: { number: pan, expiration_month: 1, expiration_year: 2031, cvc },
    });
    const number = await api.token({ type: 'token', data: Number(pan) });
    const free = await api.token({
      type: 'token',
      data: { deep: [{ text }] },
      search_indexes: ['{{ data.deep[0].text }}'],
    });
    await api.send('POST', '/tokenize', {
      key,
      body: { a: pan, b: [text, { type: 'card_number', data: pan }] },
    });
    await api.send('GET', `/tokens/${card}`, { key });
    for (const proxyKey of [proxy.key, down.key]) {
      const body = { card: `{{${card}}}`, n: `{{${number}}}`, t: `{{ ${free} | json: '$.deep[0].text' }}` };
      await api.invoke(proxyKey, 'POST', '', { key: application.key, body });
      await api.invoke(proxyKey, 'POST', '', { body: { t: `{{ ${free} | to_number }}` } });
      await api.invoke(proxyKey, 'POST', '', { body: { t: `{{ ${free} | json: '$..text' | nosuch }}` } });
      await api.invoke(proxyKey, 'POST', '', { body: `{"broken": "${pan} ${text}` });
    }
    // What is refused must not be remembered either.
    for (const body of [
      `{"type":"card","data":"${pan}`,
      { type: 'nosuch', data: text },
      { type: 'card', data: { number: `${pan}1`, text } },
    ]) {
      await api.send('POST', '/tokens', { key, body });
      await api.send('POST', '/tokenize', { key, body });
    }
    await api.manage('POST', '/proxies', {
      name: 'x'.repeat(201),
      destination_url: text,
      configuration: { A: configurationSecret },
    });
    await api.manage('PUT', `/proxies/${proxy.id}`, {
      name: 'y',
      destination_url: destination.url,
      configuration: { B: configurationSecret },
    });
    const deleted = await api.token({ type: 'token', data: text });
    await api.send('DELETE', `/tokens/${deleted}`, { key });
    await findAndChange(api, card, free);
    await useTransforms(api, free);
    await useReactors(api, free);
    await useBt(api, free);
    await useIdempotencyKeys(api, free);
    await useClientEncryption(api, proxy.key);
  }

  /** What only the vault should ever see in plain: opened, and refused for what is in it. */
  async function useClientEncryption(api: ReturnType<typeof apiOf>, proxyKey: string): Promise<void> {
    const key = system.dev.private_api_key;
    const { json: clientKey } = await api.manage('POST', '/keys');
    for (const data of [{ number: pan, cvc, text }, { number: `${pan}1`, text }, text]) {
      const request = { type: 'card', encrypted: await encrypt(clientKey, data) };
      await api.send('POST', '/tokens', { key, body: request });
      await api.send('POST', '/tokens', { key, body: { ...request, type: 'token' } });
      await api.send('POST', '/tokenize', { key, body: [request, { ...request, type: 'card_number' }] });
      const headers = { 'SVC-ENCRYPTED': encryptedHeader(request) };
      for (const expression of ["encrypted | json: '$.data'", 'encrypted.data | to_number', 'encrypted'])
        await api.invoke(proxyKey, 'POST', '', { headers, body: { a: `{{ ${expression} }}` } });
    }
  }

  /** What is answered again later, under keys that are secrets themselves. */
  async function useIdempotencyKeys(api: ReturnType<typeof apiOf>, token: string): Promise<void> {
    const key = system.dev.private_api_key;
    await using echo = await startDestination();
    echo.answer = (received, response) => response.end(received.body);
    const proxy = await api.proxy(echo.url);
    const reactor = await createReactor(api, '({ args }) => ({ raw: args })');
    const value = { t: `{{ ${token} | json: '$.deep[0].text' }}`, pan };
    for (const name of [pan, text, pan]) {
      const headers = { 'SVC-IDEMPOTENCY-KEY': name };
      await api.send('POST', '/tokens', { key, headers, body: { type: 'token', data: value } });
      await api.send('POST', '/tokenize', { key, headers, body: [pan, text] });
      answers.push((await api.invoke(proxy.key, 'POST', '', { headers, body: value })).text);
      const invocation = { key, headers, body: { args: value } };
      answers.push((await api.send('POST', `/reactors/${reactor.id}/react`, invocation)).text);
      const application = await api.send('POST', '/applications', {
        key: system.dev.management_api_key,
        headers,
        body: { name: 'keyed', type: 'private', permissions: ['token:use'] },
      });
      secrets['keptApiKey'] = application.json.key;
    }
  }

  /** What is searched for by its value, and what is written over. */
  async function findAndChange(api: ReturnType<typeof apiOf>, card: string, free: string): Promise<void> {
    const key = system.dev.private_api_key;
    const headers = { 'Content-Type': 'application/merge-patch+json' };
    for (const query of [`data:"${text}"`, `data:"${pan}`, `${text}:${pan}`]) {
      for (const path of ['/tokens/search', '/v2/tokens/search']) {
        await api.send('POST', path, { key, body: { query } });
      }
    }
    await api.send('GET', `/tokens?id=${card}&id=${free}`, { key });
    await api.send('POST', '/detokenize', { key, body: [`{{${card}}}`, `{{${free} | to_number}}`, text] });
    await api.send('POST', '/detokenize', { key, body: `{"broken": "${pan} ${text}` });
    for (const body of [
      { data: { number: pan, cvc, note: text }, search_indexes: ['{{ data.number }}'] },
      { data: { number: `${pan}1`, cvc: text } },
      { data: text },
      `{"data": "${pan} ${text}`,
    ]) {
      await api.send('PATCH', `/tokens/${card}`, { key, body, headers });
    }
    const equal = { type: 'card_number', data: pan, deduplicate_token: true };
    await api.send('POST', `/tokens/${card}/children`, { key, body: equal });
    await api.send('POST', `/tokens/${card}/children`, { key, body: equal });
  }

  /** What code does by bt: it works, is refused, and fails where nobody catches it. */
  async function useBt(api: ReturnType<typeof apiOf>, token: string): Promise<void> {
    const permissions = ['token:create', 'token:read'];
    const rules = [{ priority: 1, container: '/', transform: 'reveal', permissions }];
    const { id } = await api.application({ name: 'canary of bt', type: 'private', rules });
    const configuration = { SECRET: configurationSecret, KEY: secrets['apiKey'] };
    for (const call of [
      `bt.tokens.create({ type: 'card_number', data: args.body.pan, metadata: {} })`,
      `bt.tokens.retrieve('${token}')`,
      `bt.tokenize([args.body.pan, args.body.t, configuration.SECRET])`,
      `bt.tokens.create({ type: 'card', data: args.body })`,
      `bt.tokens.create({ type: args.body.t, data: configuration.SECRET })`,
      `bt.tokens.retrieve(args.body.t + configuration.SECRET)`,
      `bt.tokens.retrieve('x', { apiKey: configuration.KEY })`,
      `bt.tokens.delete(args.body.pan, { apiKey: args.body.t })`,
      `bt.reactors.react(args.body.t, { args: args.body })`,
      `bt.tokens.search({ query: args.body.pan })`,
    ]) {
      const code = `module.exports = async ({ args, bt, configuration }) => ({ body: await ${call} })`;
      const body = { t: `{{ ${token} | json: '$.deep[0].text' }}`, pan };
      const more = { configuration, application: { id }, request_transform: { code } };
      const proxy = await api.proxy(destination.url, more);
      answers.push((await api.invoke(proxy.key, 'POST', '', { body })).text);
    }
  }

  /** Code gets every secret there is, and tells it in all that it can say. */
  async function useTransforms(api: ReturnType<typeof apiOf>, token: string): Promise<void> {
    const told = 'req.configuration.SECRET + JSON.stringify(req)';
    const known = `Object.assign(new Error(${told}), { name: 'BadRequestError', status: 400 })`;
    for (const statement of [
      `return { headers: { 'X-Told': req.configuration.SECRET }, body: { told: ${told} } }`,
      `return { headers: { A: ${told} + '€', ['B ' + ${told}]: '' } }`,
      `throw new Error(${told})`,
      `throw ${known}`,
      `return { [${told}]: [ToldOf(${told})] }`,
      `return ${told}`,
      ...writing.map((write) => `${write(told)}; return { body: {} }`),
    ]) {
      const code = `module.exports = async (req) => { ${statement}; }`;
      const configuration = { SECRET: configurationSecret };
      for (const side of ['request_transform', 'response_transform']) {
        const proxy = await api.proxy(destination.url, { [side]: { code }, configuration });
        await api.invoke(proxy.key, 'POST', '', {
          body: { t: `{{ ${token} | json: '$.deep[0].text' }}`, pan },
        });
        if (!statement.startsWith('return')) logs.push(await logOf(api, proxy.id));
      }
    }
  }

  /** What the tenant is told of the code, once it is. */
  async function logOf(api: ReturnType<typeof apiOf>, proxyId: string): Promise<string> {
    const list = () =>
      api.send('GET', `/proxies/${proxyId}/invocations`, { key: system.dev.private_api_key });
    await until('the invocation is told of', async () => (await list()).json.data.length > 0);
    return (await list()).text;
  }

  async function useReactors(api: ReturnType<typeof apiOf>, token: string): Promise<void> {
    const told = 'req.configuration.SECRET + JSON.stringify(req)';
    const key = system.dev.private_api_key;
    const application = await api.application({
      name: 'canary of a reactor',
      type: 'private',
      permissions: ['token:create'],
    });
    const results: string[] = [];
    for (const statement of [
      `return { raw: { told: ${told} } }`,
      `return { raw: ${told}, tokenize: { told: ${told}, card: { type: 'card', data: { number: req.args.pan } } } }`,
      `return { tokenize: { [${told}]: { type: ${told}, data: ${told} } } }`,
      `console.log(${told}); throw new Error(${told})`,
      `throw Object.assign(new Error(${told}), { name: 'BadRequestError', status: 400, errors: { [${told}]: ${told} } })`,
      `return ${told}`,
    ]) {
      const code = `async (req) => { ${statement}; }`;
      const formula = { parameters: { text: 'string', pan: 'string' }, settings: { SECRET: 'string' } };
      const configuration = { SECRET: configurationSecret };
      for (const more of [{ configuration }, { configuration, application: { id: application.id } }]) {
        const { id } = await createReactor(api, code, formula, more);
        const args = { text: `{{ ${token} | json: '$.deep[0].text' }}`, pan };
        answers.push((await api.send('POST', `/reactors/${id}/react`, { key, body: { args } })).text);
        const later = await api.send('POST', `/reactors/${id}/react-async`, { key, body: { args } });
        results.push(`/reactors/${id}/results/${later.json.asyncReactorRequestId}`);
        const wrong = { text: { deep: `{{${token}}}` }, pan: [pan], more: text };
        await api.send('POST', `/reactors/${id}/react`, { key, body: { args: wrong } });
        await api.send('POST', `/reactors/${id}/react`, { key, body: `{"args":{"pan":"${pan} ${text}` });
      }
    }
    await useDeliveries(api, token);
    for (const path of results) {
      const result = () => api.send('GET', path, { key });
      await until('there is a result', async () => (await result()).status !== 404);
      answers.push((await result()).text);
    }
  }

  /** To an endpoint that takes nothing, so that they wait. */
  async function useDeliveries(api: ReturnType<typeof apiOf>, token: string): Promise<void> {
    await using receiver = await startDestination();
    receiver.answer = (_received, response) => response.writeHead(500).end();
    const events = ['reactor.invoked', 'reactor.completed', 'reactor.failed'];
    const hook = await api.manage('POST', '/webhooks', { name: 'canary', url: receiver.url, events });
    secrets['webhookKey'] = hook.json.secret.slice('whsec_'.length);
    for (const code of [
      '({ args }) => ({ raw: args })',
      '({ args }) => { throw new Error(JSON.stringify(args)) }',
    ]) {
      const { id } = await createReactor(api, code);
      const body = {
        args: { text: `{{ ${token} }}`, pan },
        callback_url: `${receiver.url}?${callbackSecret}`,
      };
      await api.send('POST', `/reactors/${id}/react`, { key: system.dev.private_api_key, body });
    }
    const cameTo = (url: RegExp) => receiver.received.filter((one) => url.test(one.url)).length;
    await until('all were tried', () => cameTo(/^\/$/) >= 4 && cameTo(/canary/) >= 2);
  }

  async function collectPlaces(): Promise<void> {
    const running = readRunning(system.stateDir)?.system;
    if (running === undefined) throw new Error('the system is not running');
    for (const [name, url] of Object.entries(running.databases))
      places.set(`database ${name}`, await dump(url));
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
    'apiKey',
    'proxyKey',
    'keptApiKey',
    'webhookKey',
    'wantingKey',
  ]) {
    it(`stands in no file, dump, log, span or Redis value: ${name}`, () => {
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

/** Every row of every table, as text. */
async function dump(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const parts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${name} AS t`);
    parts.push(name, ...rows.map(({ row }) => row));
  }
  await client.end();
  return parts.join('\n');
}

async function dumpRedis(url: string): Promise<string> {
  const redis = new Redis(url);
  const parts: string[] = [];
  for (const key of await redis.keys('*')) {
    const type = await redis.type(key);
    const members = type === 'zset' ? await redis.zrangeBuffer(key, '0', '-1') : [];
    const fields = type === 'hash' ? Object.entries(await redis.hgetallBuffer(key)).flat() : [];
    members.push(...fields.map((field) => Buffer.from(field)));
    const value = type === 'string' ? await redis.getBuffer(key) : await redis.dumpBuffer(key);
    parts.push(key, ...members.map((member) => member.toString('latin1')), value?.toString('latin1') ?? '');
  }
  redis.disconnect();
  return parts.join('\n');
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}
