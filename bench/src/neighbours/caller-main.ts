/** Sends requests over and over, as a neighbour's batch does, until its parent ends it. Its job is a file. */
import { readFileSync } from 'node:fs';

import type { Job } from './job.ts';

const { origin, method, path, headers, bodies, callers }: Job = JSON.parse(
  readFileSync(process.argv[2] ?? '', 'utf8'),
);
/** A service that has too much to do may say so, and an expression may do all the work that it is allowed. */
const refused: ReadonlySet<number> = new Set([400, 429, 503]);
let sent = 0;

await Promise.all(Array.from({ length: callers }, callOverAndOver));

async function callOverAndOver(): Promise<void> {
  for (;;) {
    const body = bodies[sent % bodies.length] ?? null;
    sent += 1;
    const answer = await fetch(`${origin}${path}`, { method, headers, body });
    const text = await answer.text();
    if (!answer.ok && !refused.has(answer.status)) throw new Error(text);
  }
}
