import { readOpenApiDocument } from '@glovebox/openapi/document';
import { expect } from 'chai';

import { type Json, apiOf } from '../harness/api.ts';
import { type Destination, startDestination } from '../harness/destination.ts';
import { type System, sharedSystem } from '../harness/system.ts';

const number = '4242424242424242';
const card = { number, expiration_month: 12, expiration_year: 2030 };

/** The examples of contract/examples.md#worked-examples and the data of 9.2, from end to end. */
describe('the worked examples', () => {
  let system: System;
  let api: ReturnType<typeof apiOf>;
  let destination: Destination;
  before(async () => {
    system = await sharedSystem();
    api = apiOf(system);
    destination = await startDestination();
  });
  after(() => destination[Symbol.asyncDispose]());

  const create = (body: object, key = system.dev.private_api_key) =>
    api.send('POST', '/tokens', { key, body });

  it('a card by who may only create is answered masked, and revealed to who may read it revealed', async () => {
    const creator = await api.application({ name: 'c', type: 'private', permissions: ['token:create'] });
    const body = { type: 'card', data: { ...card, cvc: '123' }, metadata: { customer: 'c-9' } };
    const { status, json } = await create(body, creator.key);
    expect(status).to.equal(201);
    expect(json).to.deep.include({
      tenant_id: system.dev.tenant_id,
      type: 'card',
      data: { number: 'XXXXXXXXXXXX4242', expiration_month: 12, expiration_year: 2030 },
      mask: {
        number: '{{ data.number | reveal_last: 4 }}',
        expiration_month: '{{ data.expiration_month }}',
        expiration_year: '{{ data.expiration_year }}',
      },
      fingerprint_expression: '{{ data.number }}',
      containers: ['/pci/high/'],
      metadata: { customer: 'c-9' },
      search_indexes: [],
      created_by: creator.id,
    });
    expect(json).to.not.have.any.keys('modified_by', 'modified_at', 'expires_at');
    const read = await api.send('GET', `/tokens/${json.id}`, { key: system.dev.private_api_key });
    expect(read.json.data).to.deep.equal({ ...card, cvc: '123' });
  });

  it('a proxied charge reaches its destination with the values, each in the form that was asked for', async () => {
    const id = await api.token({ type: 'card', data: { ...card, cvc: '123' } });
    const proxy = await api.proxy(`${destination.url}/api`);
    const body = {
      pan: `{{ ${id} | json: '$.number' }}`,
      mm: `{{ ${id} | json: '$.expiration_month' | to_number }}`,
      card: `{{ ${id} }}`,
      note: `for {{ ${id} | json: '$.number' | last4 }}`,
    };
    const headers = { Authorization: 'Bearer dest', 'SVC-TRACE-ID': 'charge-1' };
    const answer = await api.invoke(proxy.key, 'POST', '/charges?ref=1', { body, headers });
    expect(answer.status).to.equal(200);
    const received = destination.received.at(-1);
    expect(received).to.include({ method: 'POST', url: '/api/charges?ref=1' });
    expect(received?.headers).to.include({ authorization: 'Bearer dest', 'svc-trace-id': 'charge-1' });
    expect(JSON.parse(String(received?.body))).to.deep.equal({
      pan: number,
      mm: 12,
      card: { ...card, cvc: '123' },
      note: 'for 4242',
    });
  });

  it('an application reads masked by one rule and uses in services by another', async () => {
    const rules = [
      {
        description: 'masked read',
        priority: 1,
        container: '/pci/',
        transform: 'mask',
        permissions: ['token:read', 'token:search'],
      },
      {
        description: 'use in services',
        priority: 2,
        container: '/pci/',
        transform: 'reveal',
        permissions: ['token:use'],
      },
    ];
    const support = await api.application({ name: 'support', type: 'private', rules });
    expect(support.rules).to.deep.equal(rules);
    const id = await api.token({ type: 'card', data: card });
    const elsewhere = await api.token({ type: 'token', data: 'x' });
    const read = await api.send('GET', `/tokens/${id}`, { key: support.key });
    expect(read.json.data.number).to.equal('XXXXXXXXXXXX4242');
    expect((await api.send('GET', `/tokens/${elsewhere}`, { key: support.key })).status).to.equal(403);
    const proxy = await api.proxy(destination.url);
    const invoke = (token: string) =>
      api.invoke(proxy.key, 'POST', '', {
        key: support.key,
        body: { pan: `{{ ${token} | json: '$.number' }}` },
      });
    expect((await invoke(id)).status).to.equal(200);
    expect(JSON.parse(String(destination.received.at(-1)?.body))).to.deep.equal({ pan: number });
    expect((await invoke(elsewhere)).status).to.equal(403);
  });

  it('a proxy to a destination without https is refused, and the error names the field', async () => {
    const { status, json } = await api.manage('POST', '/proxies', {
      name: 'x',
      destination_url: 'ftp://example.org',
    });
    expect(status).to.equal(400);
    expect(json).to.include({ title: 'One or more validation errors occurred.', status: 400 });
    expect(Object.keys(json.errors)).to.deep.equal(['destination_url']);
  });

  const cards = [
    ...['4242424242424242', '4000056655665556', '5555555555554444', '2223003122003222', '5105105105105100'],
    ...['378282246310005', '6011111111111117', '3056930009020004', '36227206271667', '3566002020360505'],
    '620000000000000',
  ];
  for (const pan of cards) {
    it(`the test card ${pan} is a card and a card number`, async () => {
      expect((await create({ type: 'card', data: { number: pan } })).status).to.equal(201);
      expect((await create({ type: 'card_number', data: pan })).status).to.equal(201);
      const wrong = pan.slice(0, -1) + String((Number(pan.at(-1)) + 1) % 10);
      expect((await create({ type: 'card_number', data: wrong })).status).to.equal(400);
    });
  }

  const masked: readonly [type: string, data: string, mask: string][] = [
    ['social_security_number', '123-45-6789', 'XXX-XX-6789'],
    ['employer_id_number', '12-3456789', 'XX-XXX6789'],
    ['us_bank_account_number', '1234567890', 'XXXXXX7890'],
    ['card_number', '36227206271667', 'XXXXXXXXXX1667'],
    ['us_bank_routing_number', '021000021', 'XXXXX0021'],
    ['us_bank_routing_number', '110000000', 'XXXXX0000'],
  ];
  for (const [type, data, mask] of masked) {
    it(`${data} as ${type} is shown as ${mask}`, async () => {
      const { key } = await api.application({
        name: 'm',
        type: 'private',
        permissions: ['token:create', 'token:read'],
      });
      const made: Json = (await create({ type, data }, key)).json;
      expect(made.data).to.equal(mask);
      expect((await api.send('GET', `/tokens/${made.id}`, { key })).json.data).to.equal(mask);
    });
  }

  it('the types of tokens that are described are those that there are, network tokens too', async () => {
    const described = readOpenApiDocument().components.schemas['TokenType']?.['enum'] as string[];
    const { json } = await create({ type: 'of another type', data: 'x' });
    expect(json.errors).to.deep.equal({ type: [`must be one of ${described.join(', ')}`] });
    const made = await create({ type: 'network_token', data: { ...card, expiration_month: '12' } });
    expect(made.json).to.deep.include({ type: 'network_token', data: card, containers: ['/pci/high/'] });
    const usage = await api.manage('GET', '/tenants/self/reports/usage');
    expect(usage.json.token_report.metrics_by_type).to.include.keys('network_token');
  });
});
