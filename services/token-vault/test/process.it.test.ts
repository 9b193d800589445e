import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createGrpcChannel } from '@glovebox/platform/grpc/client';
import { Secret } from '@glovebox/platform/values/secret';
import { expect } from 'chai';

import { ExchangeClient } from './harness/exchange-client.ts';
import { Fixture, card } from './harness/fixture.ts';
import { portOf, spawnVault } from './harness/vault-process.ts';
import { prepareGround } from './harness/vault.ts';

async function textOf(stream: NodeJS.ReadableStream | null): Promise<string> {
  let text = '';
  for await (const chunk of stream ?? []) text += String(chunk);
  return text;
}

describe('the vault as a process', () => {
  it('names every problem of its configuration, and ends with 78', async () => {
    const child = spawnVault({
      GRPC_PORT: 'x',
      DATABASE_URL: 'mysql://x',
      PEERS: 'a=b',
      MAX_BODY_BYTES: '0',
    });
    const [stderr, [exitCode]] = await Promise.all([textOf(child.stderr), once(child, 'exit')]);
    expect(exitCode).to.equal(78);
    for (const name of ['GRPC_PORT', 'DATABASE_URL', 'REDIS_URL', 'KEY_FILE', 'PEERS', 'MAX_BODY_BYTES']) {
      expect(stderr).to.include(name);
    }
  });

  it('is not ready with the key file of other data', async () => {
    await using fixture = await Fixture.start();
    await fixture.token();
    await using other = await prepareGround(fixture.publisher.prefix);
    await using vault = await fixture.anotherVault({ KEY_FILE: other.env['KEY_FILE'] as string });
    const response = await fetch(`http://127.0.0.1:${vault.vault.vault.metricsPort}/readyz`);
    expect(response.status).to.equal(503);
    const { reasons } = (await response.json()) as { reasons: { keys?: string } };
    expect(Object.keys(reasons)).to.deep.equal(['keys']);
    expect(reasons.keys).to.match(
      /^the keys in the database cannot be unwrapped: .* under "local-[0-9a-f]{8}"/,
    );
  });

  it('ends in order, with 1, by an error that nothing catches', async () => {
    await using fixture = await Fixture.start();
    const failing = "process.on('SIGUSR2', () => { throw new Error('it broke'); })";
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(failing)}`;
    const child = spawnVault({ ...fixture.ground.env, NODE_OPTIONS });
    await portOf(child);
    const stdout = textOf(child.stdout);
    child.kill('SIGUSR2');
    const [exitCode] = (await once(child, 'exit')) as [number];
    expect(exitCode).to.equal(1);
    expect(await stdout).to.match(/"level":"fatal".*"it broke"[^]*"stopping"/);
  });

  describe('with tracing', () => {
    let fixture: Fixture;
    let collector: Collector;
    let child: ChildProcess;
    let stdout: Promise<string>;
    let gateway: ExchangeClient;
    let close: () => void;

    before(async () => {
      fixture = await Fixture.start();
      collector = await Collector.start();
      child = spawnVault({
        ...fixture.ground.env,
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
        OTEL_BSP_SCHEDULE_DELAY: '50',
      });
      const port = await portOf(child);
      stdout = textOf(child.stdout);
      const token = new Secret(fixture.ground.tokens['proxy-gateway']);
      const channel = createGrpcChannel({ address: `127.0.0.1:${port}`, token });
      gateway = new ExchangeClient(channel);
      close = () => channel.close();
    });
    after(async () => {
      await gateway[Symbol.asyncDispose]();
      close();
      child.kill('SIGKILL');
      await collector[Symbol.asyncDispose]();
      await fixture[Symbol.asyncDispose]();
    });

    it('puts a sampled call and its queries into the trace of the caller, and no value into a span', async () => {
      const id = await fixture.token();
      const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
      const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
      await gateway.use(fixture.owner, [id], { traceparent });
      const spans = await collector.spansOf(traceId, 3);
      const call = spans.find(({ name }) => name === 'vault.detokenize');
      expect(call).to.include({ parentSpanId: '00f067aa0ba902b7' });
      const queries = spans.filter(({ parentSpanId }) => parentSpanId === call?.spanId);
      expect(queries.map(({ name }) => name)).to.include.members([
        'postgres tokens-select',
        'postgres audit-insert',
      ]);
      expect(JSON.stringify(spans)).not.to.include(card.number).and.not.to.include(id);
    });

    it('makes no span for a call whose trace is not recorded', async () => {
      const id = await fixture.token();
      const traceId = 'a3ce929d0e0e47364bf92f3577b34da6';
      await gateway.use(fixture.owner, [id], { traceparent: `00-${traceId}-00f067aa0ba902b7-00` });
      await gateway.use(fixture.owner, [id]);
      const marker = '0af7651916cd43dd8448eb211c80319c';
      await gateway.use(fixture.owner, [id], { traceparent: `00-${marker}-00f067aa0ba902b7-01` });
      await collector.spansOf(marker, 2);
      expect(collector.spans.map((span) => span.traceId)).not.to.include(traceId);
    });

    it('ends in order when it is asked to, with 0', async () => {
      child.kill('SIGTERM');
      const [exitCode] = (await once(child, 'exit')) as [number];
      expect(exitCode).to.equal(0);
      expect(await stdout).to.include('"stopping"');
    });
  });
});

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
}

/** Takes traces over OTLP (HTTP with JSON). */
class Collector implements AsyncDisposable {
  readonly spans: Span[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      void textOf(request).then((body) => {
        const { resourceSpans } = JSON.parse(body) as {
          resourceSpans: { scopeSpans: { spans: Span[] }[] }[];
        };
        for (const { scopeSpans } of resourceSpans) {
          for (const { spans } of scopeSpans) this.spans.push(...spans);
        }
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    });
  }

  static async start(): Promise<Collector> {
    const collector = new Collector();
    await new Promise<void>((resolve) => collector.#server.listen(0, '127.0.0.1', resolve));
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async spansOf(traceId: string, count: number): Promise<Span[]> {
    for (;;) {
      const found = this.spans.filter((span) => span.traceId === traceId);
      if (found.length >= count) return found;
      await once(this.#server, 'request');
      await new Promise(setImmediate);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
