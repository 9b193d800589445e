import { type PublicationFigures, measurePublication } from './fleet/publication.ts';
import { type StreamFigures, measureStreams } from './fleet/streams.ts';
import { reportResults } from './measure/results-file.ts';
import { table } from './measure/table.ts';

const subscribers = 1000;
/** Of 20 servers. */
const choices = [20, 8] as const;

/**
 * A large fleet, simulated on one machine: announcements to a thousand readers, 300 clients of 20 servers all to all and in
 * subsets, and the loss of a zone. Postgres, Redis, control-api, channels and streams are real; readers and servers do nothing else.
 */
export async function run(): Promise<void> {
  const few = await measurePublication(0);
  const many = await measurePublication(subscribers);
  console.log('  publication is measured');
  const streams: StreamFigures[] = [];
  for (const most of choices) {
    streams.push(await measureStreams(most));
    console.log(`  streams to ${most} of 20 servers are measured`);
  }
  reportResults('fleet', [publicationTable(few, many), streamsTable(streams)], { few, many, streams });
}

function publicationTable(few: PublicationFigures, many: PublicationFigures): string {
  const ms = (values: readonly number[], share: number) => {
    const sorted = values.toSorted((one, other) => one - other);
    return (sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(1);
  };
  const row = (name: string, of: (one: PublicationFigures) => readonly number[]) => [
    name,
    ms(of(few), 0.5),
    ms(of(few), 0.95),
    ms(of(many), 0.5),
    ms(of(many), 0.95),
  ];
  return table(
    ['an update of a proxy, ms', 'no reader: p50', 'p95', `${subscribers} readers: p50`, 'p95'],
    [
      row('until it is answered', ({ put }) => put),
      row('from then until the last reader has heard', ({ heard }) => heard),
    ],
  );
}

function streamsTable(all: readonly StreamFigures[]): string {
  const row = (name: string, of: (one: StreamFigures) => string) => [name, ...all.map(of)];
  return table(
    ['300 clients, 20 servers; each client connects to', ...choices.map(String)],
    [
      row('streams of each server', (one) => one.streamsOfServer.toFixed(0)),
      row('until all are connected, s', (one) => one.connectedSeconds.toFixed(1)),
      row('memory of each server for them, MB', (one) => one.serverMegabytes.toFixed(1)),
      row('CPU of each server without calls, ms a second', (one) => one.idleMs.toFixed(2)),
      row('CPU of the servers for a call, us', (one) => one.serverUsPerCall.toFixed(0)),
      row('a call, p50 ms', (one) => one.p50Ms.toFixed(1)),
      row('a call, p99 ms', (one) => one.p99Ms.toFixed(1)),
      row('calls of the busiest server / mean', (one) => one.busiest.toFixed(2)),
      row('a zone of 7 is killed: calls failed', ({ lostZone }) => `${lostZone.failed} of ${lostZone.sent}`),
      row('  until all have their streams again, s', (one) => one.replacedSeconds.toFixed(1)),
      row('  calls of the busiest server / mean', (one) => one.busiestAfterwards.toFixed(2)),
    ],
  );
}
