import { setTimeout as pause } from 'node:timers/promises';

import { anotherTenant } from '../../harness/another-tenant.ts';
import { type Answer, type Json, send } from '../../harness/api.ts';
import type { System } from '../../harness/system.ts';

const pauseMs = 150;
/** What waits for code that never ends is given up. */
const patienceMs = 5000;

/** A tenant that does what harms, all the time, one thing after the other. */
export interface Neighbour {
  /** Answers in which it was told what is not its own. */
  readonly told: readonly string[];
  readonly requests: number;
  end(): Promise<void>;
}

/** @param secrets of the others, which it must not see @param foreignToken an id of theirs */
export async function startNeighbour(
  system: System,
  secrets: readonly string[],
  foreignToken: string,
): Promise<Neighbour> {
  const base = system.dev.base_url;
  const { management_api_key: managementKey } = await anotherTenant(system, 'hostile neighbour');
  const make = async (path: string, body: object): Promise<Json> => {
    const answer = await send(base, 'POST', path, { key: managementKey, body });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
    return answer.json;
  };
  const permissions = ['create', 'read', 'update', 'search', 'use'].map((verb) => `token:${verb}`);
  const { key } = await make('/applications', { name: 'hostile', type: 'private', permissions });
  const reactor = async (code: string): Promise<string> => {
    const formula = await make('/reactor-formulas', { name: 'hostile', type: 'private', code });
    return (await make('/reactors', { name: 'hostile', configuration: {}, formula: { id: formula.id } })).id;
  };
  const [loops, grows, state] = await Promise.all(
    [
      'module.exports = async () => { for (;;) {} };',
      'module.exports = async () => { const all = []; for (;;) all.push(new Array(1e5).fill(all.length)); };',
      `module.exports = async (req) => { globalThis.seen = (globalThis.seen ?? '') + JSON.stringify(req.args); return { raw: globalThis.seen.slice(-1000) }; };`,
    ].map(reactor),
  );
  const dead = await make('/proxies', { name: 'dead', destination_url: 'http://localhost:9' });
  const react = (id: string | undefined) =>
    send(base, 'POST', `/reactors/${id}/react`, { key, body: { args: {} } });
  const deeds: readonly (() => Promise<Answer>)[] = [
    () => react(loops),
    () => react(grows),
    () => react(state),
    () => send(base, 'GET', `/tokens/${foreignToken}`, { key }),
    () => send(base, 'POST', '/detokenize', { key, body: { it: `{{ ${foreignToken} }}` } }),
    () => send(base, 'GET', '/tokens?size=100', { key }),
    () =>
      send(base, 'POST', '/proxy', {
        key,
        headers: { 'SVC-PROXY-KEY': dead.key },
        body: { it: `{{ ${foreignToken} }}` },
      }),
    () => send(base, 'POST', '/tokens', { key, body: { type: 'token', data: 'x'.repeat(200_000) } }),
    () => send(base, 'POST', '/tokenize', { key, body: `${'['.repeat(5000)}${']'.repeat(5000)}` }),
    () => send(base, 'POST', '/tokens/search', { key, body: { query: 'a'.repeat(5000) } }),
    () => send(base, 'GET', '/logs', { key: managementKey }),
  ];
  const end = new AbortController();
  let requests = 0;
  const told: string[] = [];
  const callers = [0, 4].map(async (first) => {
    for (let turn = first; !end.signal.aborted; turn += 1) {
      const answer = await Promise.race([deeds[turn % deeds.length]!().catch(String), pause(patienceMs, '')]);
      requests += 1;
      const text = typeof answer === 'string' ? answer : answer.text;
      const secret = secrets.find((one) => text.includes(one));
      if (secret !== undefined) told.push(`${secret} in ${text.slice(0, 200)}`);
      await pause(pauseMs);
    }
  });
  return {
    told,
    get requests() {
      return requests;
    },
    async end() {
      end.abort();
      await Promise.all(callers);
    },
  };
}
