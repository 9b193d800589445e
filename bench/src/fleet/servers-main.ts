/** Stands for the vaults of one zone: `<port> <host> …`. Each answers calls at once, with nothing behind it. */
import { createLogger } from '@glovebox/platform/telemetry/logger';

import { startCallStreamServer } from '../../../packages/platform/test/call-stream-echo.ts';
import { answerQuestions } from './messages.ts';

export interface ServerCounts {
  /** Of each server: calls since the last question. */
  readonly calls: readonly number[];
}

const [port = '', ...hosts] = process.argv.slice(2);
const counts = hosts.map(() => 0);
for (const [at, host] of hosts.entries()) {
  await startCallStreamServer(
    (calls) => {
      counts[at] = (counts[at] ?? 0) + calls.length;
      for (const inbound of calls) inbound.reply({ id: inbound.call.id, text: inbound.call.text });
    },
    { host, port: Number(port), logger: silent() },
  );
}

answerQuestions((): ServerCounts => {
  const calls = [...counts];
  counts.fill(0);
  return { calls };
});

function silent() {
  return createLogger({ service: 'fleet', level: 'fatal' });
}
