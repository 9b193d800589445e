/** Stands for gateways: `<how many> <most servers of each> <port> <host> …`. Each has a channel and streams of its own. */
import { setTimeout as sleep } from 'node:timers/promises';

import { createGrpcChannel } from '@glovebox/platform/grpc/client';
import { Secret } from '@glovebox/platform/values/secret';

import { connectCallStream } from '../../../packages/platform/test/call-stream-echo.ts';
import { EchoService, callerToken } from '../../../packages/platform/test/grpc-echo.ts';
import { answerQuestions } from './messages.ts';

export interface ClientQuestion {
  /** So many calls of each client every second, for so long; 0 seconds: none. */
  readonly perSecond: number;
  readonly seconds: number;
  /** Streams that each client should have. */
  readonly streams: number;
}

export interface ClientCounts {
  /** Streams that could be written to, of each client. */
  readonly ready: readonly number[];
  readonly sent: number;
  readonly failed: number;
  /** Milliseconds from each call to its reply. */
  readonly took: readonly number[];
  /** For how long some client had fewer streams than it should, in milliseconds. */
  readonly shortMs: number;
}

const [count = '', most = '', port = '', ...hosts] = process.argv.slice(2);
const callTimeoutMs = 5000;

const clients = Array.from({ length: Number(count) }, () => {
  const channel = createGrpcChannel({
    address: `vaults.test:${port}`,
    token: new Secret(callerToken),
    lookup: () => Promise.resolve(hosts),
    most: Number(most),
  });
  return connectCallStream(Number(port), {
    openStream: (peer) => channel.stream(EchoService.exchange, peer),
    peers: channel,
  });
});

answerQuestions(async ({ perSecond, seconds, streams }: ClientQuestion): Promise<ClientCounts> => {
  const took: number[] = [];
  let failed = 0;
  let sent = 0;
  let shortMs = 0;
  const lookEveryMs = 100;
  const looking = setInterval(() => {
    if (clients.some(({ client }) => client.readyPeers < streams)) shortMs += lookEveryMs;
  }, lookEveryMs);
  const end = performance.now() + seconds * 1000;
  const runClient = async ({ client }: (typeof clients)[number]) => {
    await sleep((Math.random() * 1000) / perSecond);
    while (performance.now() < end) {
      const since = performance.now();
      sent += 1;
      await client.call({ text: 'x'.repeat(200) }, { deadline: Date.now() + callTimeoutMs }).then(
        () => took.push(performance.now() - since),
        () => (failed += 1),
      );
      await sleep(Math.max(0, 1000 / perSecond - (performance.now() - since)));
    }
  };
  if (seconds > 0) await Promise.all(clients.map(runClient));
  clearInterval(looking);
  return { ready: clients.map(({ client }) => client.readyPeers), sent, failed, took, shortMs };
});
