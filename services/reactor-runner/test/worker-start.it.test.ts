import { expect } from 'chai';

import { Compiler } from '../src/scheduling/compiler.ts';
import { WorkerProcess } from '../src/worker-process/worker-process.ts';
import { isRunning, workersOf } from './processes.ts';
import { limits } from './worker-limits.ts';

describe('a worker process that can not start', () => {
  it('ends at once and says why', async () => {
    const events = { progress: () => {}, held: () => {}, exit: () => {} };
    const startedAt = performance.now();
    const [outcome] = await Promise.allSettled([
      WorkerProcess.start({ ...limits, libraryFile: '/nowhere/library.json' }, 0, events),
    ]);
    expect(outcome.status).to.equal('rejected');
    expect((outcome as PromiseRejectedResult).reason.message).to.contain('/nowhere/library.json');
    expect(performance.now() - startedAt).to.be.lessThan(limits.startMs / 2);
  });
});

describe('a process for compiling that does not start in time', () => {
  it('makes room for another one, which its own end does not make forgotten', async () => {
    const before = new Set(workersOf(process.pid));
    const own = { ...limits, startMs: 1 };
    await using compiler = new Compiler(own);
    const compile = () => compiler.compile('a tenant', 'module.exports = () => 1;', Date.now() + 60_000);
    const [late] = await Promise.allSettled([compile()]);
    expect(late.status).to.equal('rejected');
    own.startMs = limits.startMs;
    expect((await compile()).kind).to.equal('returned');
    expect((await compile()).kind).to.equal('returned');
    const started = workersOf(process.pid).filter((pid) => !before.has(pid));
    expect(started).to.have.length(1);
    await compiler[Symbol.asyncDispose]();
    expect(started.filter(isRunning)).to.deep.equal([]);
  });
});

describe('the queue of code that is to be compiled', () => {
  it('has tenants take turns, and refuses what is too much of one', async () => {
    await using compiler = new Compiler(limits);
    const done: string[] = [];
    const compile = async (tenantId: string) => {
      const { kind } = await compiler.compile(tenantId, 'module.exports = () => 1;', Date.now() + 60_000);
      done.push(tenantId);
      return kind;
    };
    const much = Array.from({ length: 100 }, () => compile('much'));
    const refused = await compile('much').catch((error: { code: string }) => error.code);
    expect(refused).to.equal('unavailable');
    const little = [compile('little'), compile('little')];
    expect(await Promise.all([...much, ...little])).to.deep.equal(Array(102).fill('returned'));
    expect(done.slice(0, 6).filter((tenantId) => tenantId === 'little')).to.have.length(2);
  });
});
