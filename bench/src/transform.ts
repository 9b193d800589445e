import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { divideCores } from './measure/cores.ts';
import { chooseLoad } from './measure/load.ts';
import { reportResults } from './measure/results-file.ts';
import { type Contender, type Measured, type Sample, measureInRounds } from './measure/rounds.ts';
import { table } from './measure/table.ts';
import { nginxVersion } from './peers/nginx.ts';
import { workerdVersion } from './peers/workerd.ts';
import { type GoalResult, besidesTheGateway, judge } from './proxy/goals.ts';
import { readOptions } from './proxy/options.ts';
import { contenderTable, goalTable } from './proxy/report.ts';
import { type ColdStarts, measureColdStarts } from './transform/cold-starts.ts';
import { setStage } from './transform/stage.ts';

/** Compares a request with a token and a transform with a plain one, and with workerd, in one interleaved run. */
export async function run(): Promise<void> {
  const options = readOptions(process.argv.slice(3));
  const cores = divideCores();
  using scratch = mkdtempDisposableSync(join(tmpdir(), 'glovebox-bench-'));
  const load = chooseLoad(scratch.path);
  const [nginx, workerd] = [nginxVersion(), workerdVersion()];
  const setting = {
    load: `${load.description}, ${options.connections} connections, POST of 500 bytes`,
    destination: nginx ?? 'node:http; nginx is missing (Debian package nginx)',
    peer: workerd ?? 'none: workerd is not on PATH (npm package workerd), so there is no G5',
    cores: cores.description,
  };
  console.log(setting);

  await using stage = await setStage(scratch.path, cores, {
    nginx: nginx !== undefined,
    workerd: workerd !== undefined,
  });
  const contenders = [stage.plain, stage.transformed, stage.workerd].filter((one) => one !== undefined);
  const all = await measureInRounds(contenders, { ...options, load, onSample });
  const [plain, transformed, peer] = all as [Measured, Measured, Measured | undefined];
  const goals = [
    judge('G4', 'gateway, 1 token + transform / no token', 0.7, transformed, plain),
    ...(peer === undefined ? [] : [againstPeer(peer, transformed)]),
  ];
  const coldStarts = await measureColdStarts(stage.system, stage.destinationPort);

  const besides = `besides the gateway: ${besidesTheGateway(transformed, ['vault', 'runner', 'postgres'])}`;
  const tables = [contenderTable(all), besides, goalTable(goals, []), coldStartTable(coldStarts)];
  reportResults('transform', tables, { ...setting, ...options, all, goals, coldStarts });
}

/** G5 counts all of our processes that serve the request, round by round. */
function againstPeer(peer: Measured, ours: Measured): GoalResult {
  const whole = ({ cpu }: Sample) => (cpu['itself'] ?? 0) + (cpu['vault'] ?? 0) + (cpu['runner'] ?? 0);
  const samples = ours.samples.map((sample) => ({ ...sample, cpu: { itself: whole(sample) } }));
  const what = 'workerd / gateway + vault + runner, 1 token + transform';
  return judge('G5', what, 1.1, { ...ours, samples }, peer, 'cpu');
}

function coldStartTable(all: readonly ColdStarts[]): string {
  const rows = all.map(({ what, coldP50Ms, coldP95Ms, warmP50Ms }) => [
    `new code that needs ${what}`,
    coldP50Ms.toFixed(1),
    coldP95Ms.toFixed(1),
    warmP50Ms.toFixed(1),
    coldP50Ms <= 15 ? 'reached' : 'MISSED (p50 <= 15 ms)',
  ]);
  const head = ['first request, ms', 'p50', 'p95', 'warm p50', ''];
  return table(head, rows);
}

function onSample({ name }: Contender, { requestsPerSecond, cpu }: Sample): void {
  console.log(`  ${name}: ${requestsPerSecond.toFixed(0)}/s, ${(cpu['itself'] ?? 0).toFixed(1)} us`);
}
