import { expect } from 'chai';

import { apiOf } from '../harness/api.ts';
import { type HostileCase } from '../harness/hostile/cases.ts';
import { type Judgement, ask, complaint } from '../harness/hostile/client.ts';
import { type HostileDestination, startHostileDestination } from '../harness/hostile/destination.ts';
import { fuzzedCases } from '../harness/hostile/fuzzed.ts';
import { livesOn } from '../harness/hostile/lives-on.ts';
import { tableOfCases } from '../harness/hostile/table.ts';
import { type System, sharedSystem } from '../harness/system.ts';

/** Each has a destination and proxies of its own, and makes one request at a time. */
const laneCount = 6;
/** Beside those that are written down; HOSTILE_CASES makes more of them. */
const fuzzed = Number(process.env['HOSTILE_CASES'] ?? 800);
const cases: readonly HostileCase[] = [...tableOfCases(), ...fuzzedCases(fuzzed)];

interface Lane extends AsyncDisposable {
  readonly destination: HostileDestination;
  /** Sends a request for a path of the destination. */
  readonly plain: (path: string) => string;
  readonly surfaces: readonly Surface[];
}

interface Surface {
  readonly name: string;
  /** It meets one in so many of the cases. */
  readonly oneIn: number;
  readonly judgement: Judgement;
  readonly request: (path: string) => string;
}

const code = (side: string) => ({
  [`${side}_transform`]: { code: 'module.exports = async ({ args }) => args' },
});
const post = (type: string, body: string) =>
  `Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

async function startLane(system: System): Promise<Lane> {
  const api = apiOf(system);
  const destination = await startHostileDestination(cases);
  const [plainKey, requestKey, responseKey] = await Promise.all(
    [{}, code('request'), code('response')].map(async (more) => {
      const { key } = await api.proxy(destination.url, more);
      return key as string;
    }),
  );
  const head = (method: string, path: string, more: string) =>
    `${method} /proxy${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n` +
    `SVC-API-KEY: ${system.dev.private_api_key}\r\n${more}\r\n`;
  const plain = (path: string) => head('GET', path, `SVC-PROXY-KEY: ${plainKey}\r\n`);
  const posted = (key: string | undefined, type: string, body: string) => (path: string) =>
    head('POST', path, `SVC-PROXY-KEY: ${key}`) + post(type, body);
  return {
    destination,
    plain,
    surfaces: [
      { name: 'plain', oneIn: 1, judgement: 'exact', request: plain },
      {
        name: 'ephemeral',
        oneIn: 10,
        judgement: 'exact',
        request: (path) => head('GET', '', `SVC-PROXY-URL: ${destination.url}${path}\r\n`),
      },
      {
        name: 'request transform',
        oneIn: 10,
        judgement: 'exact',
        request: posted(requestKey, 'application/json', '{"a":1}'),
      },
      {
        name: 'response transform',
        oneIn: 10,
        judgement: 'lenient',
        request: (path) => head('GET', path, `SVC-PROXY-KEY: ${responseKey}\r\n`),
      },
      {
        name: 'answered before it is read',
        oneIn: 10,
        judgement: 'lenient',
        request: posted(plainKey, 'application/octet-stream', 'x'.repeat(300_000)),
      },
    ],
    [Symbol.asyncDispose]: () => destination[Symbol.asyncDispose](),
  };
}

/** The next request to the same destination: it gets its own answer, or an error where a connection was left broken behind. */
async function expectFine(gateway: string, { plain }: Lane, word: string): Promise<void> {
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const { ending, status, body } = await ask(gateway, plain(`/echo/${word}`));
    if (ending === 'raw' && body === word) return;
    if (ending !== 'error' || status !== 502) throw new Error(`the next request got ${status} ${body}`);
  }
  throw new Error('the next requests fail');
}

describe('a hostile destination', () => {
  it('ends and stalls nothing of the gateway, whatever it answers', async function () {
    this.timeout(300_000);
    const system = await sharedSystem();
    const gateway = system.dev.service_urls['proxy-gateway'];
    const lives = livesOn(system);
    const startedAt = performance.now();
    await using lanes = new AsyncDisposableStack();
    const work = cases.map((one, index) => ({ one, index })).values();
    const complaints: string[] = [];
    let count = 0;
    const run = async (lane: Lane) => {
      for (const { one, index } of work) {
        for (const { name, oneIn, request, judgement } of lane.surfaces) {
          if ((index + Math.floor(index / 97)) % oneIn > 0) continue;
          count += 1;
          try {
            const wrong = complaint(one, await ask(gateway, request(`/case/${index}`)), judgement);
            if (wrong !== undefined) complaints.push(`${name}: ${one.name} ${wrong}`);
            await expectFine(gateway, lane, `word${index}${count}`);
          } catch (error) {
            complaints.push(`${name}: ${one.name}: ${(error as Error).message}`);
          }
        }
        if (complaints.length > 200) return;
      }
    };
    await Promise.all(Array.from({ length: laneCount }, async () => run(lanes.use(await startLane(system)))));
    lives.expect();
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    process.stdout.write(`      ${count} cases in ${seconds} s\n`);
    expect(complaints.slice(0, 50)).to.deep.equal([]);
    expect(count).to.be.at.least(4500);
  });
});
