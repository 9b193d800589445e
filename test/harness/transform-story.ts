import { expect } from 'chai';

import { type Answer, type Json, type Sent, apiOf } from './api.ts';
import { errorMembers } from './check-answer.ts';
import { type Destination, type Received, startDestination } from './destination.ts';
import { sharedSystem } from './system.ts';

/** What stories about transforms begin with: the shared system, and a new destination for each test. */
export function transformStory() {
  let api: ReturnType<typeof apiOf>;
  let destination: Destination;

  let key: string;

  before(async () => {
    const system = await sharedSystem();
    api = apiOf(system);
    key = system.dev.private_api_key;
  });
  beforeEach(async () => {
    destination = await startDestination();
  });
  afterEach(() => destination[Symbol.asyncDispose]());

  const only = (): Received => {
    expect(destination.received).to.have.length(1);
    return destination.received[0]!;
  };
  const proxyWith =
    (side: string) =>
    (code: string, more: object = {}): Promise<Json> =>
      api.proxy(destination.url, { [side]: { code: `module.exports = ${code}` }, ...more });
  return {
    get api() {
      return api;
    },
    /** The private application's. */
    get key() {
      return key;
    },
    get destination() {
      return destination;
    },
    /** The one request that the destination has received. */
    only,
    onlyJson: (): Json => JSON.parse(only().body.toString()),
    /** A proxy with this function as its request transform. */
    onRequest: proxyWith('request_transform'),
    onResponse: proxyWith('response_transform'),
    post: (proxy: Json, sent: Sent = { body: {} }, path = '') => api.invoke(proxy.key, 'POST', path, sent),
    /** What the destination answers from now on. */
    answering(type: string | undefined, body: string | Buffer, headers: object = {}, status = 200): void {
      destination.answer = (_received, response) => {
        response.writeHead(status, { ...(type === undefined ? {} : { 'Content-Type': type }), ...headers });
        response.end(body);
      };
    },
  };
}

/** A failure of ours, wrapped, and nothing of a destination's. */
export function expectProblem(answer: Answer, status: number, text: RegExp): void {
  expect(answer.status, answer.text).to.equal(status);
  expect(Object.keys(answer.json)).to.deep.equal(['proxy_error']);
  expect(answer.json.proxy_error.status).to.equal(status);
  expect(answer.json.proxy_error).to.have.all.keys(errorMembers);
  expect(JSON.stringify(answer.json.proxy_error)).to.match(text);
  expect(answer.headers).to.not.have.property('svc-proxy-destination-status');
}
