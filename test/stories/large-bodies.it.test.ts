import { type ClientRequest, type IncomingMessage, request } from 'node:http';

import { expect } from 'chai';

import { apiOf } from '../harness/api.ts';
import { type Destination, startDestination } from '../harness/destination.ts';
import { type System, startSystem } from '../harness/system.ts';
import { until } from '../harness/until.ts';

/** docs/settings.md: MAX_HELD_BYTES. */
describe('large bodies', () => {
  let system: System;
  let destination: Destination;
  let headers: Record<string, string>;

  before(async () => {
    const bounds = { MAX_SEARCHED_BYTES: '1048576', MAX_FILLED_BYTES: '1048576', MAX_HELD_BYTES: '4194304' };
    system = await startSystem({ env: bounds });
    destination = await startDestination();
    const proxy = await apiOf(system).proxy(destination.url);
    headers = {
      'content-type': 'application/json',
      'SVC-API-KEY': system.dev.private_api_key,
      'SVC-PROXY-KEY': proxy.key,
    };
  });
  after(async () => {
    await destination[Symbol.asyncDispose]();
    await system[Symbol.asyncDispose]();
  });

  const body = Buffer.from(JSON.stringify({ text: 'x'.repeat(1_000_000) }));

  /** Straight to the gateway: the edge of `npm start` has buffers of its own. */
  const begin = (): { sending: ClientRequest; status: Promise<number | undefined> } => {
    const url = `${system.dev.service_urls['proxy-gateway']}/proxy`;
    const sending = request(url, { method: 'POST', headers: { ...headers, 'content-length': body.length } });
    const status = new Promise<IncomingMessage>((resolve, reject) =>
      sending.on('response', resolve).on('error', reject),
    ).then((answer) => answer.resume().statusCode);
    return { sending, status };
  };
  const send = async (): Promise<number | undefined> => {
    const { sending, status } = begin();
    sending.end(body);
    return await status;
  };

  const fillShare = async () => {
    const half = () => {
      const begun = begin();
      begun.status.catch(() => undefined);
      begun.sending.write(body.subarray(0, -1));
      return begun;
    };
    const unfinished = [half(), half()];
    await until('one more is refused', async () => {
      if ((await send()) === 429) return true;
      // That one may have had the room of another, which was refused.
      unfinished.push(half());
      return false;
    });
    return unfinished;
  };

  it('that one tenant has under way are refused beyond its share; small ones are not, and afterwards none is', async () => {
    const unfinished = await fillShare();
    const small = await fetch(`${system.dev.service_urls['proxy-gateway']}/proxy`, {
      method: 'POST',
      headers,
      body: '{"text":"x"}',
    });
    expect(small.status).to.equal(200);
    for (const { sending } of unfinished) sending.end(body.subarray(-1));
    const statuses = await Promise.all(unfinished.map(({ status }) => status.catch(() => 429)));
    expect(statuses.filter((status) => status === 200)).to.have.length(2);
    await until('there is room again', async () => (await send()) === 200);
  });

  it('whose clients go away take no room', async () => {
    const broken = await fillShare();
    for (const { sending } of broken) {
      sending.destroy();
    }
    await until('there is room again', async () => (await send()) === 200);
  });
});
