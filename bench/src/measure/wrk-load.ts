import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { LoadGenerator, LoadTarget } from './load.ts';
import { runCommand } from './run-command.ts';

/** @param scratch folder for wrk's scripts. */
export function wrkLoad(scratch: string, version: string): LoadGenerator {
  return {
    description: `${version}, 1 thread`,
    async run(target, seconds, connections) {
      const script = join(scratch, 'request.lua');
      writeFileSync(script, scriptFor(target));
      const output = await runCommand([
        'wrk',
        '-t1',
        `-c${connections}`,
        `-d${seconds}s`,
        '--timeout=10s',
        `-s${script}`,
        `http://127.0.0.1:${target.port}${target.path}`,
      ]);
      const [requests = 0, microseconds = 0, errors = 0, p50 = 0, p99 = 0] =
        /^RESULT (.*)$/m.exec(output)?.[1]?.split(' ').map(Number) ?? [];
      if (requests === 0) throw new Error(`wrk got no answer:\n${output}`);
      return { requests, seconds: microseconds / 1e6, errors, p50Ms: p50 / 1e3, p99Ms: p99 / 1e3 };
    },
  };
}

function scriptFor({ headers, body }: LoadTarget): string {
  const lines = Object.entries(headers).map(
    ([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`,
  );
  return `wrk.method = "POST"
wrk.body = ${JSON.stringify(body)}
${lines.join('\n')}
function done(summary, latency)
  local e = summary.errors
  io.write(string.format("RESULT %d %d %d %d %d\\n", summary.requests, summary.duration,
    e.status + e.connect + e.read + e.write + e.timeout, latency:percentile(50), latency:percentile(99)))
end
`;
}
