import { setTimeout as sleep } from 'node:timers/promises';

import { cpuOf } from '../measure/cpu.ts';
import { residentBytes } from '../measure/resident-memory.ts';
import type { ClientCounts, ClientQuestion } from './clients-main.ts';
import { type FleetProcess, startProcess } from './messages.ts';
import type { ServerCounts } from './servers-main.ts';

const port = 39_431;
const zones = [7, 7, 6];
const servers = zones.reduce((sum, count) => sum + count, 0);
const clientProcesses = 3;
const clientsEach = 100;
/** Of each client; together 1500 a second, as many as two cores carry beside each other. */
const callsPerSecond = 5;
const seconds = 20;

/** What 300 clients and 20 servers do to one another, when each client connects to so many of them. */
export interface StreamFigures {
  readonly streamsOfServer: number;
  readonly connectedSeconds: number;
  readonly serverMegabytes: number;
  /** CPU of one server, in milliseconds of each second, while nothing is asked. */
  readonly idleMs: number;
  readonly serverUsPerCall: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Calls of the busiest server in proportion to the mean. */
  readonly busiest: number;
  readonly lostZone: { readonly failed: number; readonly sent: number };
  /** Until each client had as many streams as before, or as there are servers. */
  readonly replacedSeconds: number;
  readonly busiestAfterwards: number;
}

export async function measureStreams(most: number): Promise<StreamFigures> {
  const all = Array.from({ length: servers }, (_, at) => `127.0.1.${at + 1}`);
  using stack = new DisposableStack();
  const ofZones: FleetProcess[] = [];
  for (const [at, count] of zones.entries()) {
    const from = zones.slice(0, at).reduce((sum, one) => sum + one, 0);
    const hosts = all.slice(from, from + count);
    ofZones.push(stack.use(await startProcess('servers-main.ts', [String(port), ...hosts])));
  }
  const emptyBytes = memoryOf(ofZones);
  const since = performance.now();
  const args = [String(clientsEach), String(most), String(port), ...all];
  const clients: FleetProcess[] = [];
  for (let at = 0; at < clientProcesses; at += 1)
    clients.push(stack.use(await startProcess('clients-main.ts', args)));
  await untilReady(clients, most);
  const connectedSeconds = (performance.now() - since) / 1000;

  const pids = ofZones.map(({ pid }) => pid);
  await sleep(3000);
  const idleBefore = cpuOf(pids);
  await sleep(20_000);
  const idleMs = (cpuOf(pids) - idleBefore) / 1000 / 20 / servers;
  const serverMegabytes = (memoryOf(ofZones) - emptyBytes) / servers / 1024 / 1024;

  await callsOf(ofZones);
  const loadBefore = cpuOf(pids);
  const loaded = await load(clients, seconds);
  const serverUsPerCall = (cpuOf(pids) - loadBefore) / loaded.sent;
  const busiest = busiestOf(await callsOf(ofZones));

  const [lost, ...left] = ofZones;
  const losing = load(clients, seconds, Math.min(most, servers - (zones[0] ?? 0)));
  await sleep(3000);
  lost?.kill();
  const lostZone = await losing;
  await callsOf(left);
  await load(clients, seconds);
  const busiestAfterwards = busiestOf(await callsOf(left));
  const took = loaded.took.toSorted((one, other) => one - other);
  const at = (share: number) => took[Math.floor(took.length * share)] ?? Number.NaN;
  return {
    streamsOfServer: (clientProcesses * clientsEach * Math.min(most, servers)) / servers,
    connectedSeconds,
    serverMegabytes,
    idleMs,
    serverUsPerCall,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    busiest,
    lostZone: { failed: lostZone.failed, sent: lostZone.sent },
    replacedSeconds: lostZone.shortMs / 1000,
    busiestAfterwards,
  };
}

async function load(clients: readonly FleetProcess[], seconds: number, streams = 0): Promise<ClientCounts> {
  const question: ClientQuestion = { perSecond: callsPerSecond, seconds, streams };
  const all = await Promise.all(clients.map((one) => one.ask<ClientCounts>(question)));
  return {
    ready: all.flatMap(({ ready }) => ready),
    sent: all.reduce((sum, { sent }) => sum + sent, 0),
    failed: all.reduce((sum, { failed }) => sum + failed, 0),
    took: all.flatMap(({ took }) => took),
    shortMs: Math.max(...all.map(({ shortMs }) => shortMs)),
  };
}

async function untilReady(clients: readonly FleetProcess[], most: number): Promise<void> {
  for (;;) {
    const { ready } = await load(clients, 0);
    if (Math.min(...ready) >= Math.min(most, servers)) return;
    await sleep(100);
  }
}

async function callsOf(zones: readonly FleetProcess[]): Promise<number[]> {
  const all = await Promise.all(zones.map((one) => one.ask<ServerCounts>({})));
  return all.flatMap(({ calls }) => calls);
}

function busiestOf(calls: readonly number[]): number {
  const mean = calls.reduce((sum, count) => sum + count, 0) / calls.length;
  return Math.max(...calls) / mean;
}

function memoryOf(processes: readonly FleetProcess[]): number {
  return processes.reduce((sum, { pid }) => sum + residentBytes(pid), 0);
}
