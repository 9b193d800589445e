import { expect } from 'chai';

import { apiOf } from '../harness/api.ts';
import { sharedSystem } from '../harness/system.ts';

describe('POST /detokenize', () => {
  let api: ReturnType<typeof apiOf>;
  let key: string;
  before(async () => {
    const system = await sharedSystem();
    api = apiOf(system);
    key = system.dev.private_api_key;
  });

  const detokenize = (body: unknown, as = key) => api.send('POST', '/detokenize', { key: as, body });

  it('gives back the structure with the values in their places', async () => {
    const data = { number: '4242424242424242', expiration_month: 12, expiration_year: 2030 };
    const card = await api.token({ type: 'card', data, metadata: { customer: 'c-9' } });
    const first = await api.token({ type: 'token', data: 'John' });
    const last = await api.token({ type: 'token', data: 'Brown' });
    const answer = await detokenize({
      card: `{{ ${card} }}`,
      pan: `{{${card} | json: "$.number"}}`,
      month: `{{ ${card} | json: '$.expiration_month' }}`,
      monthAsNumber: `{{ ${card} | json: '$.expiration_month' | to_number }}`,
      name: [`{{${first}}} {{${last}}}`],
      customer: `{{ token: ${card} | json: '$.metadata.customer' }}`,
      missing: `{{ ${card} | json: '$.nope' }}`,
      plain: ['text', 5, true, null],
    });
    expect(answer.status).to.equal(200);
    expect(answer.json).to.deep.equal({
      card: data,
      pan: data.number,
      month: '12',
      monthAsNumber: 12,
      name: ['John Brown'],
      customer: 'c-9',
      missing: null,
      plain: ['text', 5, true, null],
    });
    expect((await detokenize(`"{{ ${first} }}"`)).json).to.equal('John');
    expect((await detokenize(`\uFEFF["{{ ${first} }}"]`)).json).to.deep.equal(['John']);
    expect((await detokenize({ nothing: 'to do' })).json).to.deep.equal({ nothing: 'to do' });
  });

  it('undoes what tokenize did', async () => {
    const body = { holder: 'Ann', list: ['a', 1, false, { deep: 'x' }] };
    const tokenized = await api.send('POST', '/tokenize', { key, body });
    const expressions = JSON.stringify(tokenized.json).replaceAll(/"([0-9a-f-]{36})"/g, '"{{ $1 }}"');
    expect((await detokenize(expressions)).json).to.deep.equal(body);
  });

  it('refuses what it cannot do, and gives nothing then', async () => {
    const id = await api.token({ type: 'token', data: 'value' });
    const unknown = await detokenize({ a: `{{ ${id} }}`, b: '{{ no-such-token }}' });
    expect(unknown.json).to.deep.include({
      status: 400,
      detail: 'Failed to detokenize some tokens: no-such-token',
    });
    expect(unknown.text).to.not.include('value');
    expect((await detokenize({ a: `{{ ${id} | to_number }}` })).status).to.equal(400);
    expect((await detokenize({ a: '{{ never closed' })).status).to.equal(400);
    expect((await detokenize('{"cut off"')).status).to.equal(400);
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`k${i}`, `{{ unknown-${i} }}`]));
    expect((await detokenize(many)).json.detail).to.match(/At most 100 tokens/);
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await api.send('POST', '/detokenize/', { key, body: 'a=b', headers: form })).status).to.equal(
      415,
    );
  });

  it('asks for a rule that reveals: who sees a token masked does not get it here', async () => {
    const id = await api.token({ type: 'card', data: { number: '4242424242424242' } });
    const { key: masked } = await api.application({
      name: 'masked',
      type: 'private',
      permissions: ['token:read'],
    });
    const refused = await detokenize(`"{{ ${id} }}"`, masked);
    expect(refused.status).to.equal(403);
    expect(refused.text).to.not.include('424242');
    const { key: user } = await api.application({
      name: 'user',
      type: 'private',
      permissions: ['token:use'],
    });
    expect((await detokenize({}, user)).status).to.equal(403);
  });
});
