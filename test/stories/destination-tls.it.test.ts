import { expect } from 'chai';

import { type Json, apiOf } from '../harness/api.ts';
import { type Destination, startDestination } from '../harness/destination.ts';
import { sharedSystem } from '../harness/system.ts';
import { tlsEstate } from '../harness/tls-estate.ts';
import { expectProblem } from '../harness/transform-story.ts';

/** contract/proxies.md#destination_tls, over the whole system. */
describe('destination_tls', () => {
  let api: ReturnType<typeof apiOf>;
  let estate: Awaited<ReturnType<typeof tlsEstate>>;
  let destination: Destination;
  let managementKey: string;

  before(async () => {
    const system = await sharedSystem();
    api = apiOf(system);
    managementKey = system.dev.management_api_key;
    estate = await tlsEstate();
  });
  afterEach(() => destination[Symbol.asyncDispose]());

  const listen = async (kind: 'demanding' | 'asking'): Promise<Destination> =>
    (destination = await startDestination(estate[kind]));
  const proxyWith = (destination_tls: object, more: object = {}): Promise<Json> =>
    api.proxy(destination.url, { destination_tls, ...more });
  const put = (id: string, destination_tls: object) =>
    api.manage('PUT', `/proxies/${id}`, { name: 'story', destination_url: destination.url, destination_tls });
  const invoke = (proxy: Json, body: unknown = {}) => api.invoke(proxy.key, 'POST', '/charge', { body });
  const whoCame = () => destination.received.map(({ shown }) => shown);

  it('shows the client certificate to a destination that demands one, with what was detokenized', async () => {
    await listen('demanding');
    const id = await api.token({ type: 'token', data: '4111111111111111' });
    const proxy = await proxyWith({ ...(await estate.client('urn:one')), ca: estate.ca, pins: [estate.pin] });
    const answer = await invoke(proxy, { number: `{{ ${id} }}` });
    expect(answer.status, answer.text).to.equal(200);
    expect(whoCame()).to.deep.equal(['URI:urn:one']);
    expect(destination.received[0]?.body.toString()).to.equal('{"number":"4111111111111111"}');
  });

  it('is a 502, and the destination sees no request, where the handshake does not fit', async () => {
    await listen('demanding');
    const client = await estate.client('urn:one');
    const { ca, otherCa, pin, otherPin } = estate;
    for (const [tls, text] of [
      [{ ...client, ca: otherCa }, /authority does not vouch/],
      // A pin stands in for no authority.
      [{ ...client, pins: [pin] }, /authority does not vouch/],
      [{ ...client, ca, pins: [otherPin] }, /none of the proxy's pins\. Nothing was sent\./],
      [{ ...(await estate.stranger()), ca }, /does not accept the client certificate/],
      [{ ca, pins: [pin] }, /does not accept the client certificate/],
    ] as const) {
      const answer = await invoke(await proxyWith(tls));
      expectProblem(answer, 502, text);
      expect(answer.json.proxy_error.code).to.equal('destination_tls');
      expect(answer.json.proxy_error.doc_url).to.match(/#destination_tls$/);
    }
    expect(destination.received).to.deep.equal([]);
  });

  it('follows a change at once: no connection with the former identity serves it', async () => {
    await listen('asking');
    const { ca, pin, otherPin } = estate;
    const proxy = await proxyWith({ ...(await estate.client('urn:one')), ca, pins: [pin] });
    await invoke(proxy);
    await invoke(proxy);
    const rotated = await estate.client('urn:two');
    expect((await put(proxy.id, { ...rotated, ca })).status).to.equal(200);
    await invoke(proxy);
    // Without the key, which stays that of the same certificate.
    const kept = { client_certificate: rotated.client_certificate, ca, pins: [pin] };
    expect((await put(proxy.id, kept)).status).to.equal(200);
    await invoke(proxy);
    expect(whoCame()).to.deep.equal(['URI:urn:one', 'URI:urn:one', 'URI:urn:two', 'URI:urn:two']);
    const connections = destination.received.map(({ connection }) => connection);
    expect(connections[0]).to.equal(connections[1]);
    expect(new Set(connections)).to.have.property('size', 3);
    expect((await put(proxy.id, { ...kept, pins: [otherPin] })).status).to.equal(200);
    expectProblem(await invoke(proxy), 502, /pins/);
    expect(destination.received).to.have.lengthOf(4);
    const restored = await api.manage('POST', `/proxies/${proxy.id}/versions/1/restore`);
    expect(restored.status, restored.text).to.equal(200);
    await invoke(proxy);
    expect(whoCame().at(-1)).to.equal('URI:urn:one');
  });

  it('belongs to its proxy alone: others to the same destination have their own connections', async () => {
    await listen('asking');
    const { ca, otherPin } = estate;
    const [one, two] = [
      await proxyWith({ ...(await estate.client('urn:one')), ca }),
      await proxyWith({ ...(await estate.client('urn:two')), ca }),
    ];
    const nameless = await proxyWith({ ca });
    for (const proxy of [one, two, nameless, one, two, nameless]) {
      expect((await invoke(proxy)).status).to.equal(200);
    }
    const seen = ['URI:urn:one', 'URI:urn:two', undefined];
    expect(whoCame()).to.deep.equal([...seen, ...seen]);
    expect(new Set(destination.received.map(({ connection }) => connection))).to.have.property('size', 3);
    // Nor does one that never fits open the circuit for the others.
    const unfitting = await proxyWith({ ca, pins: [otherPin] });
    for (let n = 0; n < 10; n += 1) expectProblem(await invoke(unfitting), 502, /pins/);
    expectProblem(await invoke(unfitting), 503, /failed repeatedly/);
    expect((await invoke(one)).status).to.equal(200);
  });

  it('is not for the code of its transforms, and no proxy without it takes the destination for secure', async () => {
    await listen('asking');
    const tls = { ...(await estate.client('urn:one')), ca: estate.ca };
    const code = `const https = require('https');
      module.exports = ({ args, configuration }) => new Promise((resolve) => {
        const seen = JSON.stringify({ args, configuration, env: process.env });
        const tell = (outcome) => resolve({ body: { outcome, seen } });
        const options = { ca: ${JSON.stringify(estate.ca)} };
        https.get('${destination.url}', options, () => tell('reached')).on('error', tell);
      })`;
    const proxy = await proxyWith(tls, { request_transform: { code } });
    expect((await invoke(proxy)).status).to.equal(200);
    expect(destination.received.map(({ url, shown }) => [url, shown])).to.deep.equal([
      ['/', undefined],
      ['/charge', 'URI:urn:one'],
    ]);
    expect(destination.received[1]?.body.toString()).not.to.match(/CERTIFICATE|PRIVATE KEY|destination_tls/);
    const without = await api.proxy(destination.url);
    expectProblem(await invoke(without), 502, /No secure connection/);
    expect(destination.received).to.have.lengthOf(2);
  });

  it('is refused for a destination without TLS, whichever of both is sent later', async () => {
    await listen('asking');
    const { pin, ca } = estate;
    const plain = { name: 'story', destination_url: 'http://localhost:9/' };
    const { id } = await proxyWith({ ca, pins: [pin] });
    const patch = (body: object) =>
      api.send('PATCH', `/proxies/${id}`, {
        key: managementKey,
        headers: { 'Content-Type': 'application/merge-patch+json' },
        body,
      });
    for (const answer of [
      await api.manage('POST', '/proxies', { ...plain, destination_tls: { pins: [pin] } }),
      await api.manage('PUT', `/proxies/${id}`, { ...plain, destination_tls: { pins: [pin] } }),
      await patch(plain),
    ]) {
      expect(answer.status, answer.text).to.equal(400);
      expect(answer.json.errors).to.have.all.keys('destination_tls');
    }
    expect((await patch({ ...plain, destination_tls: null })).status).to.equal(204);
  });
});
