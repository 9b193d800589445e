import { setTimeout as pause } from 'node:timers/promises';

import { type Answer, type Json, apiOf } from '../../harness/api.ts';
import type { Destination } from '../../harness/destination.ts';
import { createReactor } from '../../harness/reactor-story.ts';
import type { System } from '../../harness/system.ts';
import { until } from '../../harness/until.ts';
import { Ledger } from './ledger.ts';

const callers = 6;
const pauseMs = 40;
const patienceMs = 15_000;

interface Outcome {
  readonly kind: string;
  readonly from: number;
  readonly problem: string | undefined;
}

/** What needs the control plane, or is refused while it works: a proxy that changes twice during a request (ADR 9). */
const ofControlPlane = new Set(['proxy created', 'proxy changed', 'through a proxy that changes']);

/** A part of all plaintext that is sent in, so that all of it can be searched for at once. */
export interface Canaries {
  readonly text: string;
  /** The first twelve digits of each card number. */
  readonly digits: string;
}

/** Requests of all kinds, from several callers at once, until it is ended. Each is sent once. */
export class MixedLoad {
  readonly ledger = new Ledger();
  readonly outcomes: Outcome[] = [];
  readonly #kinds: readonly (readonly [string, () => Promise<Answer>])[];
  readonly #callers: Promise<void>[];
  #ended = false;

  private constructor(kinds: Readonly<Record<string, () => Promise<Answer>>>, ledger: Ledger) {
    this.ledger = ledger;
    this.#kinds = Object.entries(kinds);
    this.#callers = Array.from({ length: callers }, (_, at) => this.#call(at));
  }

  static async start(system: System, destination: Destination, canaries: Canaries): Promise<MixedLoad> {
    const ledger = new Ledger();
    const { answer } = destination;
    destination.answer = (received, response) => {
      ledger.note(received);
      answer(received, response);
    };
    return new MixedLoad(await kindsOf(system, destination, canaries, ledger), ledger);
  }

  /** Resolves with the milliseconds after which each kind had been sent and answered well again. */
  async recovers(): Promise<number> {
    const from = performance.now();
    const isBack = ([kind]: readonly [string, unknown]) =>
      this.outcomes.some((one) => one.kind === kind && one.from >= from && one.problem === undefined);
    await until('everything is served again', () => this.#kinds.every(isBack), 90_000);
    return performance.now() - from;
  }

  /** What of the data plane failed that began since then. */
  failuresOfDataPlane(since: number): string[] {
    return this.outcomes
      .filter(
        ({ kind, from, problem }) => from >= since && problem !== undefined && !ofControlPlane.has(kind),
      )
      .map(({ kind, problem }) => `${kind}: ${problem}`);
  }

  async end(): Promise<void> {
    this.#ended = true;
    await Promise.all(this.#callers);
  }

  async #call(first: number): Promise<void> {
    for (let turn = first; !this.#ended; turn += 1) {
      const [kind, send] = this.#kinds[turn % this.#kinds.length]!;
      const from = performance.now();
      const problem = await Promise.race([problemOf(send()), late()]);
      this.outcomes.push({ kind, from, problem });
      await pause(pauseMs);
    }
  }
}

const late = () => pause(patienceMs, 'no answer in time', { ref: false });

async function problemOf(sent: Promise<Answer>): Promise<string | undefined> {
  try {
    const { status, text } = await sent;
    return status < 300 ? undefined : `${status} ${text.slice(0, 200)}`;
  } catch (error) {
    return String(error);
  }
}

async function kindsOf(system: System, destination: Destination, canaries: Canaries, ledger: Ledger) {
  const api = apiOf(system);
  const { private_api_key: key } = system.dev;
  let last = 0;
  const next = () => (last += 1);
  const data = () => `${canaries.text}-${next()}`;
  const card = await api.token({ type: 'token', data: `${canaries.digits}4242` });
  ledger.counted.id = await api.token({ type: 'token', data: data() });
  const plain = await api.proxy(destination.url);
  const code =
    'module.exports = async (req) => ({ headers: req.args.headers, body: { ...req.args.body, added: 1 } })';
  const transformed = await api.proxy(destination.url, { request_transform: { code } });
  const versioned = (n: number) => ({
    name: `version ${n}`,
    destination_url: `${destination.url}/v${n}`,
    request_transform: {
      code: `module.exports = async (req) => ({ headers: req.args.headers, body: { card: req.args.body.card, version: ${n} } })`,
    },
  });
  const changed = await api.proxy(destination.url, versioned(0));
  ledger.version.id = changed.id;
  await api.manage('PUT', `/proxies/${changed.id}`, versioned(0));
  const sending = await createReactor(
    api,
    `({ args }) => new Promise((resolve, reject) => require('http')
      .request('${destination.url}/async', { method: 'POST', headers: { 'x-number': args.number } }, (answer) => {
        answer.resume().on('end', () => resolve({ raw: { number: args.number } }));
      }).on('error', reject).end())`,
  );
  await api.manage('POST', '/webhooks', {
    name: 'chaos',
    url: `${destination.url}/events`,
    events: ['token.created', 'reactor.completed'],
  });
  const through = (proxy: Json) => () =>
    api.invoke(proxy.key, 'POST', '', {
      headers: { 'X-Number': `request ${next()}` },
      body: { card: `{{ ${card} }}` },
    });
  return {
    proxied: through(plain),
    transformed: through(transformed),
    'through a proxy that changes': through(changed),
    'token created': async () => {
      const value = data();
      const answer = await api.send('POST', '/tokens', { key, body: { type: 'token', data: value } });
      if (answer.status === 201) ledger.tokens.set(answer.json.id, value);
      return answer;
    },
    'token updated': () => counted(api, key, ledger),
    tokenized: async () => {
      const value = data();
      const answer = await api.send('POST', '/tokenize', {
        key,
        body: { it: { type: 'token', data: value } },
      });
      if (answer.status === 200) ledger.tokens.set(answer.json.it.id, value);
      return answer;
    },
    asynchronous: async () => {
      const body = { args: { number: `async ${next()}` } };
      const answer = await api.send('POST', `/reactors/${sending.id}/react-async`, { key, body });
      if (answer.status === 202)
        ledger.accepted.add(`${sending.id}/results/${answer.json.asyncReactorRequestId}`);
      return answer;
    },
    'proxy created': async () => {
      const answer = await api.manage('POST', '/proxies', {
        name: 'chaos',
        destination_url: destination.url,
      });
      if (answer.status === 201) ledger.proxies.push({ id: answer.json.id, key: answer.json.key });
      return answer;
    },
    'proxy changed': async () => {
      const n = (ledger.version.sent += 1);
      const answer = await api.manage('PUT', `/proxies/${changed.id}`, versioned(n));
      if (answer.status === 200) ledger.version.acknowledged = Math.max(ledger.version.acknowledged, n);
      return answer;
    },
  };
}

async function counted(api: ReturnType<typeof apiOf>, key: string, { counted }: Ledger): Promise<Answer> {
  const count = (counted.sent += 1);
  const answer = await api.send('PATCH', `/tokens/${counted.id}`, {
    key,
    headers: { 'Content-Type': 'application/merge-patch+json' },
    body: JSON.stringify({ metadata: { count: String(count) } }),
  });
  if (answer.status === 200) counted.acknowledged = Math.max(counted.acknowledged, count);
  return answer;
}
