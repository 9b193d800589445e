import { expect } from 'chai';

import { encryptText, encryptTo, withHeader } from './harness/encrypt.ts';
import { codeOf, failureOf } from './harness/failure.ts';
import { Fixture, card } from './harness/fixture.ts';
import type { TestApplication } from './harness/published.ts';

type Json = Record<string, unknown>;

const permissions = ['keys:create', 'keys:read', 'keys:delete'];
const notDecrypted = 'cannot be decrypted with the key that it names';
const noKey = 'must be encrypted to a key that there is: this one was deleted, has expired, or never was';
const noJwe = 'must be a JWE in compact form';

describe('what clients have encrypted', () => {
  let fixture: Fixture;
  let manager: TestApplication;
  let key: Json;
  before(async () => {
    fixture = await Fixture.start({}, (config) => ({
      ...config,
      limits: { ...config.limits, encryptedLength: 20_000 },
    }));
    const { tenantId } = fixture;
    manager = await fixture.publisher.application({ tenantId, type: 'management', permissions });
    key = await fixture.gateway.createKey(manager);
  });
  after(() => fixture[Symbol.asyncDispose]());

  const create = (body: object) => fixture.gateway.create(fixture.owner, body);
  const problemsOf = async (encrypted: unknown, more: object = {}) =>
    (await failureOf(create({ type: 'card', encrypted, ...more }))).errors;

  it('becomes the data of a token, checked like any other', async () => {
    const created = await create({
      type: 'card',
      encrypted: await encryptTo(key, card),
      metadata: { a: 'b' },
    });
    expect(created).to.not.have.property('encrypted');
    expect(created).to.deep.include({ data: card, metadata: { a: 'b' }, containers: ['/pci/high/'] });
    const id = String(created['id']);
    expect((await fixture.gateway.get(fixture.owner, id))['data']).to.deep.equal(card);
    const wrong = await encryptTo(key, { number: '4242424242424241', expiration_month: 13 });
    expect(await problemsOf(wrong)).to.have.all.keys('data.number', 'data.expiration_month');
    expect(await problemsOf(await encryptTo(key, null))).to.have.all.keys('data');
  });

  it('may be encrypted by either of the ciphers, and to a key that is shown as PEM', async () => {
    const encrypted = await encryptTo(key, 'x', { enc: 'A128CBC-HS256' });
    expect((await create({ type: 'token', encrypted }))['data']).to.equal('x');
    const pem = await fixture.gateway.createKey(manager, { encoding: 'PEM' });
    const toPem = await encryptTo(pem, 'z');
    expect((await create({ type: 'token', encrypted: toPem }))['data']).to.equal('z');
    const upper = await encryptTo(key, 'y', { kid: String(key['id']).toUpperCase() });
    expect((await create({ type: 'token', encrypted: upper }))['data']).to.equal('y');
  });

  it('is taken wherever a token is asked for', async () => {
    const encrypted = await encryptTo(key, 'in a document');
    const parent = await fixture.token('parent');
    const child = await fixture.gateway.createChild(fixture.owner, parent, { type: 'token', encrypted });
    expect(child['data']).to.equal('in a document');
    const document = { a: [{ type: 'token', encrypted }, 'plain'], b: { type: 'token', encrypted } };
    const tokenized = (await fixture.gateway.tokenize(fixture.owner, document)) as Json;
    const [first] = tokenized['a'] as Json[];
    expect(first).to.include({ data: 'in a document' });
    expect(tokenized['b']).to.include({ data: 'in a document' });
    const body = Buffer.from(JSON.stringify({ type: 'token', encrypted }));
    const outcome = await fixture.gateway.call(fixture.owner.key, {
      $case: 'createTokenIntent',
      value: { body },
    });
    expect(outcome?.$case).to.equal('token');
  });

  it('names every value of a document that cannot be opened, and makes no token', async () => {
    const good = await encryptTo(key, 'good');
    const broken = withHeader(good, (header) => ({ ...header, cty: 'json' }));
    const document = [
      { type: 'token', encrypted: good, id: 'made-of-a-good-one' },
      { type: 'token', encrypted: broken },
      { type: 'card', data: 1 },
      { type: 'token', encrypted: 'x' },
    ];
    const { errors } = await failureOf(fixture.gateway.tokenize(fixture.owner, document));
    expect(errors).to.deep.include({ '[1].encrypted': [notDecrypted], '[3].encrypted': [noJwe] });
    expect(errors).to.have.all.keys('[1].encrypted', '[2].data', '[3].encrypted');
    expect(await codeOf(fixture.gateway.get(fixture.owner, 'made-of-a-good-one'))).to.equal('not_found');
  });

  it('says in its answer nothing of what was in it, to a caller who may not see it', async () => {
    const visitor = await fixture.publisher.application({
      tenantId: fixture.tenantId,
      type: 'public',
      permissions: ['token:create'],
    });
    const encrypted = await encryptTo(key, card);
    const created = await fixture.gateway.create(visitor, { type: 'card', encrypted });
    expect(created['data']).to.deep.include({ number: 'XXXXXXXXXXXX4242' });
    const chosen = {
      mask: { all: '{{ data.number }}' },
      fingerprint_expression: '{{ data.number | slice: 0, 1 }}',
      search_indexes: ['{{ data.number | slice: 0, 1 }}'],
      id: '{{ data.number }}',
      data: card,
    };
    const { errors } = await failureOf(
      fixture.gateway.create(visitor, { type: 'card', encrypted, ...chosen }),
    );
    expect(errors).to.have.all.keys(Object.keys(chosen));
    const none = { mask: null, search_indexes: [], fingerprint_expression: null, data: null, id: null };
    expect(await codeOf(fixture.gateway.create(visitor, { type: 'card', encrypted, ...none }))).to.equal(
      'ok',
    );
  });

  it('is opened only for the tenant whose key it is', async () => {
    const encrypted = await encryptTo(key, 'a secret of ours');
    const foreigner = await fixture.foreigner();
    const { errors } = await failureOf(fixture.gateway.create(foreigner, { type: 'token', encrypted }));
    expect(errors).to.deep.equal({ encrypted: [noKey] });
    const unknown = await encryptTo({ ...key, id: '5b0c8a2e-6d0f-4f7e-9c55-1a2b3c4d5e6f' }, 'x');
    expect(await problemsOf(unknown)).to.deep.equal({ encrypted: [noKey] });
  });

  it('is not opened any more once its key is deleted or has expired', async () => {
    const deleted = await fixture.gateway.createKey(manager);
    const expiring = await fixture.gateway.createKey(manager, {
      expires_at: new Date(Date.now() + 4000).toISOString(),
    });
    for (const one of [deleted, expiring]) {
      const encrypted = await encryptTo(one, 'x');
      expect((await create({ type: 'token', encrypted }))['data']).to.equal('x');
    }
    await fixture.gateway.deleteKey(manager, String(deleted['id']));
    expect(await problemsOf(await encryptTo(deleted, 'x'))).to.deep.equal({ encrypted: [noKey] });
    const late = await encryptTo(expiring, 'x');
    while ((await codeOf(create({ type: 'token', encrypted: late }))) === 'ok');
    expect(await problemsOf(late)).to.deep.equal({ encrypted: [noKey] });
  });

  it('is opened by every vault', async () => {
    await using another = await fixture.anotherVault();
    const encrypted = await encryptTo(key, 'x');
    const created = await another.gateway.create(fixture.owner, { type: 'token', encrypted });
    expect(created['data']).to.equal('x');
  });

  it('is refused by one message, whatever it is that does not fit', async () => {
    const jwe = await encryptTo(key, card);
    const other = await fixture.gateway.createKey(manager);
    const parts = jwe.split('.');
    const flipped = (at: number) => {
      const part = Buffer.from(parts[at] as string, 'base64url');
      part[0] = (part[0] as number) ^ 1;
      return parts.map((text, index) => (index === at ? part.toString('base64url') : text)).join('.');
    };
    const epk = (change: object) =>
      withHeader(jwe, (header) => ({ ...header, epk: { ...(header['epk'] as object), ...change } }));
    const attempts = {
      'the header': withHeader(jwe, (header) => ({ ...header, cty: 'json' })),
      'the initialization vector': flipped(2),
      'the ciphertext': flipped(3),
      'the tag': flipped(4),
      'a shorter tag': jwe.slice(0, -4),
      'another key': withHeader(jwe, (header) => ({ ...header, kid: other['id'] })),
      'another cipher': withHeader(jwe, (header) => ({ ...header, enc: 'A128CBC-HS256' })),
      'an encrypted key where there is none': jwe.replace('..', '.AAAA.'),
      'no ephemeral key': withHeader(jwe, (header) => ({ ...header, epk: undefined })),
      'an ephemeral key that is not on the curve': epk({ x: 'AAAA', y: 'AAAA' }),
      'an ephemeral key of another curve': epk({ crv: 'P-521' }),
      'an ephemeral key that is none': withHeader(jwe, (header) => ({ ...header, epk: 7 })),
    };
    for (const [what, attempt] of Object.entries(attempts))
      expect(await problemsOf(attempt), what).to.deep.equal({ encrypted: [notDecrypted] });
  });

  it('is refused for what its header asks for, before any key is looked at', async () => {
    const jwe = await encryptTo(key, card);
    const head = (change: object) => withHeader(jwe, (header) => ({ ...header, ...change }));
    const alg = ['must have the alg ECDH-ES in its header'];
    const enc = ['must have one of A256GCM, A128CBC-HS256 as the enc in its header'];
    const kid = ['must have the id of a key as the kid in its header'];
    const rows: readonly (readonly [string, unknown, readonly string[]])[] = [
      ['no protection', head({ alg: 'none' }), alg],
      ['a key in the request', head({ alg: 'dir' }), alg],
      ['a password', head({ alg: 'PBES2-HS256+A128KW', p2c: 2_147_483_647, p2s: 'AAAA' }), alg],
      ['RSA', head({ alg: 'RSA1_5' }), alg],
      ['wrapping', head({ alg: 'ECDH-ES+A256KW' }), alg],
      ['no algorithm', head({ alg: ['ECDH-ES'] }), alg],
      ['another cipher', head({ enc: 'A256CBC-HS512' }), enc],
      ['no cipher', head({ enc: null }), enc],
      ['no key', head({ kid: undefined }), kid],
      ['a key of no kind', head({ kid: '../../etc/passwd' }), kid],
      ['a list of keys', head({ kid: [key['id']] }), kid],
      ['compression', head({ zip: 'DEF' }), ['must not be compressed']],
      ['an extension', head({ crit: ['exp'], exp: 1 }), ['must not have extensions that are critical']],
      ['all at once', head({ alg: 'x', enc: 'x', kid: 'x' }), [...alg, ...enc, ...kid]],
    ];
    for (const [what, attempt, problems] of rows)
      expect(await problemsOf(attempt), what).to.deep.equal({ encrypted: problems });
  });

  it('is refused when it is no JWE at all', async () => {
    const jwe = await encryptTo(key, card);
    const [header = '', ...rest] = jwe.split('.');
    const bytes = Buffer.from(header, 'base64url');
    const headed = (text: string | Buffer) => [Buffer.from(text).toString('base64url'), ...rest].join('.');
    const attempts: unknown[] = [
      ...[
        '',
        'x',
        '....',
        `${jwe}.`,
        `${jwe}.x`,
        `.${jwe}`,
        rest.join('.'),
        `${jwe}\n`,
        ` ${jwe}`,
        `${jwe}=`,
      ],
      ...[1, true, [jwe], { ciphertext: jwe }, jwe.replaceAll('.', '..')],
      ...['null', '[]', '7', '"x"', 'x', '{', bytes.subarray(0, -1)].map(headed),
      ...[headed(JSON.stringify({ a: 'x'.repeat(2000) })), headed(Buffer.from([0xff, 0xfe]))],
    ];
    for (const attempt of attempts)
      expect(await problemsOf(attempt), JSON.stringify(attempt).slice(0, 80)).to.deep.equal({
        encrypted: [noJwe],
      });
    const long = await encryptTo(key, 'x'.repeat(16_000));
    expect(await problemsOf(long)).to.deep.equal({
      encrypted: ['must not be longer than 20000 characters'],
    });
  });

  it('must be JSON, and not too deep, when it is decrypted', async () => {
    const deep = '['.repeat(101) + ']'.repeat(101);
    const texts = ['x', '{', '', deep, Buffer.from([0x22, 0xff, 0x22])];
    for (const text of texts) {
      const attempt = await encryptText(key, text);
      const { encrypted } = await problemsOf(attempt);
      expect(encrypted, String(text)).to.have.length(1);
      expect([noJwe, 'must be JSON when it is decrypted']).to.include(encrypted?.[0]);
    }
  });

  it('leaves no trace in the log, nor in what is recorded', async () => {
    const secret = 'a value that only the vault has seen in plain';
    const encrypted = await encryptTo(key, { number: secret });
    await failureOf(create({ type: 'card', encrypted }));
    await create({ type: 'token', encrypted });
    await failureOf(
      create({ type: 'card', encrypted: withHeader(encrypted, (header) => ({ ...header, a: 1 })) }),
    );
    const ciphertext = encrypted.split('.')[3] as string;
    const told = fixture.vault.logged.join('') + JSON.stringify(await fixture.sql('SELECT * FROM audit'));
    expect(told).to.not.contain(secret);
    expect(told).to.not.contain(ciphertext);
  });
});
