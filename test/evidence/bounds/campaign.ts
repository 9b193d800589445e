import { readOpenApiDocument } from '@glovebox/openapi/document';

import { type Json, apiOf } from '../../harness/api.ts';
import { startDestination } from '../../harness/destination.ts';
import { type Estate, foundEstate } from '../../harness/estate.ts';
import { type PublicOperation, operationsOf } from '../../harness/public-operations.ts';
import { type System, startSystem } from '../../harness/system.ts';
import type { Campaign, CampaignOptions, Findings } from '../report/campaign.ts';
import { type Random, randomOf } from '../report/random.ts';
import { type Content, dearValues, foreignContents, mostBytes, mutate } from './bodies.ts';
import { type Cost, type Measured, costOf } from './cost.ts';

const mostMs = 50;
const mostMegabytes = 16;
/** How often each content is sent; the least counts. */
const times = 2;
const timesAgain = 7;
/** Far beyond what any of them takes. */
const patienceMs = 30_000;
/** How many steps the search goes on without a dearer one. */
const patience = { sample: 1, full: 3 };

export const bounds: Campaign = {
  name: 'bounds',
  title: 'Bounds of one request',
  guarantee: `No request of ${mostBytes / 1024} KB takes more than ${mostMs} ms of processor time, or ${mostMegabytes} MB, of a process that all tenants share.`,
  method:
    "For every route that takes a body, a search climbs from the documented example to the dearest body: it puts values that are dear to read, check, compile, search or store at random places, repeats parts, and keeps what took more. Routes that take any content get other kinds of it as well, compressed ones among them. The kernel's own counts of processor time and of the peak of resident memory are compared before and after a request, for each service and the processes that it has started; the least of three counts, since a collection of garbage is not the request's own. Code of tenants has limits of its own and is not run here.",
  async run(options) {
    await using system = await startSystem();
    return await boundAll(system, options);
  },
};

interface Worst {
  readonly route: string;
  readonly tried: number;
  readonly cpu: { readonly service: string; readonly ms: number; readonly what: string };
  readonly memory: { readonly service: string; readonly megabytes: number; readonly what: string };
}

/** @param only routes that match */
export async function boundAll(
  system: System,
  { seed, scale, say }: CampaignOptions,
  only = /^/,
): Promise<Findings> {
  await using destination = await startDestination();
  const random = randomOf(seed);
  const stage = await stageOf(system, destination.url);
  const worst: Worst[] = [];
  for (const operation of stage.operations.filter((one) => only.test(nameOf(one)))) {
    const found = await climb(stage, operation, random, patience[scale]);
    worst.push(found);
    say(
      `  ${found.route}: ${found.cpu.ms.toFixed(1)} ms of ${found.cpu.service}, ${found.cpu.what}; ${found.memory.megabytes.toFixed(1)} MB`,
    );
  }
  const dearest = worst.toSorted((a, b) => b.cpu.ms - a.cpu.ms);
  return {
    cases: worst.reduce((sum, { tried }) => sum + tried, 0),
    failures: [
      ...worst
        .filter(({ cpu }) => cpu.ms > mostMs)
        .map(({ route, cpu }) => `${route}: ${cpu.ms.toFixed(1)} ms of ${cpu.service}: ${cpu.what}`),
      ...worst
        .filter(({ memory }) => memory.megabytes > mostMegabytes)
        .map(
          ({ route, memory }) =>
            `${route}: ${memory.megabytes.toFixed(1)} MB of ${memory.service}: ${memory.what}`,
        ),
    ],
    tables: [
      {
        title: 'The dearest body of each route',
        head: ['route', 'tried', 'ms', 'of', 'body', 'MB', 'of'],
        rows: dearest.map(({ route, tried, cpu, memory }) => [
          route,
          String(tried),
          cpu.ms.toFixed(1),
          cpu.service,
          cpu.what,
          memory.megabytes.toFixed(1),
          memory.service,
        ]),
      },
    ],
    bars: {
      title: 'Processor time of the dearest request, by route',
      unit: 'ms',
      limit: mostMs,
      bars: dearest.slice(0, 25).map(({ route, cpu }) => ({ name: route, value: Number(cpu.ms.toFixed(1)) })),
    },
  };
}

interface Stage {
  readonly system: System;
  readonly estate: Estate;
  readonly operations: readonly PublicOperation[];
  readonly services: readonly Measured[];
  readonly tokenId: string;
  readonly proxyKey: string;
}

async function stageOf(system: System, destinationUrl: string): Promise<Stage> {
  const api = apiOf(system);
  const { key }: Json = await api.proxy(destinationUrl);
  const names = new Set(['token-vault', 'reactor-runner', 'control-api', 'proxy-gateway']);
  return {
    system,
    estate: await foundEstate(system),
    operations: operationsOf(readOpenApiDocument()).filter(
      ({ operation, path, method }) =>
        operation.requestBody !== undefined &&
        !(path === '/proxy/{path}' || (path === '/proxy' && method !== 'post')),
    ),
    services: system.dev.processes.filter(({ name }) => names.has(name)),
    tokenId: await api.token({ type: 'token', data: 'x'.repeat(1000) }),
    proxyKey: key,
  };
}

const nameOf = ({ method, path }: PublicOperation) => `${method.toUpperCase()} ${path}`;

/** From each beginning as long as something dearer is found. */
async function climb(stage: Stage, operation: PublicOperation, random: Random, most: number): Promise<Worst> {
  const route = nameOf(operation);
  let worst: Worst | undefined;
  let tried = 0;
  const measure = async (content: Content): Promise<number> => {
    const work = () => send(stage, operation, content);
    let [cpu, memory] = dearestOf(await costOf(stage.services, work, times));
    // What seems dear is measured again before it is called so.
    if (cpu.cost.cpuMs > (worst?.cpu.ms ?? 0) || memory.cost.megabytes > (worst?.memory.megabytes ?? 0))
      [cpu, memory] = dearestOf(await costOf(stage.services, work, timesAgain));
    tried += 1;
    const { what } = content;
    if (cpu.cost.cpuMs > (worst?.cpu.ms ?? -1) || memory.cost.megabytes > (worst?.memory.megabytes ?? -1)) {
      const byCpu = { service: cpu.service, ms: cpu.cost.cpuMs, what };
      const byMemory = { service: memory.service, megabytes: memory.cost.megabytes, what };
      worst = {
        route,
        tried,
        cpu: (worst?.cpu.ms ?? -1) >= byCpu.ms ? worst!.cpu : byCpu,
        memory: (worst?.memory.megabytes ?? -1) >= byMemory.megabytes ? worst!.memory : byMemory,
      };
    }
    return cpu.cost.cpuMs;
  };
  for (const beginning of beginningsOf(stage, operation, random, most)) {
    let best = { content: beginning, ms: await measure(beginning) };
    for (let vain = 0; vain < most;) {
      const content = mutate(best.content, stage.tokenId, random);
      const ms = await measure(content);
      vain = ms > best.ms * 1.1 ? 0 : vain + 1;
      if (ms > best.ms) best = { content, ms };
    }
  }
  if (worst === undefined) throw new Error(`nothing was tried at ${route}`);
  return { ...(worst as Worst), tried };
}

interface OfService {
  readonly service: string;
  readonly cost: Cost;
}

/** The service of which most processor time was taken, and the one that grew most. */
function dearestOf(costs: ReadonlyMap<string, Cost>): [OfService, OfService] {
  const all = [...costs].map(([service, cost]) => ({ service, cost }));
  const most = (of: (cost: Cost) => number) => all.toSorted((a, b) => of(b.cost) - of(a.cost))[0]!;
  return [most(({ cpuMs }) => cpuMs), most(({ megabytes }) => megabytes)];
}

function beginningsOf(
  stage: Stage,
  { path, operation }: PublicOperation,
  random: Random,
  most: number,
): Content[] {
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [
    'application/json',
    undefined,
  ];
  const isAny = /^\/proxy$/.test(path);
  const headers = { 'Content-Type': isAny || type.includes('*') ? 'application/json' : type };
  const example = {
    what: 'the example',
    bytes: Buffer.from(JSON.stringify(content?.example ?? {})),
    headers,
  };
  const alone = random
    .sample(Object.entries(dearValues(stage.tokenId)), isAny || /tokenize/.test(path) ? 99 : most)
    .map(([what, value]) => ({ what: `${what}, alone`, headers, bytes: Buffer.from(JSON.stringify(value)) }))
    .filter(({ bytes }) => bytes.length <= mostBytes);
  const foreign = isAny || most > 2 ? foreignContents(stage.tokenId) : [];
  return most > 2
    ? [example, ...alone.slice(0, isAny ? 99 : 4), ...(isAny ? foreign : random.sample(foreign, 3))]
    : [example];
}

async function send(stage: Stage, operation: PublicOperation, { bytes, headers }: Content): Promise<void> {
  const { dev } = stage.system;
  const isOfTokens = operation.permission.includes('token:') || operation.path.startsWith('/sessions');
  const { target } = stage.estate.request(operation);
  const answer = await fetch(
    `${dev.service_urls[operation.isOfGateway ? 'proxy-gateway' : 'control-api']}${target}`,
    {
      method: operation.method.toUpperCase(),
      headers: {
        ...headers,
        'SVC-API-KEY': isOfTokens || operation.isOfGateway ? dev.private_api_key : dev.management_api_key,
        ...(operation.path.startsWith('/proxy') && operation.isOfGateway
          ? { 'SVC-PROXY-KEY': stage.proxyKey }
          : {}),
      },
      body: new Uint8Array(bytes),
      signal: AbortSignal.timeout(patienceMs),
    },
  );
  await answer.arrayBuffer();
}
