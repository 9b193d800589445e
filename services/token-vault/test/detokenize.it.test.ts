import { expect } from 'chai';

import { failureOf } from './harness/failure.ts';
import { Fixture, card } from './harness/fixture.ts';

describe('detokenizing', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await Fixture.start();
  });
  after(() => fixture[Symbol.asyncDispose]());

  it('gives whole data, and what filters make of it, in the order of the expressions', async () => {
    const { gateway, owner } = fixture;
    const id = await fixture.token();
    const plain = await fixture.token('a "string" \u{1f511}\n');
    const values = await gateway.use(owner, [
      id,
      ` ${id} | json: '$.number' | last4 `,
      `${id} | json: '$.expiration_month'`,
      `${id} | json: '$.expiration_month' | to_number`,
      plain,
      `token: ${id} | json: '$.type'`,
    ]);
    expect(values).to.deep.equal([card, '4242', '12', 12, 'a "string" \u{1f511}\n', 'card']);
  });

  it('keeps the JSON type of a whole value', async () => {
    const data = [0, -1.5, true, false, 'x', [1, [2]], { a: { b: [] } }, ''];
    const ids = await Promise.all(data.map((value) => fixture.token(value)));
    expect(await fixture.gateway.use(fixture.owner, ids)).to.deep.equal(data);
  });

  it('names every token that is unknown, in one 400, and gives nothing', async () => {
    const id = await fixture.token();
    const failure = await failureOf(fixture.gateway.use(fixture.owner, ['nope-1', id, 'nope-2']));
    expect(failure).to.include({
      code: 'invalid_argument',
      message: 'Failed to detokenize some tokens: nope-1, nope-2',
    });
  });

  it("takes another tenant's token for unknown", async () => {
    const id = await fixture.token();
    const failure = await failureOf(fixture.gateway.use(await fixture.foreigner(), [id]));
    expect(failure).to.include({
      code: 'invalid_argument',
      message: `Failed to detokenize some tokens: ${id}`,
    });
  });

  it('takes a deleted token for unknown at once', async () => {
    const { gateway, owner } = fixture;
    const id = await fixture.token();
    await gateway.use(owner, [id]);
    await gateway.delete(owner, id);
    expect((await failureOf(gateway.use(owner, [id]))).code).to.equal('invalid_argument');
    expect((await failureOf(gateway.get(owner, id))).code).to.equal('not_found');
    expect((await failureOf(gateway.delete(owner, id))).code).to.equal('not_found');
  });

  it('takes an expired token for unknown from the instant on, also when its row was cached', async () => {
    const { gateway, owner } = fixture;
    const expiresAt = Date.now() + 3000;
    const id = await fixture.token('soon gone', { expires_at: new Date(expiresAt).toISOString() });
    expect(await gateway.use(owner, [id])).to.deep.equal(['soon gone']);
    while (Date.now() < expiresAt)
      await new Promise((resolve) => setTimeout(resolve, expiresAt - Date.now()));
    expect((await failureOf(gateway.use(owner, [id]))).code).to.equal('invalid_argument');
    expect((await failureOf(gateway.get(owner, id))).code).to.equal('not_found');
  });

  it('takes 100 distinct tokens and refuses 101', async () => {
    const { gateway, owner } = fixture;
    const ids = await Promise.all(Array.from({ length: 101 }, (_, i) => fixture.token(i)));
    const hundred = ids.slice(0, 100);
    expect(await gateway.use(owner, [...hundred, ...hundred])).to.deep.equal([
      ...hundred.keys(),
      ...hundred.keys(),
    ]);
    expect(await failureOf(gateway.use(owner, ids))).to.include({
      code: 'invalid_argument',
      message: 'At most 100 tokens may be detokenized in one request.',
    });
  });

  it('refuses text that is no expression, without looking for a token', async () => {
    const { gateway, owner } = fixture;
    const id = await fixture.token();
    const bad = [
      '',
      ' ',
      '|',
      `${id} |`,
      `${id} | nope`,
      `${id} | json`,
      'a'.repeat(2000),
      '\0\0\0',
      'x\ud800yz',
    ];
    for (const expression of bad) {
      const failure = await failureOf(gateway.use(owner, [expression]));
      expect(failure.code, JSON.stringify(expression)).to.equal('invalid_argument');
    }
    const failure = await failureOf(gateway.use(owner, [`${id} | json: '$..*'`]));
    expect(failure.code).to.equal('invalid_argument');
  });

  it('answers calls of one frame each by its own outcome', async () => {
    const { gateway, owner } = fixture;
    const id = await fixture.token('mine');
    const foreigner = await fixture.foreigner();
    const outcomes = await Promise.allSettled([
      gateway.use(owner, [id]),
      gateway.use(foreigner, [id]),
      gateway.use({ ...owner, key: 'key_unknown' }, [id]),
      gateway.use(owner, ['nope']),
      gateway.use(owner, [`${id} | nope`]),
      gateway.get(owner, id),
      gateway.create(owner, { type: 'nope' }),
      gateway.use(owner, [id]),
    ]);
    expect(
      outcomes.map((outcome) =>
        outcome.status === 'fulfilled' ? 'ok' : (outcome.reason as { code: string }).code,
      ),
    ).to.deep.equal([
      'ok',
      'invalid_argument',
      'unauthenticated',
      'invalid_argument',
      'invalid_argument',
      'ok',
      'invalid_argument',
      'ok',
    ]);
  });

  it('refuses values that are too large for one answer', async () => {
    const { gateway, owner } = fixture;
    const id = await fixture.token('x'.repeat(900_000));
    const failure = await failureOf(
      gateway.use(
        owner,
        Array.from({ length: 20 }, () => id),
      ),
    );
    expect(failure.code).to.equal('too_large');
    expect(await gateway.use(owner, [`${id} | last4`])).to.deep.equal(['xxxx']);
  });

  it('refuses filters that are too long together, before it reads them', async () => {
    const { gateway, owner } = fixture;
    const id = await fixture.token('a');
    const filters = Array(15).fill("append: 'x'").join(' | ');
    const wish = (at: number) => `${id} | ${filters} | append: '${'x'.repeat(700)}${at}'`;
    const failure = await failureOf(
      gateway.use(
        owner,
        Array.from({ length: 300 }, (_, at) => wish(at)),
      ),
    );
    expect(failure).to.include({
      code: 'invalid_argument',
      message: 'The filters of a request may have at most 262144 characters together.',
    });
    expect(
      await gateway.use(
        owner,
        Array.from({ length: 250 }, (_, at) => wish(at)),
      ),
    ).to.have.length(250);
  });

  it('bounds the work of a whole request, however it is spread over expressions', async () => {
    const { gateway, owner } = fixture;
    const id = await fixture.token('a');
    const busy = `${id} | pad_left: 16384, 'b' | upcase | downcase | upcase | downcase | upcase | downcase | last4`;
    expect(await gateway.use(owner, [busy])).to.deep.equal(['bbba']);
    const before = process.cpuUsage();
    const failure = await failureOf(
      gateway.use(
        owner,
        Array.from({ length: 1000 }, () => busy),
      ),
    );
    expect(failure.code).to.equal('invalid_argument');
    // Of this process, in which the vault is: a busy machine makes it longer, and costs it nothing.
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).to.be.below(3000);
  });
});
