import { expect } from 'chai';

import { type Answer, Api } from './api.ts';

/** Answers with one status after the other, and asks for no pause. */
class Answers extends Api {
  readonly statuses: number[];

  constructor(statuses: readonly number[]) {
    super('http://localhost', 'key');
    this.statuses = [...statuses];
  }

  override exchange(): Promise<Answer> {
    const status = this.statuses.shift() ?? 500;
    const json = status === 409 ? { detail: 'A request with this idempotency key is being processed.' } : {};
    return Promise.resolve({ status, headers: new Headers({ 'Retry-After': '0' }), text: '', json });
  }
}

describe('a request of the command line', () => {
  const create = (statuses: readonly number[], idempotencyKey?: string) => {
    const api = new Answers(statuses);
    const sent = idempotencyKey === undefined ? {} : { idempotencyKey };
    return api.send('POST', '/proxies', sent).then(
      ({ status }) => [status, api.statuses.length],
      ({ status }: { status: number }) => [status, api.statuses.length],
    );
  };

  it('waits for another run that does the same, for as long as it takes', async () => {
    expect(await create([...Array.from({ length: 20 }, () => 409), 201], 'key')).to.deep.equal([201, 0]);
  });

  it('is repeated a few times after a failure that passes, if that is safe', async () => {
    expect(await create([503, 503, 503, 201], 'key')).to.deep.equal([201, 0]);
    expect(await create([503, 503, 503, 503, 201], 'key')).to.deep.equal([503, 1]);
    expect(await create([503, 201])).to.deep.equal([503, 1]);
    expect(await create([400, 201], 'key')).to.deep.equal([400, 1]);
  });
});
