/** Sends one request over and over on keep-alive connections and prints a LoadResult as JSON. */
import { connect } from 'node:net';

import type { LoadResult, LoadTarget } from './load.ts';

interface Job {
  readonly target: LoadTarget;
  readonly seconds: number;
  readonly connections: number;
}

const { target, seconds, connections }: Job = JSON.parse(process.argv[2] ?? '');
const request = Buffer.from(
  [
    `POST ${target.path} HTTP/1.1`,
    `Host: 127.0.0.1:${target.port}`,
    ...Object.entries(target.headers).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(target.body)}`,
    '',
    target.body,
  ].join('\r\n'),
);
const latencies: number[] = [];
let errors = 0;
const startedAt = performance.now();
const endAt = startedAt + seconds * 1000;
await Promise.all(Array.from({ length: connections }, sendUntilTheEnd));
const took = (performance.now() - startedAt) / 1000;
latencies.sort((a, b) => a - b);
const percentile = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0;
const result: LoadResult = {
  requests: latencies.length,
  seconds: took,
  errors,
  p50Ms: percentile(0.5),
  p99Ms: percentile(0.99),
};
process.stdout.write(JSON.stringify(result));

function sendUntilTheEnd(): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(target.port, '127.0.0.1');
    socket.setNoDelay(true);
    let received = '';
    let sentAt = 0;
    const send = () => {
      sentAt = performance.now();
      socket.write(request);
    };
    socket.on('connect', send);
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (!isWhole(received)) return;
      latencies.push(performance.now() - sentAt);
      if (!received.startsWith('HTTP/1.1 2')) errors += 1;
      received = '';
      if (performance.now() < endAt) send();
      else socket.end();
    });
    socket.on('error', () => {
      errors += 1;
    });
    socket.on('close', () => resolve());
  });
}

function isWhole(response: string): boolean {
  const end = response.indexOf('\r\n\r\n');
  if (end === -1) return false;
  const length = /\r\ncontent-length: *(\d+)/i.exec(response.slice(0, end))?.[1];
  return length === undefined
    ? response.endsWith('\r\n0\r\n\r\n')
    : response.length >= end + 4 + Number(length);
}
