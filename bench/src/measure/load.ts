import { spawnSync } from 'node:child_process';

import { ownLoad } from './own-load.ts';
import { wrkLoad } from './wrk-load.ts';

/** One kind of request, sent over and over. */
export interface LoadTarget {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent by POST. */
  readonly body: string;
}

export interface LoadResult {
  /** Answered ones. */
  readonly requests: number;
  readonly seconds: number;
  /** Answers of another status than 2xx, and connections that broke. */
  readonly errors: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface LoadGenerator {
  readonly description: string;
  /** Keep-alive, one request at a time on each connection. */
  run(target: LoadTarget, seconds: number, connections: number): Promise<LoadResult>;
}

/** wrk where it is on PATH, else a generator of our own. */
export function chooseLoad(scratch: string): LoadGenerator {
  const wrk = spawnSync('wrk', ['-v'], { encoding: 'utf8' });
  if (wrk.error !== undefined) return ownLoad;
  return wrkLoad(scratch, /wrk \S+/.exec(wrk.stdout + wrk.stderr)?.[0] ?? 'wrk');
}
