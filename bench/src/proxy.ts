import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { divideCores } from './measure/cores.ts';
import { chooseLoad } from './measure/load.ts';
import { reportResults } from './measure/results-file.ts';
import { type Contender, type Sample, measureInRounds } from './measure/rounds.ts';
import { nginxVersion } from './peers/nginx.ts';
import { compareCheckouts } from './proxy/compare-checkouts.ts';
import { besidesTheGateway, judgeGoals } from './proxy/goals.ts';
import { measureLargeBodies } from './proxy/large-body.ts';
import { readOptions } from './proxy/options.ts';
import { contenderTable, goalTable } from './proxy/report.ts';
import { setStage } from './proxy/stage.ts';

/** Compares the gateway with plain reverse proxies in one interleaved run. */
export async function run(): Promise<void> {
  const options = readOptions(process.argv.slice(3));
  const cores = divideCores();
  using scratch = mkdtempDisposableSync(join(tmpdir(), 'glovebox-bench-'));
  const load = chooseLoad(scratch.path);
  const nginxFound = nginxVersion();
  const setting = {
    load: `${load.description}, ${options.connections} connections, POST of 500 bytes`,
    destination: nginxFound ?? 'node:http; nginx is missing (Debian package nginx), so there is no G2',
    cores: cores.description,
  };
  console.log(setting);
  const { against } = options;
  if (against !== undefined) {
    const measure = (contenders: readonly Contender[]) =>
      measureInRounds(contenders, { ...options, load, onSample });
    const compared = await compareCheckouts(against, scratch.path, cores, measure);
    const tables = [contenderTable(compared.all), goalTable(compared.goals, [])];
    reportResults('proxy-against', tables, { ...setting, ...options, ...compared });
    return;
  }

  await using stage = await setStage(scratch.path, cores, nginxFound !== undefined);
  const contenders = [
    stage.plain,
    stage.oneToken,
    stage.traced,
    stage.bare,
    stage.httpProxy,
    stage.nginx,
  ].filter((contender) => contender !== undefined);
  const all = await measureInRounds(contenders, { ...options, load, onSample });
  const of = (contender: Contender) => all[contenders.indexOf(contender)] ?? { name: '', samples: [] };
  const measured = {
    plain: of(stage.plain),
    oneToken: of(stage.oneToken),
    traced: of(stage.traced),
    bare: of(stage.bare),
    httpProxy: of(stage.httpProxy),
    nginx: stage.nginx && of(stage.nginx),
  };
  const { gateway, target } = await stage.freshGateway();
  const bodies = await measureLargeBodies(gateway, target);

  const goals = judgeGoals(measured);
  const besides = `besides the gateway, 1 token: ${besidesTheGateway(measured.oneToken, ['vault', 'postgres'])}`;
  const exported = `exports of traces received: ${stage.receiver.exports}`;
  const tables = [contenderTable(all), besides, exported, goalTable(goals, bodies)];
  reportResults('proxy', tables, { ...setting, ...options, all, goals, bodies });
}

function onSample({ name }: Contender, { requestsPerSecond, cpu }: Sample): void {
  console.log(`  ${name}: ${requestsPerSecond.toFixed(0)}/s, ${(cpu['itself'] ?? 0).toFixed(1)} us`);
}
