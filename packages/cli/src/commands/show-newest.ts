import { setTimeout as sleep } from 'node:timers/promises';

import type { JsonObject } from '../api/json.ts';
import { UsageError } from '../terminal/cli-error.ts';
import { interruption } from '../terminal/interrupt.ts';
import type { Call } from './command.ts';

export interface Newest {
  /** Most that can be read at once. */
  readonly most: number;
  /** So many at most, the newest first. */
  readonly read: (size: number) => Promise<readonly JsonObject[]>;
  readonly lineOf: (entry: JsonObject) => string;
  /** What to say when there are none to begin with. */
  readonly none?: string;
}

const followMs = 2000;
const followed = 1000;

/** Shows as many entries as `--size` says, the newest last, and with `--follow` new ones until Ctrl-C. @throws UsageError */
export async function showNewest(call: Call, { most, read, lineOf, none }: Newest): Promise<void> {
  const size = Number(call.text('size') ?? '20');
  if (!Number.isInteger(size) || size < 1 || size > most) throw new UsageError(`--size is 1 to ${most}`);
  const seen = new Set<string>();
  const show = async (limit: number) => {
    const fresh = (await read(limit)).filter((entry) => !seen.has(JSON.stringify(entry)));
    for (const entry of fresh.toReversed()) {
      seen.add(JSON.stringify(entry));
      call.out.result(entry, lineOf(entry));
    }
  };
  const signal = call.is('follow') ? interruption() : AbortSignal.abort();
  await show(size);
  if (seen.size === 0 && none !== undefined) call.out.note(none);
  while (!signal.aborted) {
    await sleep(followMs, undefined, { signal }).catch(() => undefined);
    if (!signal.aborted) await show(Math.min(most, followed));
  }
}
