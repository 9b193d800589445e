import { expect } from 'chai';

import { AppError } from '../errors/app-error.ts';
import { type Logger, createLineWriter, createLogger } from './logger.ts';

describe('logger', () => {
  let lines: Record<string, unknown>[];
  let logger: Logger;
  beforeEach(() => {
    lines = [];
    const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
    logger = createLogger({ service: 'test', level: 'info', destination });
  });

  it('writes level, time, service, fields and message', () => {
    const before = Date.now();
    logger.info({ port: 1 }, 'listening');
    const [{ time, ...rest } = {}] = lines;
    expect(rest).to.deep.equal({ level: 'info', service: 'test', port: 1, msg: 'listening' });
    expect(time).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Date.parse(time as string)).to.be.within(before, Date.now());
  });

  it('removes what could be a secret, in a line, one level deep in it, and in what a child adds', () => {
    logger.info({ apiKey: 'canary', request: { headers: 'canary', id: 1 }, ids: [1], none: null }, 'request');
    logger.child({ token: 'canary' }).info({ id: 2 });
    expect(JSON.stringify(lines)).to.not.contain('canary');
    expect(lines[0]).to.include({ apiKey: '[redacted]', none: null });
    expect(lines[0]?.['request']).to.deep.equal({ headers: '[redacted]', id: 1 });
    expect(lines[0]?.['ids']).to.deep.equal([1]);
    expect(lines[1]).to.include({ token: '[redacted]', id: 2 });
  });

  it('has lines from ready fields, which look like any other', () => {
    logger.info({ route: '/x', status: 200 }, 'request');
    const write = createLineWriter(logger, 'request');
    write('"route":"/x","status":200');
    logger.level = 'warn';
    write('"route":"/x","status":500');
    expect(lines).to.have.length(2);
    expect(Object.keys(lines[1] ?? {})).to.deep.equal(Object.keys(lines[0] ?? {}));
    expect({ ...lines[1], time: '' }).to.deep.equal({ ...lines[0], time: '' });
  });

  it('leaves what it is given as it is', () => {
    const line = { request: { headers: 'here' } };
    logger.info(line);
    expect(line).to.deep.equal({ request: { headers: 'here' } });
  });

  it('shows of an error its code, message and causes, and nothing that a driver attached', () => {
    const cause = Object.assign(new Error('connection lost'), { code: 'ECONNRESET', detail: 'canary' });
    logger.error({ err: new AppError('unavailable', 'Try again.', { cause }) });
    expect(JSON.stringify(lines)).to.not.contain('canary');
    expect(lines[0]?.['err']).to.deep.include({
      type: 'AppError',
      code: 'unavailable',
      message: 'Try again.',
    });
    const logged = lines[0]?.['err'] as { cause: object };
    expect(logged.cause).to.include({ type: 'Error', code: 'ECONNRESET', message: 'connection lost' });
  });
});
