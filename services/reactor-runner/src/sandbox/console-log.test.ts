import { expect } from 'chai';

import type { LogEntry } from '../worker-protocol/outcome.ts';
import { ConsoleLog } from './console-log.ts';

const taken = (log: ConsoleLog) => JSON.parse(log.take()?.toString() ?? '[]') as LogEntry[];
const textsOf = (log: ConsoleLog) => taken(log).map(({ text }) => text);

describe('the log of an invocation', () => {
  it('holds what was written, in order, with its time and level', () => {
    const log = new ConsoleLog(100, 1000);
    const before = Date.now();
    log.add('info', 'one\n');
    log.add('error', 'two\nlines\n');
    log.add('info', 'no end');
    const entries = taken(log);
    expect(entries.map(({ level, text }) => [level, text])).to.deep.equal([
      ['info', 'one'],
      ['error', 'two\nlines'],
      ['info', 'no end'],
    ]);
    for (const { time } of entries) expect(time).to.be.within(before, Date.now());
  });

  it('is nothing when nothing was written, and empty once it was taken', () => {
    const log = new ConsoleLog(10, 1000);
    expect(log.take()).to.equal(undefined);
    log.add('info', 'x'.repeat(50));
    expect(textsOf(log)).to.have.length(2);
    expect(log.take()).to.equal(undefined);
    log.add('info', 'again');
    expect(textsOf(log)).to.deep.equal(['again']);
  });

  it('ends at its limit of characters, and says what was cut', () => {
    const log = new ConsoleLog(10, 1000);
    log.add('info', 'sixsix');
    log.add('info', '12345678');
    log.add('info', 'more');
    expect(textsOf(log)).to.deep.equal([
      'sixsix',
      '1234',
      '8 more characters were cut: an invocation may log 10 characters in 1000 lines.',
    ]);
  });

  it('ends at its limit of lines', () => {
    const log = new ConsoleLog(1_000_000, 1000);
    for (let i = 0; i < 5000; i += 1) log.add('info', '\n');
    const texts = textsOf(log);
    expect(texts).to.have.length(1001);
    expect(texts.at(-1)).to.match(/^4000 more characters were cut/);
  });

  it('shows the frames of user code and of Node.js, and none of the runner', () => {
    const log = new ConsoleLog(10_000, 1000);
    const frames = [
      'Error: at least',
      '    at inner (main.js:2:28)',
      '    at hostError (node:environment:9:17)',
      '    at node:environment:15:39',
      '    at Object.createHash (node:crypto:130:10)',
      '    at eval (eval at module.exports (main.js:3:8), <anonymous>:1:7)',
      '    at async succeedLater (node:internal/run:257:22)',
      '    at start (node:internal/run:287:30)',
    ];
    log.add('error', `${frames.join('\n')}\n`);
    expect(textsOf(log)).to.deep.equal([[0, 1, 4, 5].map((i) => frames[i]).join('\n')]);
  });
});
