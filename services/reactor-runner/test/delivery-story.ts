import { randomBytes, randomUUID } from 'node:crypto';

import type { Webhook, WebhookSecret } from '@glovebox/protos/published/v1/published';

import type { RunnerConfig } from '../src/config.ts';
import { Publisher } from './published.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { type TestRunner, startTestRunner } from './runner.ts';
import { until } from './until.ts';
import { type SealingVault, startSealingVault } from './vault.ts';

const all = ['reactor.invoked', 'reactor.completed', 'reactor.failed'];

export const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

/** As the vault that stands in for the real one seals. */
export function sealed(
  tenantId: string,
  webhookId: string,
  secret: string,
  number: number,
  endsAt = 0,
): WebhookSecret {
  const place = { tenantId, recordId: webhookId, field: `secret.${number}` };
  return { number, sealed: Buffer.from(JSON.stringify(place) + secret), endsAt };
}

interface Parts {
  publisher: Publisher;
  vault: SealingVault;
  runner: TestRunner;
  receiver: Receiver;
  /** On a port at which the platform itself could listen. */
  closed: Receiver;
  tenant: string;
  apiKey: string;
}

/** A runner, and for each test a tenant and an address of its own that receives events. */
export function deliveryStory(limits: Partial<RunnerConfig['limits']> = {}) {
  const parts = {} as Parts;
  before(async () => {
    parts.publisher = await Publisher.start();
    parts.vault = await startSealingVault('token-of-the-runner');
    parts.closed = await startReceiver();
    parts.runner = await startTestRunner({
      redis: parts.publisher.connection,
      vaultAddress: parts.vault.address,
      limits,
      egress: { denied: [{ address: '0.0.0.0', port: Number(new URL(parts.closed.url).port) }] },
    });
  });
  after(async () => {
    const { runner, closed, vault, publisher } = parts;
    for (const part of [runner, closed, vault, publisher]) await part[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    parts.receiver = await startReceiver();
    parts.tenant = randomUUID();
    parts.apiKey = await parts.publisher.application(parts.tenant, ['token:use']);
  });
  afterEach(() => parts.receiver[Symbol.asyncDispose]());
  const call = (reactorId: string, body: object = {}) => {
    return { reactorId, apiKey: parts.apiKey, body: Buffer.from(JSON.stringify(body)) };
  };
  return Object.assign(parts, {
    endpoint(secret: string, more: Partial<Webhook> = {}, owner = parts.tenant): Webhook {
      const id = randomUUID();
      const secrets = [sealed(owner, id, secret, 1)];
      return { id, url: `${parts.receiver.url}/hook`, events: all, secrets, ...more };
    },
    react: (...of: Parameters<typeof call>) => parts.runner.react(call(...of)),
    reactAsync: (...of: Parameters<typeof call>) => parts.runner.reactAsync(call(...of)),
    told: (count: number) => until(`${count} came`, () => parts.receiver.received.length >= count),
    /** Once the runner's log holds such a line. */
    logged: (pattern: RegExp) =>
      until(`${pattern} is logged`, () => parts.runner.log.some((line) => pattern.test(line))),
  });
}
