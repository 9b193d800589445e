import { expect } from 'chai';

import type { Call } from '../http/call.ts';
import type { Held, PerformOnce } from './idempotency.ts';
import { type Operation, operation } from './operation.ts';
import { performer } from './perform.ts';

describe('an operation with an idempotency key', () => {
  const held = {} as Held;
  const performOnce: PerformOnce = async (_, work) => ({ reply: await work(held), replayed: false });
  const create = (path: string, done: string[], name: string): Operation =>
    operation('post', path, 'any-key', async () => {
      done.push(name);
      return { status: 201 };
    });

  it('is done over the transaction of its key, or not at all', async () => {
    const done: string[] = [];
    const perform = performer(performOnce, () => [create('/known', done, 'within')]);
    const run = (path: string, key?: string) =>
      perform(
        create(path, done, 'outside'),
        { warnings: { texts: [] as string[] } } as unknown as Call,
        key,
        path,
      ).then(
        ({ reply }) => reply.status,
        (error: Error) => error.message,
      );
    expect(await run('/known', 'k')).to.equal(201);
    expect(await run('/missed', 'k')).to.equal('no post /missed over the transaction of a key');
    expect(done).to.deep.equal(['within']);
    expect(await run('/missed')).to.equal(201);
    expect(done).to.deep.equal(['within', 'outside']);
  });
});
