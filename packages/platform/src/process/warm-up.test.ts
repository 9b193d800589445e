import { expect } from 'chai';

import { createLogger } from '../telemetry/logger.ts';
import { startWarmUp } from './warm-up.ts';

const forever = 120_000;

describe('a warm-up', () => {
  let lines: string[];
  const logger = createLogger({
    service: 'test',
    level: 'info',
    destination: { write: (line) => void lines.push(line) },
  });
  const said = () => lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
  const untilReady = async (warmUp: { unreadyReason(): string | undefined }) => {
    while (warmUp.unreadyReason() !== undefined) await new Promise((resolve) => setTimeout(resolve, 1));
  };

  beforeEach(() => {
    lines = [];
  });

  it('keeps a process from being ready until it has ended', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const warmUp = startWarmUp({ limitMs: forever, logger, run: () => promise });
    expect(warmUp.unreadyReason()).to.equal('it is warming up');
    resolve();
    await untilReady(warmUp);
    expect(said()).to.deep.equal(['warmed up']);
  });

  it('that fails keeps no process from being ready', async () => {
    const run = () => Promise.reject(new Error('no'));
    await untilReady(startWarmUp({ limitMs: forever, logger, run }));
    expect(said()).to.deep.equal(['the warm-up failed: the first requests take longer']);
  });

  it('ends at its limit, whatever it does', async () => {
    await untilReady(startWarmUp({ limitMs: 1, logger, run: () => new Promise(() => undefined) }));
    expect(said()).to.deep.equal(['the warm-up ran out of time']);
  });

  it('ends without a word when the process is to end', async () => {
    const stop = new AbortController();
    const heard: unknown[] = [];
    const run = (signal: AbortSignal) =>
      new Promise<void>((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          heard.push('abort');
          reject(new Error('ended'));
        });
      });
    const stopped = startWarmUp({ limitMs: forever, logger, stopping: stop.signal, run });
    stop.abort();
    await untilReady(stopped);
    await startWarmUp({ limitMs: forever, logger, run })[Symbol.asyncDispose]();
    expect(heard).to.deep.equal(['abort', 'abort']);
    expect(said()).to.deep.equal([]);
  });

  it('does not take place with a limit of 0', async () => {
    const run = () => Promise.reject(new Error('it ran'));
    await using warmUp = startWarmUp({ limitMs: 0, logger, run });
    expect(warmUp.unreadyReason()).to.equal(undefined);
    expect(said()).to.deep.equal([]);
  });
});
