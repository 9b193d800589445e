import { mkdtempDisposableSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { portOf } from '@glovebox/platform/http/port-of';

import { apiOf } from '../../test/harness/api.ts';
import { startSystem } from '../../test/harness/system.ts';
import { divideCores } from './measure/cores.ts';
import { chooseLoad } from './measure/load.ts';
import { spreadOf } from './measure/median.ts';
import { reportResults } from './measure/results-file.ts';
import { type Contender, cpuPerRequest, measureInRounds } from './measure/rounds.ts';
import { table } from './measure/table.ts';
import { startGateway } from './proxy/gateways.ts';
import { readOptions } from './proxy/options.ts';
import { requireSuccess } from './proxy/requests.ts';

/** The share of the gateway's CPU that the leak guard may take of a request with one token and an answer of 2 KB. */
const goalPercent = 3;
const answerBytes = 2048;
const modes = ['off', 'report', 'mask', 'refuse'] as const;

/** Compares the modes of the leak guard in one gateway, in turns. */
export async function run(): Promise<void> {
  const options = readOptions(process.argv.slice(3));
  const cores = divideCores();
  using scratch = mkdtempDisposableSync(join(tmpdir(), 'glovebox-bench-'));
  const load = chooseLoad(scratch.path);
  await using system = await startSystem();
  const api = apiOf(system);
  using destination = await startAnswers();
  await using gateway = await startGateway(system, cores, 'gateway-guarded');
  const token = await api.token({ type: 'token', data: '4111111145551142' });
  const rule = { priority: 1, container: '/', transform: 'reveal', permissions: ['token:use'] };
  const { key } = await api.application({ name: 'bench', type: 'private', rules: [rule] });
  const contenders: Contender[] = [];
  for (const mode of modes) {
    const proxy = await api.proxy(destination.url, { response_guard: mode });
    const headers = { 'Content-Type': 'application/json', 'SVC-API-KEY': key, 'SVC-PROXY-KEY': proxy.key };
    const body = JSON.stringify({ card: `{{ ${token} }}`, amount: 1099, currency: 'EUR' });
    const target = { port: gateway.port, path: '/proxy/charges', headers, body };
    await requireSuccess(mode, target);
    contenders.push({ name: mode, target, processes: { itself: () => [gateway.pid] } });
  }
  const onSample = () => undefined;
  const measured = await measureInRounds(contenders, { ...options, load, onSample });
  const [off] = measured;
  if (off === undefined) throw new Error('nothing was measured');
  const rows = measured.map((one) => {
    const shares = one.samples.map(
      ({ cpu }, round) => (cpu['itself'] ?? 0) / (off.samples[round]?.cpu['itself'] ?? 1),
    );
    return { mode: one.name, cpu: cpuPerRequest(one), share: spreadOf(shares) };
  });
  const percent = (share: number) => `${((share - 1) * 100).toFixed(1)} %`;
  const shown = rows.map(({ mode, cpu, share }) => [
    mode,
    cpu.median.toFixed(1),
    percent(share.median),
    percent(share.min),
    percent(share.max),
  ]);
  const modesTable = table(['mode', 'us of CPU', 'more than off', 'least', 'most'], shown);
  const report = rows.find(({ mode }) => mode === 'report')?.share.median ?? Number.NaN;
  const judged = `report: ${percent(report)} of at most ${goalPercent} %`;
  reportResults('guard', [modesTable, judged], { ...options, cores: cores.description, rows });
}

/** A destination that answers as a payment service does, with digits and dates, and without the value. */
async function startAnswers(): Promise<Disposable & { readonly url: string }> {
  const charge = (at: number) => ({
    id: `ch_3MmlLrLkdIwHu7ix0snN0B${10 + at}`,
    amount: 1099 + at,
    created: 1_679_090_539 + at,
    at: '2026-11-23T02:14:29.123Z',
  });
  const text = JSON.stringify({ ok: true, charges: Array.from({ length: 30 }, (_, at) => charge(at)) });
  const body = text.slice(0, answerBytes);
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      response
        .writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length })
        .end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = portOf(server);
  return {
    url: `http://localhost:${port}`,
    [Symbol.dispose]: () => {
      server.close().closeAllConnections();
    },
  };
}
