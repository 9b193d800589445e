import { createLogger } from '@glovebox/platform/telemetry/logger';
import { expect } from 'chai';

import { type UserCodeFiles, prepareUserCodeFiles } from '../../src/node16/library/user-code-files.ts';
import { until } from '../until.ts';

describe('the library for user code that could not be fetched', () => {
  const lines: string[] = [];
  const logger = createLogger({
    service: 'reactor-runner',
    level: 'info',
    destination: { write: (line) => void lines.push(line) },
  });

  it('is fetched again until it is there, and meanwhile a note says what is missing and why', async () => {
    let attempts = 0;
    let isReachable = false;
    const prepare = async () => {
      attempts += 1;
      if (!isReachable) throw new Error('The registry is away.');
      return '/the/library.json';
    };
    const told: UserCodeFiles[] = [];
    await using prepared = await prepareUserCodeFiles(logger, {
      prepare,
      firstPauseMs: 5,
      longestPauseMs: 10,
    });
    prepared.onLibrary((files) => told.push(files));
    expect(prepared.files.libraryFile).to.equal(undefined);
    await until('it was tried several times', async () => attempts > 3);
    expect(prepared.note).to.match(/^The registry is away\. .*require fails.*tried again\.$/);
    expect(prepared.areWhole).to.equal(false);
    // One line, however often it is tried.
    expect(lines.filter((line) => line.includes('The registry is away'))).to.have.length(1);
    isReachable = true;
    await until('the library is there', async () => told.length > 0);
    expect(told).to.deep.equal([prepared.files]);
    expect(prepared.files.libraryFile).to.equal('/the/library.json');
    expect(prepared.note).to.equal(undefined);
    const last = attempts;
    await until('all is there', async () => prepared.areWhole, 300_000);
    expect(attempts).to.equal(last);
  });

  it('does not keep a runner from ending', async () => {
    const prepare = () => Promise.reject(new Error('The registry is away.'));
    const prepared = await prepareUserCodeFiles(logger, { prepare, firstPauseMs: 3_600_000 });
    await prepared[Symbol.asyncDispose]();
  });
});
