import { createHash, createHmac, createVerify, generateKeyPairSync } from 'node:crypto';
import { createRequire } from 'node:module';
import { parse } from 'node:querystring';

import { expect } from 'chai';
import { compactDecrypt } from 'jose';

import { startSshServer } from '../../services/reactor-runner/test/packages/ssh-server.ts';
import type { Json } from '../harness/api.ts';
import { card, cook, cookbookStory, number, threeDS } from '../harness/cookbook.ts';
import { startDestination } from '../harness/destination.ts';
import { tlsEstate } from '../harness/tls-estate.ts';

/** Recipes of docs/cookbook on the real system, with destinations that check what they get. */
describe('the cookbook for payments', () => {
  const story = cookbookStory();

  it('stripe: a form with the card, by the secret key, once for each order', async () => {
    await story.run('stripe');
    const { url, headers, text } = story.received();
    expect(url).to.equal('/v1/payment_methods');
    expect(headers).to.include({ authorization: 'Bearer sk_test_1', 'idempotency-key': 'o-7' });
    expect(headers['content-type']).to.equal('application/x-www-form-urlencoded');
    expect({ ...parse(text) }).to.deep.equal({
      type: 'card',
      'card[number]': number,
      'card[exp_month]': '12',
      'card[exp_year]': '2030',
    });
  });

  it('adyen: the card in its shape, by the key of the merchant', async () => {
    await story.run('adyen');
    expect(story.received().headers).to.include({ 'x-api-key': 'AQE' });
    expect(story.receivedJson()).to.deep.equal({
      reference: 'o-7',
      amount: { currency: 'EUR', value: 1999 },
      merchantAccount: 'ShopECOM',
      paymentMethod: { type: 'scheme', number, expiryMonth: '12', expiryYear: '2030' },
    });
  });

  it('braintree: a mutation with the card as its variable', async () => {
    await story.run('braintree');
    expect(story.received().headers.authorization).to.equal(
      `Basic ${Buffer.from('pub:priv').toString('base64')}`,
    );
    expect(story.receivedJson().query).to.match(/^mutation .*TokenizeCreditCardInput/);
    expect(story.receivedJson().variables.input.creditCard).to.deep.equal({
      number,
      expirationMonth: '12',
      expirationYear: '2030',
    });
  });

  it('checkout: the card as the source of the payment', async () => {
    await story.run('checkout');
    expect(story.received().headers.authorization).to.equal('Bearer sk_sbox_1');
    expect(story.receivedJson().source).to.deep.equal({
      type: 'card',
      number,
      expiry_month: 12,
      expiry_year: 2030,
    });
  });

  it('bank-mtls: the account, once both have shown their certificates', async () => {
    const estate = await tlsEstate();
    await using bank = await startDestination(estate.demanding);
    const client = await estate.client('urn:shop');
    await story.run('bank-mtls', {
      destination: bank.url,
      'client certificate': client.client_certificate,
      'client key': client.client_key,
      authority: estate.ca,
      pin: estate.pin,
    });
    expect(bank.received.map(({ shown }) => shown)).to.deep.equal(['URI:urn:shop']);
    expect(bank.received[0]?.body.toString()).to.equal('{"amount":1999,"account":"1234567890"}');
  });

  it('three-d-secure: the cryptogram with the card; an authentication that failed goes nowhere', async () => {
    await story.run('three-d-secure');
    const { cryptogram, version } = threeDS;
    expect(story.receivedJson()['3ds']).to.deep.equal({
      enabled: true,
      eci: '05',
      cryptogram,
      xid: 'd-1',
      version,
    });
    const authentication = await story.api.token({ type: 'token', data: { ...threeDS, eci: '07' } });
    const refused = await cook('three-d-secure', story.api, story.key, { ...story.values, authentication });
    expect(refused.status).to.equal(500);
    expect(story.destination.received).to.have.length(1);
  });

  it('network-token-rotation: the token holds the new number', async () => {
    const network = await story.api.token({ type: 'network_token', data: card });
    story.answers({ number: '4000056655665556', expiration_month: 1, expiration_year: 2032 });
    const { raw } = await story.run('network-token-rotation', { network_token: network });
    expect(raw).to.deep.equal({ id: network, last4: '5556' });
    expect(story.receivedJson()).to.deep.equal({ number });
    const { json } = await story.api.send('GET', `/tokens/${network}`, { key: story.key });
    expect(json.data.number).to.equal('4000056655665556');
  });

  it('pgp-csv-to-sftp: a file that only the bank can read', async () => {
    const openpgp = createRequire(import.meta.resolve('@glovebox/user-packages/allow-list'))(
      'openpgp',
    ) as Json;
    const keys = await openpgp.generateKey({ userIDs: [{ name: 'bank' }] });
    await using server = await startSshServer();
    const { raw } = await story.run('pgp-csv-to-sftp', {
      'sftp host': '127.0.0.1',
      'sftp port': String(server.port),
      'sftp key': server.userKey,
      'bank key': keys.publicKey,
    });
    expect(raw).to.deep.equal({ payments: 1 });
    const armoredMessage = server.files.get('/salaries.csv.pgp');
    expect(armoredMessage).to.match(/^-----BEGIN PGP MESSAGE/);
    const { data } = await openpgp.decrypt({
      message: await openpgp.readMessage({ armoredMessage }),
      decryptionKeys: await openpgp.readPrivateKey({ armoredKey: keys.privateKey }),
    });
    expect(data.replaceAll('\r', '')).to.equal('name,account,amount\n"Ann","1234567890","2500.00"');
  });

  it('jwe-to-issuer: the card, for the issuer only', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'issuer-1' };
    await story.run('jwe-to-issuer', { 'issuer key': JSON.stringify(jwk) });
    expect(story.received().text).to.not.include(number);
    const { plaintext, protectedHeader } = await compactDecrypt(
      story.receivedJson().encryptedData,
      privateKey,
    );
    expect(JSON.parse(Buffer.from(plaintext).toString())).to.deep.equal(card);
    expect(protectedHeader.kid).to.equal('issuer-1');
  });

  it('iso-8583: a message whose bitmap names the fields that follow', async () => {
    story.destination.answer = (_received, response) => response.writeHead(200).end();
    await story.run('iso-8583');
    const { text } = story.received();
    const bits = BigInt(`0x${text.slice(4, 20)}`)
      .toString(2)
      .padStart(64, '0');
    const present = [...bits].flatMap((bit, at) => (bit === '1' ? [at + 1] : []));
    expect(text.slice(0, 4)).to.equal('0100');
    const lengths: Readonly<Record<number, number>> = { 3: 6, 4: 12, 11: 6, 14: 4, 49: 3 };
    let rest = text.slice(20);
    const take = (length: number) => {
      const field = rest.slice(0, length);
      rest = rest.slice(length);
      return field;
    };
    const fields = present.map((field) => [field, take(lengths[field] ?? Number(take(2)))]);
    expect(Object.fromEntries(fields)).to.deep.equal({
      2: number,
      3: '000000',
      4: '000000001999',
      11: '000007',
      14: '3012',
      49: '978',
    });
    expect(rest).to.equal('');
  });

  it('hmac-signature: what was signed is what arrived', async () => {
    story.answers({});
    await story.run('hmac-signature');
    const { headers, text } = story.received();
    const signed = `${String(headers['x-timestamp'])}.${text}`;
    const wanted = createHmac('sha256', 'a secret of the bank').update(signed).digest('hex');
    expect(headers['x-signature']).to.equal(wanted);
    expect(story.receivedJson()).to.deep.equal({ amount: 1999, account: '1234567890' });
  });

  it('oauth1-signature: a signature over address and body', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    await story.run('oauth1-signature', {
      'signing key': String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    });
    const { headers, body } = story.received();
    const given = [...String(headers.authorization).matchAll(/(oauth_\w+)="([^"]*)"/g)];
    const parameters = new Map(given.map(([, name = '', value = '']) => [name, decodeURIComponent(value)]));
    const signature = parameters.get('oauth_signature') ?? '';
    parameters.delete('oauth_signature');
    const digest = createHash('sha256').update(body).digest('base64');
    expect(parameters.get('oauth_body_hash')).to.equal(digest);
    const list = [...parameters].map(([name, value]) => `${name}=${value}`).sort();
    const base = ['POST', `${story.destination.url}/enrolments`, list.join('&')]
      .map((part) => encodeURIComponent(part).replaceAll('!', '%21'))
      .join('&');
    const verify = createVerify('RSA-SHA256').update(base);
    expect(verify.verify(publicKey, signature, 'base64'), base).to.equal(true);
  });
});
