import { createServer } from 'node:tls';

import { createCertificateAuthority } from '@glovebox/local/certificate-authority';
import { expect } from 'chai';

import { type HostileCase, rightAnswers } from '../harness/hostile/cases.ts';
import { startHostileDestination } from '../harness/hostile/destination.ts';
import { fuzzedCases } from '../harness/hostile/fuzzed.ts';
import { livesOn } from '../harness/hostile/lives-on.ts';
import { tableOfCases } from '../harness/hostile/table.ts';
import { reactorStory } from '../harness/reactor-story.ts';
import { sharedSystem } from '../harness/system.ts';

const atOnce = 4;
const perRun = 20;
/** Every so many of those that are written down, and others. */
const cases: readonly HostileCase[] = [
  ...tableOfCases().filter((_, index) => index % 5 === 0),
  ...fuzzedCases(200),
];

/** Makes a request for each case, and one after it that has to be right; tells how each of the first ended. */
const code = `async ({ args: { url, cases, ca } }) => {
  const client = require(url.split(':')[0]);
  const agent = new client.Agent({ ca });
  const get = (path) => new Promise((resolve) => {
    const request = client.get(url + path, { agent }, (response) => {
      let body = '';
      response.setEncoding('latin1');
      response.on('data', (chunk) => { body += chunk; });
      response.on('end', () => resolve(['raw', response.statusCode, body]));
      response.on('aborted', () => resolve(['cut']));
      response.on('error', () => resolve(['cut']));
    });
    request.setTimeout(5000, () => { resolve(['hangs']); request.destroy(); });
    request.on('error', (error) => resolve(['error', error.code]));
    request.on('close', () => setTimeout(() => resolve(['closed']), 100));
  });
  const ended = {};
  for (const index of cases.split(',')) {
    ended[index] = await get('/case/' + index);
    const [ending, status, body] = await get('/echo/word' + index);
    if (ending !== 'raw' || status !== 200 || body !== 'word' + index) ended[index] = ['next', ending, status, body];
  }
  return { raw: { ended } };
}`;

type Told = readonly [ending: string, ...rest: unknown[]];

describe('a hostile destination of user code', () => {
  const story = reactorStory();

  for (const protocol of ['http', 'https']) {
    it(`ends no run but its own, by ${protocol}`, async function () {
      this.timeout(120_000);
      const authority = await createCertificateAuthority('hostile');
      const notAfter = new Date(Date.now() + 86_400_000);
      const own = await authority.issue({ uris: [], hosts: ['localhost'], notAfter });
      const overTls = (serve: Parameters<typeof createServer>[1]) => createServer(own, serve);
      await using destination = await startHostileDestination(
        cases,
        protocol === 'https' ? overTls : undefined,
      );
      const url = destination.url.replace('http:', `${protocol}:`);
      const lives = livesOn(await sharedSystem());
      const parameters = { url: 'string', cases: 'string', ca: 'string' };
      const reactor = await story.reactor(code, { parameters });
      const chosen = cases.map((_, index) => index).filter((index) => protocol === 'http' || index % 4 === 0);
      const runs = Array.from({ length: Math.ceil(chosen.length / perRun) }, (_, run) =>
        chosen.slice(run * perRun, (run + 1) * perRun),
      ).values();
      const startedAt = performance.now();
      const complaints: string[] = [];
      const lane = async () => {
        for (const run of runs) {
          const answer = await story.react(reactor, { url, cases: run.join(), ca: authority.cert });
          expect(answer.status, answer.text).to.equal(200);
          const { ended } = answer.json.raw as { ended: Record<string, Told> };
          expect(Object.keys(ended).map(Number)).to.deep.equal(run);
          for (const index of run) {
            const told = ended[index] as Told;
            const { name, answer } = cases[index] as HostileCase;
            const isFine = rightAnswers.some((right) => right === answer)
              ? told.join() === `raw,${answer?.status},${answer?.body}`
              : ['raw', 'error', 'cut'].includes(told[0]);
            if (!isFine) complaints.push(`${name}: ${JSON.stringify(told)}`);
          }
        }
      };
      await Promise.all(Array.from({ length: atOnce }, lane));
      lives.expect();
      const seconds = Math.round((performance.now() - startedAt) / 1000);
      process.stdout.write(`      ${chosen.length} cases in ${seconds} s\n`);
      expect(complaints).to.deep.equal([]);
    });
  }
});
