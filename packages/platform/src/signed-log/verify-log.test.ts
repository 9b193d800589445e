import { type KeyObject, generateKeyPairSync, sign } from 'node:crypto';

import { expect } from 'chai';

import { chainedLine, checkpointLine, noDigest } from './chain.ts';
import { fingerprintOf, jwkOf } from './public-key.ts';
import { verifyLog } from './verify-log.ts';

const format = 'test/1';
const pair = () => generateKeyPairSync('ed25519').privateKey;

/** A log of entries with a checkpoint after each three, signed by the keys in turn. */
function logOf(values: readonly unknown[], keys: readonly KeyObject[], id = 'a'): string[] {
  const lines: string[] = [];
  let previous: Uint8Array = noDigest;
  const add = (made: { text: string; digest: Buffer }) => {
    lines.push(made.text);
    previous = made.digest;
  };
  add(chainedLine(previous, { type: 'header', line: 1, format, id }));
  const checkpoint = (entries: number, final: boolean) => {
    const key = keys[entries % keys.length] ?? pair();
    const jwk = jwkOf(key);
    const content = {
      type: 'checkpoint',
      line: lines.length + 1,
      export_id: id,
      entries,
      final,
      key_id: fingerprintOf(jwk),
      public_key: jwk.x,
    };
    add(checkpointLine(previous, content, (message) => sign(null, message, key)));
  };
  for (const [index, value] of values.entries()) {
    if (index > 0 && index % 3 === 0) checkpoint(index, false);
    add(chainedLine(previous, { type: 'entry', line: lines.length + 1, entry: value }));
  }
  checkpoint(values.length, true);
  return lines;
}

async function* chunked(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const check = (log: string | Buffer, known?: ReadonlyMap<string, KeyObject>, size = 1000) =>
  verifyLog(chunked(Buffer.from(log), size), format, known);
const problemIn = async (lines: readonly string[], known?: ReadonlyMap<string, KeyObject>) =>
  (await check(lines.join(''), known)).problem;

describe('a signed log', () => {
  const key = pair();
  const values = ['one', { two: 'zwei ä 𝄞' }, 3, 'vier', 'five', 'six', 'seven'];
  /** header, 3 entries, checkpoint, 3 entries, checkpoint, entry, checkpoint */
  const lines = logOf(values, [key]);
  const knownKeys = new Map([[fingerprintOf(jwkOf(key)), key]]);

  it('that is as it was made is intact, in chunks of any size, with and without given keys', async () => {
    for (const size of [1, 7, 100_000]) {
      for (const known of [undefined, knownKeys]) {
        const verified = await check(lines.join(''), known, size);
        expect(verified).to.deep.include({ entries: 7, checkpoints: 3, problem: undefined });
        expect(verified.keys).to.deep.equal([...knownKeys.keys()]);
      }
    }
  });

  it('with any byte flipped names the line of that byte', async () => {
    const whole = Buffer.from(logOf(['x', 1, 2, 3], [key]).join(''));
    let line = 1;
    for (const [at, byte] of whole.entries()) {
      const changed = Buffer.from(whole);
      changed[at] = byte ^ 1;
      const { problem } = await check(changed, knownKeys);
      expect(problem?.line, `byte ${at}`).to.equal(line);
      if (byte === 0x0a) line += 1;
    }
  });

  it('names a line that is missing, added, moved or exchanged', async () => {
    for (let n = 1; n <= lines.length; n += 1) {
      const dropped = await problemIn(lines.toSpliced(n - 1, 1));
      expect(dropped?.line, `without line ${n}`).to.equal(n);
      if (n > 1 && n < lines.length) expect(dropped?.problem).to.contain(`line ${n} is missing or was moved`);
      const copied = await problemIn(lines.toSpliced(n, 0, lines[n - 1] ?? ''));
      expect(copied?.line, `line ${n} twice`).to.equal(n + 1);
      if (n < lines.length) {
        const swapped = lines.toSpliced(n - 1, 2, lines[n] ?? '', lines[n - 1] ?? '');
        expect((await problemIn(swapped))?.line, `lines ${n} and ${n + 1} swapped`).to.equal(n);
      }
    }
  });

  it('that ends early says so, wherever it ends', async () => {
    for (let n = 1; n < lines.length; n += 1) {
      const problem = await problemIn(lines.slice(0, n));
      expect(problem?.line).to.equal(n + 1);
      expect(problem?.problem).to.contain('without its last checkpoint');
    }
    const cut = lines.join('').slice(0, -1);
    expect((await check(cut)).problem).to.deep.equal({ line: lines.length, problem: 'is cut off' });
    expect((await check('')).problem?.line).to.equal(1);
  });

  it('made of two logs names the first line of the other one', async () => {
    const other = logOf(values, [key], 'b');
    for (let n = 1; n < lines.length; n += 1) {
      const spliced = [...lines.slice(0, n), ...other.slice(n)];
      expect((await problemIn(spliced, knownKeys))?.line, `from line ${n + 1}`).to.equal(n + 1);
    }
    expect((await problemIn([...lines, ...other]))?.problem).to.contain('follows the last checkpoint');
  });

  it('whose digests somebody has made anew is given away by the next signature', async () => {
    const forged = logOf(values.toSpliced(4, 1, 'forged'), [key]);
    const mixed = forged.map((line, index) =>
      index === 8 ? line.replace(/[0-9a-f]{128}/, (lines[8] ?? '').match(/[0-9a-f]{128}/)?.[0] ?? '') : line,
    );
    const problem = await problemIn(mixed);
    expect(problem?.line).to.equal(9);
    expect(problem?.problem).to.contain('lines 6 to 9');
  });

  it('signed by another key is believed without given keys, and refused with them', async () => {
    const forged = logOf(values, [pair()]);
    expect(await problemIn(forged)).to.equal(undefined);
    expect((await problemIn(forged, knownKeys))?.problem).to.contain('not among the given ones');
  });

  it('may be signed by several keys, of which each has to be given', async () => {
    const newer = pair();
    const rotated = logOf(values, [key, newer]);
    const both = new Map([...knownKeys, [fingerprintOf(jwkOf(newer)), newer]]);
    expect(await problemIn(rotated, both)).to.equal(undefined);
    expect((await check(rotated.join(''))).keys).to.have.length(2);
    expect(await problemIn(rotated, knownKeys)).not.to.equal(undefined);
  });
});
