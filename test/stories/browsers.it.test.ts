import { expect } from 'chai';

import { apiOf } from '../harness/api.ts';
import { type Destination, startDestination } from '../harness/destination.ts';
import { type System, sharedSystem } from '../harness/system.ts';

const page = 'https://shop.example.org';
const asked = 'bt-api-key,bt-client-user-agent,content-type';

/** What the official client needs in a page of another origin, where public applications and sessions are at home. */
describe('a page in a browser', () => {
  let system: System;
  let destination: Destination;
  before(async () => {
    system = await sharedSystem();
    destination = await startDestination();
  });
  after(() => destination[Symbol.asyncDispose]());

  const preflight = (path: string, method: string) =>
    fetch(`${system.dev.base_url}${path}`, {
      method: 'OPTIONS',
      headers: {
        Origin: page,
        'Access-Control-Request-Method': method,
        'Access-Control-Request-Headers': asked,
      },
    });
  const call = (path: string, key: string, body: object, headers = {}) =>
    fetch(`${system.dev.base_url}${path}`, {
      method: 'POST',
      headers: { Origin: page, 'BT-API-KEY': key, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });

  const addresses: readonly [path: string, method: string, methods: string][] = [
    ['/tokens/', 'POST', 'GET, POST'],
    ['/tokens/7b1fd06a', 'PATCH', 'GET, PATCH, DELETE'],
    ['/tokenize', 'POST', 'POST'],
    ['/sessions/', 'POST', 'POST'],
    ['/token-intents', 'POST', 'POST'],
    ['/proxy/charges', 'PUT', 'POST, GET, PUT, PATCH, DELETE'],
    ['/reactors/7b1fd06a/react', 'POST', 'POST'],
  ];
  for (const [path, method, methods] of addresses) {
    it(`may send what the client sends to ${path}`, async () => {
      const answer = await preflight(path, method);
      expect(answer.status).to.equal(204);
      expect(Object.fromEntries(answer.headers)).to.include({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': methods,
        'access-control-allow-headers': asked,
      });
    });
  }

  it('may read what it is answered, errors too', async () => {
    const made = await call('/tokens', system.dev.public_api_key, { type: 'token', data: 'x' });
    const refused = await call('/tokens', 'key_of_nobody', { type: 'token', data: 'x' });
    expect([made.status, refused.status]).to.deep.equal([201, 401]);
    for (const { headers } of [made, refused]) {
      expect(headers.get('access-control-allow-origin')).to.equal('*');
      expect(headers.get('access-control-expose-headers')).to.equal('*');
    }
  });

  it('may read what a destination answers, unless that says itself who may', async () => {
    const { key } = await apiOf(system).proxy(destination.url);
    const readers = async () => {
      const answer = await call('/proxy', system.dev.private_api_key, {}, { 'BT-PROXY-KEY': key });
      expect(answer.headers.get('bt-proxy-destination-status')).to.equal('200');
      return answer.headers.get('access-control-allow-origin');
    };
    expect(await readers()).to.equal('*');
    destination.answer = (_, response) => {
      response.writeHead(200, { 'Access-Control-Allow-Origin': 'https://another.example.org' }).end('{}');
    };
    expect(await readers()).to.equal('https://another.example.org');
  });

  it('hears nothing of all that from who is not asked by a page', async () => {
    const plain = await apiOf(system).send('OPTIONS', '/tokens');
    expect(plain.status).to.equal(405);
    expect(plain.headers).to.not.have.any.keys('access-control-allow-origin');
  });

  it('has no business with the management of a tenant', async () => {
    expect((await preflight('/proxies', 'POST')).headers.get('access-control-allow-origin')).to.equal(null);
  });
});
