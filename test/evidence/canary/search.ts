import { readFileSync } from 'node:fs';

import { readRunning } from '@glovebox/local/run-journal';

import { apiOf } from '../../harness/api.ts';
import { spellings } from '../../harness/canary/canary.ts';
import { dumpDatabase, dumpRedis, filesBelow } from '../../harness/canary/dumps.ts';
import type { System } from '../../harness/system.ts';

/** A place that was searched, and what was found there. */
export interface Searched {
  readonly place: string;
  readonly files: number;
  readonly bytes: number;
  readonly found: readonly string[];
}

/** Everything that a running system has written down, and what others were told. Stops the system, so that nothing is under way. */
export async function searchEverything(
  system: System,
  values: readonly string[],
  told: Readonly<Record<string, () => string>>,
): Promise<Searched[]> {
  const running = readRunning(system.stateDir)?.system;
  if (running === undefined) throw new Error('the system is not running');
  const wanted = values.flatMap((value) => everySpelling(value).map((spelling) => Buffer.from(spelling)));
  const searched = new Map<string, { files: number; bytes: number; found: string[] }>();
  const search = (place: string, name: string, content: Buffer) => {
    const one = searched.get(place) ?? { files: 0, bytes: 0, found: [] };
    one.files += 1;
    one.bytes += content.length;
    for (const spelling of wanted)
      if (content.includes(spelling)) one.found.push(`${name}: ${spelling.toString()}`);
    searched.set(place, one);
  };
  for (const [name, url] of Object.entries(running.databases))
    search('rows of the databases', name, Buffer.from(await dumpDatabase(url)));
  search(
    'values in Redis, queues among them',
    'redis',
    Buffer.from(await dumpRedis(running.redisUrl), 'latin1'),
  );
  for (const [name, port] of Object.entries(running.ports).filter(([each]) => each.endsWith('-metrics'))) {
    const metrics = await fetch(`http://127.0.0.1:${port}/metrics`);
    search('metrics', name, Buffer.from(await metrics.text()));
  }
  const exported = await apiOf(system).manage('GET', '/logs/export');
  search('exports of the audit log', 'export', Buffer.from(exported.text));
  const { data_dirs: dataDirs, log_files: logFiles } = system.dev;
  await system.stop();
  for (const [place, text] of Object.entries(told)) search(place, place, Buffer.from(text()));
  for (const path of logFiles) search('logs of the services', path, readFileSync(path));
  for (const path of dataDirs.flatMap(filesBelow)) search(placeOf(path), path, readFileSync(path));
  return [...searched].map(([place, one]) => ({ place, ...one }));
}

const placeOf = (path: string) => {
  if (path.includes('/pg_wal/')) return 'files of Postgres: write-ahead log';
  if (path.includes('/postgres/')) return 'files of Postgres: all others';
  if (path.includes('/snapshots/')) return 'snapshots';
  return path.includes('redis') ? 'files of Redis' : 'other files';
};

/** Also in a URL, and digits in groups. */
function everySpelling(value: string): string[] {
  const groups = (size: number, by: string) =>
    value.match(new RegExp(`.{1,${size}}`, 'g'))?.join(by) ?? value;
  const split = /^\d+$/.test(value) ? [' ', '-', '.'].flatMap((by) => [groups(4, by), groups(1, by)]) : [];
  const hex = Buffer.from(value).toString('hex');
  return [...new Set([...spellings(value), hex.toUpperCase(), encodeURIComponent(value), ...split])];
}
