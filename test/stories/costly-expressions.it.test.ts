import { readFileSync } from 'node:fs';

import { expect } from 'chai';

import { type System, sharedSystem } from '../harness/system.ts';
import { expectProblem, transformStory } from '../harness/transform-story.ts';

const size = 60_000;
/** A pattern that nearly matches at every place of a text of one letter, so that a naive search does the product of both. */
const nearMiss = (length: number) => `b${'a'.repeat(length - 1)}`;
/** Milliseconds of CPU: more than ten times what such a request takes. */
const mostCpuMs = 1000;

/** A small request that has the vault search large texts holds up the requests of all tenants. */
describe('expressions that are costly to evaluate', () => {
  const story = transformStory();
  let system: System;
  let id: string;
  before(async () => {
    system = await sharedSystem();
    id = await story.api.token({ type: 'token', data: 'a'.repeat(size) });
  });

  /** CPU time of the vault so far: proc(5), the 14th and 15th field of /proc/pid/stat in ticks of 10 ms. */
  const vaultCpuMs = () => {
    const { pid } = system.dev.processes.find(({ name }) => name === 'token-vault')!;
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return 10 * (Number(fields[11]) + Number(fields[12]));
  };
  const withinBudget = async <T>(ask: () => Promise<T>): Promise<T> => {
    const before = vaultCpuMs();
    const answer = await ask();
    expect(vaultCpuMs() - before).to.be.lessThan(mostCpuMs);
    return answer;
  };

  it('are bounded in a body of 8 KB for /detokenize', async () => {
    const detokenize = (count: number) => {
      const expression = (at: number) => `{{ ${id} | replace_last: '${nearMiss(900)}', '${at}' | size }}`;
      const body = Array.from({ length: count }, (_, at) => expression(at));
      return withinBudget(() => story.api.send('POST', '/detokenize', { key: story.key, body }));
    };
    expect((await detokenize(3)).json).to.deep.equal([size, size, size]);
    const refused = await detokenize(8);
    expect(refused.status).to.equal(400);
    expect(refused.json.detail).to.equal('The expression takes too much work.');
  });

  it('are bounded where a header of the proxied request is the pattern', async () => {
    const proxy = await story.api.proxy(story.destination.url);
    const post = (pattern: string, count: number) => {
      const use = (at: number) =>
        `{{ ${id} | replace_last: proxy.request.headers.X-Pattern, '${at}' | size }}`;
      const body = [
        '{{ proxy.request.headers.X-Pattern | size }}',
        ...Array.from({ length: count }, (_, at) => use(at)),
      ];
      return withinBudget(() => story.post(proxy, { body, headers: { 'X-Pattern': pattern } }));
    };
    await post(nearMiss(4000), 2);
    expect(story.onlyJson()).to.deep.equal([4000, size, size]);
    expectProblem(await post(nearMiss(4000), 50), 400, /takes too much work/);
    expectProblem(await post(nearMiss(5000), 1), 400, /is longer than 4096 characters/);
    expect(story.destination.received).to.have.length(1);
  });
});
