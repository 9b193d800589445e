import { expect } from 'chai';

import type { ProxyInvocation } from '../resolve/proxy-invocation.ts';
import { type ForwardDependencies, forward } from './forward.ts';

/** Fails the test as soon as anything of it is used. */
const untouched = (what: string): never =>
  new Proxy(
    {},
    {
      get: (_target, name) => {
        throw new Error(`${what}.${String(name)} was used`);
      },
    },
  ) as never;

describe('a request that is forwarded', () => {
  it('is sent nowhere but to the host that was stated to the vault', async () => {
    const destination = { origin: 'https://b.example', place: 'b.example:443', path: '/', connection: [] };
    const message = { headers: [], contentLength: undefined, decoded: false, body: null };
    const dependencies = {
      published: untouched('published'),
      dispatchers: untouched('dispatcher'),
      maxTransformedBytes: 1,
    } as ForwardDependencies;
    const stated = { destination: 'a.example:443', code: [], anywhere: false };
    for (const reach of [stated, undefined]) {
      const invocation = {
        exchange: untouched('exchange'),
        proxy: untouched('proxy'),
        progress: untouched('progress'),
        filled: undefined,
        reach,
      } as unknown as ProxyInvocation;
      const failure = await forward(
        invocation,
        destination,
        untouched('passage'),
        message,
        dependencies,
      ).catch((e: unknown) => e);
      expect(failure).to.include({ code: 'internal' });
      expect(failure)
        .to.have.property('cause')
        .with.property('message', 'the destination is not the one that was stated to the vault');
    }
  });
});
