import { expect } from 'chai';

import { failureOf } from './harness/failure.ts';
import { Fixture } from './harness/fixture.ts';

describe('the limits of tokens', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await Fixture.start({
      MAX_TOKEN_DATA_BYTES: '20',
      MAX_MASK_BYTES: '20',
      MAX_METADATA_ENTRIES: '1',
      MAX_METADATA_NAME_LENGTH: '3',
      MAX_METADATA_VALUE_LENGTH: '2',
      MAX_SEARCH_INDEXES: '1',
      MAX_TOKENS_PER_TOKENIZE: '2',
    });
  });
  after(() => fixture[Symbol.asyncDispose]());

  const small = { type: 'token', data: 'x', mask: 'X', metadata: { a: '1' } };
  const large = { data: 'x'.repeat(19), mask: 'X'.repeat(19), metadata: { a: '1', b: '2' } };
  const problems = {
    data: ['must not be larger than 20 bytes of JSON'],
    mask: ['must not be larger than 20 bytes'],
    metadata: ['must not have more than 1 entries'],
  };

  it('hold for search indexes, and for names and values in metadata', async () => {
    const id = await fixture.token('x', small);
    const sent = (metadata: object) => ({
      data: 'x',
      metadata,
      search_indexes: ['{{ data }}', '{{ data | upcase }}'],
    });
    for (const [metadata, path, problem] of [
      [{ name: '1' }, 'metadata.name', 'must have a name of 1 to 3 characters'],
      [{ a: '123' }, 'metadata.a', 'must not be longer than 2 characters'],
    ] as const) {
      const expected = {
        [path]: [problem],
        search_indexes: ['must not hold more than 1 expressions'],
      };
      for (const request of [
        () => fixture.gateway.create(fixture.owner, { type: 'token', ...sent(metadata) }),
        () => fixture.gateway.update(fixture.owner, id, sent({ a: null, ...metadata })),
      ])
        expect((await failureOf(request())).errors).to.deep.equal(expected);
    }
  });

  it('are those of the settings, when a token is made, changed or asked for among others', async () => {
    const id = await fixture.token('x', small);
    for (const request of [
      () => fixture.gateway.create(fixture.owner, { ...small, ...large }),
      () => fixture.gateway.update(fixture.owner, id, large),
      () => fixture.gateway.tokenize(fixture.owner, { ...small, ...large }),
    ]) {
      const { errors } = await failureOf(request());
      expect(errors).to.deep.equal(problems);
    }
    expect(await fixture.gateway.tokenize(fixture.owner, ['a', 'b'])).to.have.length(2);
    const { message } = await failureOf(fixture.gateway.tokenize(fixture.owner, ['a', 'b', 'c']));
    expect(message).to.equal('At most 2 values can be tokenized in one request.');
  });
});
