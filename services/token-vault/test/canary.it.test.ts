import { hash } from 'node:crypto';

import { VaultServiceService as methods } from '@glovebox/protos/vault/v1/vault';
import { expect } from 'chai';

import { failureOf } from './harness/failure.ts';
import { Fixture } from './harness/fixture.ts';

/** Values that pass every door of the vault, and then are searched for in all that it left behind. */
const canaries = [
  'canary-text-93b1',
  '4000056655665556',
  '110000000',
  '94837261554',
  '555-44-9182',
  'cvc-canary',
] as const;

/** Each as text, base64 (at any offset), hex, and as its plain hashes. */
function formsOf(canary: string): string[] {
  const bytes = Buffer.from(canary);
  const base64 = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .slice(4, -4),
  );
  const hashes = ['sha256', 'sha1', 'md5'].flatMap((algorithm) => [
    hash(algorithm, canary),
    hash(algorithm, canary, 'base64'),
  ]);
  return [canary, bytes.toString('hex'), ...base64, ...hashes].filter((form) => form.length >= 6);
}

describe('a value that was stored', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await Fixture.start({ LOG_LEVEL: 'debug' });
  });
  after(() => fixture[Symbol.asyncDispose]());

  it('is found in no table, log or metric, whatever was done with it', async () => {
    await passEveryDoor(fixture);
    const left = [...(await dumpAllTables(fixture)), ...fixture.vault.logged, await metrics(fixture)].join(
      '\n',
    );
    expect(left).to.include('audit').and.to.include('card_number');
    expect(left.length).to.be.above(5000);
    for (const canary of canaries) {
      for (const form of formsOf(canary)) expect(left.includes(form), `${canary} as ${form}`).to.equal(false);
    }
    expect(left.includes(fixture.owner.key), 'the API key').to.equal(false);
    expect(left.includes(hash('sha256', fixture.owner.key)), 'its hash').to.equal(false);
  });
});

async function passEveryDoor({ gateway, owner, vault, tenantId }: Fixture): Promise<void> {
  const [text, number, routing, account, ssn, cvc] = canaries;
  const created = await Promise.all(
    [
      { type: 'token', data: text },
      {
        type: 'token',
        data: { nested: [text], [text]: Number(account) },
        mask: { x: '{{ data.nested[0] | last4 }}' },
      },
      { type: 'card', data: { number, expiration_month: 1, expiration_year: 2031, cvc: '987' } },
      { type: 'card_number', data: number },
      { type: 'bank', data: { routing_number: routing, account_number: account } },
      { type: 'social_security_number', data: ssn },
      {
        type: 'token',
        data: cvc,
        search_indexes: ['{{ data }}'],
        fingerprint_expression: '{{ data | upcase }}',
      },
    ].map((body) => gateway.create(owner, body)),
  );
  const ids = created.map(({ id }) => String(id));
  await gateway.tokenize(owner, { a: text, b: [number, { type: 'token', data: cvc }] });
  await gateway.use(owner, [...ids, `${ids[0]} | upcase`, `${ids[2]} | json: '$.number'`]);
  for (const id of ids) await gateway.get(owner, id);
  await gateway.list(owner, `id=${ids.join('&id=')}`);
  await gateway.search(owner, { query: `data:"${cvc}" OR data:"${ssn}" OR id:"${number}"` });
  await gateway.update(owner, ids[1] as string, {
    data: { more: text, number },
    search_indexes: ['{{ data.number }}'],
    mask: { more: '{{ data.more | last4 }}' },
  });
  await gateway.create(owner, { type: 'token', data: text, deduplicate_token: true });
  await gateway.createChild(owner, ids[0] as string, { type: 'card_number', data: number });
  const place = { tenantId, recordId: 'record', field: 'configuration.X' };
  const deadline = Date.now() + 5000;
  const items = [{ place, plaintext: Buffer.from(text) }];
  const { sealed } = await vault.as('control-api').unary(methods.seal, { items }, { deadline });
  await vault.as('control-api').unary(methods.open, { items: [{ place, sealed: sealed[0]! }] }, { deadline });

  // The same values where they do not belong, so that they could slip into an error, a log line or an audit row.
  const failing = [
    () => gateway.use(owner, [...canaries]),
    () => gateway.use(owner, [`${ids[0]} | to_number`, `${ids[2]} | json: '$..*'`]),
    () => gateway.get(owner, number),
    () => gateway.delete(owner, text),
    () =>
      gateway.create(owner, {
        type: text,
        data: number,
        id: `${number}/`,
        expires_at: text,
        containers: [text],
      }),
    () => gateway.create(owner, { type: 'card', data: { number: `${number}0`, cvc } }),
    () =>
      gateway.create(owner, { type: 'token', data: text, fingerprint_expression: '{{ data | to_number }}' }),
    () => gateway.createRaw(owner, Buffer.from(`{"data": "${text}"`)),
    () => gateway.update(owner, ids[2] as string, { data: { number: text, cvc: number } }),
    () => gateway.update(owner, ids[0] as string, { fingerprint_expression: '{{ data | to_number }}' }),
    () => gateway.update(owner, number, { data: text }),
    () => gateway.search(owner, { query: `${text} AND "${number}` }),
    () => gateway.search(owner, { query: `${text}:${number}` }),
    () => gateway.list(owner, `start=${number}&page=${text}&container=${text}`),
    () => gateway.associate(owner, number, text),
    () => gateway.use({ ...owner, key: text }, ids),
    () => gateway.use({ ...owner, key: `key_${account}` }, ids),
  ];
  for (const attempt of failing) await failureOf(attempt());
  await gateway.delete(owner, ids[0] as string);
}

async function dumpAllTables(fixture: Fixture): Promise<string[]> {
  const tables = await fixture.sql<{ name: string }>(
    `SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'`,
  );
  const dumps = tables.map(async ({ name }) => {
    const rows = await fixture.sql<{ row: string }>(
      `SELECT t::text || ' ' || to_json(t)::text AS row FROM ${name} AS t`,
    );
    return [name, ...rows.map(({ row }) => row)].join('\n');
  });
  return Promise.all(dumps);
}

async function metrics(fixture: Fixture): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${fixture.vault.vault.metricsPort}/metrics`);
  return response.text();
}
