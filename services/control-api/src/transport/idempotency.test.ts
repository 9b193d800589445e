import { expect } from 'chai';

import type { Call } from '../http/call.ts';
import type { SharedDependencies } from '../operations/dependencies.ts';
import { type PerformOnce, type Transactional, performer } from './idempotency.ts';
import type { Route } from './routes.ts';

describe('an operation with an idempotency key', () => {
  const usual = { postgres: { forTenant: () => ({}) } } as unknown as SharedDependencies;
  const within = { postgres: {}, changes: {} } as Transactional;
  const performOnce: PerformOnce = async (_, work) => ({ reply: await work(within), replayed: false });

  it('is done over the transaction of its key', async () => {
    const done: string[] = [];
    const create: Route = {
      method: 'post',
      path: '/known',
      permission: 'any-key',
      body: 'json',
      operation: async ({ postgres, changes }) => {
        const isWithin = postgres === within.postgres && changes === within.changes;
        done.push(isWithin ? 'within' : 'outside');
        return { status: 201 };
      },
    };
    const perform = performer(usual, performOnce);
    const run = (key?: string) =>
      perform(
        create,
        { principal: {}, warnings: { texts: [] as string[] } } as unknown as Call,
        key,
        '/known',
      );
    expect((await run('k')).reply.status).to.equal(201);
    expect(done).to.deep.equal(['within']);
    expect((await run()).reply.status).to.equal(201);
    expect(done).to.deep.equal(['within', 'outside']);
  });
});
