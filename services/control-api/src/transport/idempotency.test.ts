import { expect } from 'chai';

import type { Call } from '../http/call.ts';
import type { SharedDependencies } from '../operations/dependencies.ts';
import { type RunIdempotently, type Transactional, createRouteExecutor } from './idempotency.ts';
import type { Route } from './route.ts';

describe('an operation with an idempotency key', () => {
  const usual = { postgres: { forTenant: () => ({}) } } as unknown as SharedDependencies;
  const transaction = { postgres: {}, changes: {} } as Transactional;
  const runIdempotently: RunIdempotently = async (_, work) => ({
    reply: await work(transaction),
    replayed: false,
  });

  it('runs in the transaction that stores its answer', async () => {
    const done: string[] = [];
    const create: Route = {
      method: 'post',
      path: '/known',
      permission: 'any-key',
      body: 'json',
      operation: async ({ postgres, changes }) => {
        const isInTransaction = postgres === transaction.postgres && changes === transaction.changes;
        done.push(isInTransaction ? 'in the transaction' : 'outside it');
        return { status: 201 };
      },
    };
    const execute = createRouteExecutor(usual, runIdempotently);
    const run = (key?: string) =>
      execute(
        create,
        { principal: {}, warnings: { texts: [] as string[] } } as unknown as Call,
        key,
        '/known',
      );
    expect((await run('k')).reply.status).to.equal(201);
    expect(done).to.deep.equal(['in the transaction']);
    expect((await run()).reply.status).to.equal(201);
    expect(done).to.deep.equal(['in the transaction', 'outside it']);
  });
});
