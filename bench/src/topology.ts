import { mkdtempDisposableSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';

import { findHaproxy } from '../../test/harness/haproxy-program.ts';
import { divideCores } from './measure/cores.ts';
import { chooseLoad } from './measure/load.ts';
import { type Spread, spreadOf } from './measure/median.ts';
import { reportResults } from './measure/results-file.ts';
import { type Contender, type Measured, type Sample, measureInRounds } from './measure/rounds.ts';
import { table } from './measure/table.ts';
import { nginxVersion } from './peers/nginx.ts';
import { readOptions } from './proxy/options.ts';
import { contenderTable } from './proxy/report.ts';
import { setStage } from './topology/stage.ts';

/**
 * Compares one gateway with two and three behind a balancer in one interleaved run. Where they share a core, requests per second
 * say how busy the machine is, and CPU per request what another gateway would add on a core of its own.
 */
export async function run(): Promise<void> {
  const options = readOptions(process.argv.slice(3));
  const haproxy = await findHaproxy();
  if (haproxy === undefined) throw new Error('there is no haproxy, and Debian’s package cannot be fetched');
  const cores = divideCores();
  using scratch = mkdtempDisposableSync(join(tmpdir(), 'glovebox-bench-'));
  const load = chooseLoad(scratch.path);
  const nginx = nginxVersion();
  const setting = {
    load: `${load.description}, ${options.connections} connections for each gateway, POST of 500 bytes`,
    destination: nginx ?? 'node:http; nginx is missing (Debian package nginx)',
    cores: cores.description,
  };
  console.log(setting);

  await using stage = await setStage(scratch.path, cores, haproxy, nginx !== undefined);
  const machineLoad: number[] = [];
  const all = await measureInRounds(stage.contenders, {
    ...options,
    load,
    onSample(contender, sample) {
      machineLoad.push(loadavg()[0] ?? 0);
      onSample(contender, sample);
    },
  });
  const scaling = all.map((one) => scalingOf(one, all[0] ?? one));
  const meanwhile = `load of the machine meanwhile: ${spreadText(spreadOf(machineLoad))}`;
  const tables = [contenderTable(all), scalingTable(scaling), meanwhile];
  reportResults('topology', tables, { ...setting, ...options, all, scaling, machineLoad });
}

interface Scaling {
  readonly name: string;
  /** Requests for each second of CPU that the gateways took together. */
  readonly perCpuSecond: Spread;
  /** The same in proportion to one gateway's, round by round: 1 where nothing is lost by there being more. */
  readonly byCpu: Spread;
  readonly byRequests: Spread;
}

function scalingOf({ name, samples }: Measured, one: Measured): Scaling {
  const perCpuSecond = ({ cpu }: Sample) => 1e6 / (cpu['itself'] ?? 0);
  const ratios = (of: (sample: Sample) => number) =>
    spreadOf(samples.map((sample, round) => of(sample) / of(one.samples[round] ?? sample)));
  return {
    name,
    perCpuSecond: spreadOf(samples.map(perCpuSecond)),
    byCpu: ratios(perCpuSecond),
    byRequests: ratios(({ requestsPerSecond }) => requestsPerSecond),
  };
}

function scalingTable(all: readonly Scaling[]): string {
  return table(
    ['', 'requests/CPU second of gateways', 'against 1 gateway', 'requests/s against 1 gateway'],
    all.map(({ name, perCpuSecond, byCpu, byRequests }) => [
      name,
      spreadText(perCpuSecond, 0),
      `${spreadText(byCpu)}x`,
      `${spreadText(byRequests)}x`,
    ]),
  );
}

const spreadText = ({ median, min, max }: Spread, digits = 2) =>
  `${median.toFixed(digits)} (${min.toFixed(digits)}-${max.toFixed(digits)})`;

function onSample({ name }: Contender, { requestsPerSecond, cpu }: Sample): void {
  console.log(`  ${name}: ${requestsPerSecond.toFixed(0)}/s, ${(cpu['itself'] ?? 0).toFixed(1)} us`);
}
