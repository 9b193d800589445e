import type { KeyObject } from 'node:crypto';

import { fingerprintOf, publicKeyOf } from '@glovebox/platform/signed-log/public-key';
import { verifyLog } from '@glovebox/platform/signed-log/verify-log';

import { type Json, send } from '../../harness/api.ts';
import type { Random } from '../report/random.ts';
import type { Tally } from '../report/tally.ts';
import type { TamperStage, Teller } from './stage.ts';

const format = 'glovebox-audit-export/1';

/** Changes every byte of an export of the audit log, and leaves out, doubles, moves and takes over its lines. */
export async function tamperWithExports(
  { system, own, other }: TamperStage,
  tally: Tally,
  random: Random,
  share: number,
): Promise<void> {
  const base = system.dev.base_url;
  const exported = async ({ tenant }: Teller) => {
    const { status, text } = await send(base, 'GET', '/logs/export', { key: tenant.management_api_key });
    if (status !== 200) throw new Error(`no export: ${status} ${text}`);
    return text;
  };
  for (const { token, ask } of [own, other]) await ask(await token({ type: 'token', data: 'exported' }));
  const [text, foreign] = [await exported(own), await exported(other)];
  const known = keysOf((await send(base, 'GET', '/.well-known/glovebox-audit-keys')).json);
  const right = await readingOf(Buffer.from(text), known);
  if (right.problem !== undefined) throw new Error(`the export is not intact: ${right.problem.problem}`);
  const judge = async (target: string, changed: Buffer, what: string) => {
    const reading = await readingOf(changed, known);
    const isSame = JSON.stringify(reading) === JSON.stringify(right);
    const outcome =
      reading.problem !== undefined ? 'found, with its line' : isSame ? 'the very same answer' : 'accepted';
    tally.note(target, outcome, outcome === 'accepted' ? what : undefined);
  };
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 1) {
    if (random.next() >= share) continue;
    const changed = Buffer.from(bytes);
    changed[at]! ^= 1 << random.below(8);
    await judge('a byte of an export', changed, `byte ${at}`);
  }
  const lines = text.split('\n').slice(0, -1);
  const theirs = foreign.split('\n').slice(0, -1);
  const whole = (all: readonly string[]) => Buffer.from(`${all.join('\n')}\n`);
  for (const [at, line] of lines.entries()) {
    await judge('a line of an export left out', whole(lines.toSpliced(at, 1)), `line ${at + 1}`);
    await judge('a line of an export doubled', whole(lines.toSpliced(at, 0, line)), `line ${at + 1}`);
    const taken = theirs[at % theirs.length] ?? '';
    await judge("another tenant's line", whole(lines.with(at, taken)), `line ${at + 1}`);
    const next = (at + 1) % lines.length;
    const moved = lines.with(at, lines[next] ?? '').with(next, line);
    await judge('lines of an export exchanged', whole(moved), `lines ${at + 1} and ${next + 1}`);
  }
}

const readingOf = (bytes: Buffer, known: ReadonlyMap<string, KeyObject>) =>
  verifyLog(
    (async function* chunks() {
      yield bytes;
    })(),
    format,
    known,
  );

function keysOf({ keys }: Json): Map<string, KeyObject> {
  const known = new Map<string, KeyObject>();
  for (const { x } of keys as { x: string }[]) {
    const key = publicKeyOf(x);
    if (key !== undefined) known.set(fingerprintOf({ kty: 'OKP', crv: 'Ed25519', x }), key);
  }
  return known;
}
