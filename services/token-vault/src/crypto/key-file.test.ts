import { chmod, link, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { createKeyFile, KeyFileError, readKeyFile } from './key-file.ts';

const secret = Buffer.alloc(32, 0x5a).toString('base64');
const good = { format: 'glovebox-key-file/1', current: 'k2', keys: { k1: secret, k2: secret } };

describe('key file', () => {
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'glovebox-keys-'));
    path = join(folder, 'vault.keys');
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  async function problemOf(action: Promise<unknown>): Promise<string> {
    try {
      await action;
    } catch (error) {
      if (error instanceof KeyFileError) return error.message;
      throw error;
    }
    return 'no problem';
  }

  describe('creating', () => {
    it('gives a file that its owner alone can read, with one current key of 32 random bytes', async () => {
      await createKeyFile(path);
      expect((await stat(path)).mode & 0o777).to.equal(0o600);
      const file = await readKeyFile(path);
      expect([...file.keys.keys()]).to.deep.equal([file.currentKeyId]);
      expect(file.keys.get(file.currentKeyId)?.length).to.equal(32);
    });

    it('never makes the same key twice', async () => {
      await createKeyFile(path);
      await createKeyFile(`${path}2`);
      const [one, other] = [await readKeyFile(path), await readKeyFile(`${path}2`)];
      expect([...one.keys.values()]).not.to.deep.equal([...other.keys.values()]);
    });

    it('never replaces a file: the keys in it may be the only ones', async () => {
      await createKeyFile(path);
      const before = await readFile(path, 'utf8');
      expect(await problemOf(createKeyFile(path))).to.equal(`key file ${path}: exists already`);
      expect(await readFile(path, 'utf8')).to.equal(before);
    });

    it('lets exactly one of several that create at once succeed, and leaves nothing behind', async () => {
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => problemOf(createKeyFile(path))));
      expect(outcomes.filter((outcome) => outcome === 'no problem')).to.have.length(1);
      expect(await readdir(folder)).to.deep.equal(['vault.keys']);
    });

    it('says which file could not be created', async () => {
      const missing = join(folder, 'nowhere', 'vault.keys');
      expect(await problemOf(createKeyFile(missing))).to.equal(
        `key file ${missing}: cannot be created (ENOENT)`,
      );
    });
  });

  describe('reading', () => {
    async function write(content: unknown, mode = 0o600): Promise<void> {
      await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
      await chmod(path, mode);
    }

    it('gives every key and which one is current', async () => {
      await write(good);
      const file = await readKeyFile(path);
      expect(file.currentKeyId).to.equal('k2');
      expect([...file.keys.keys()]).to.deep.equal(['k1', 'k2']);
    });

    it('accepts a file that even its owner may not write', async () => {
      await write(good, 0o400);
      expect((await readKeyFile(path)).currentKeyId).to.equal('k2');
    });

    for (const mode of [0o640, 0o604, 0o644, 0o660, 0o610, 0o601, 0o666, 0o777]) {
      const text = mode.toString(8).padStart(4, '0');
      it(`refuses mode ${text}`, async () => {
        await write(good, mode);
        expect(await problemOf(readKeyFile(path))).to.equal(
          `key file ${path}: is open to others (mode ${text}); it must be 0600 or 0400`,
        );
      });
    }

    it('is not fooled by a second name of the same file', async () => {
      await write(good, 0o644);
      await link(path, `${path}-2`);
      expect(await problemOf(readKeyFile(`${path}-2`))).to.include('is open to others');
    });

    it('says when there is no file', async () => {
      expect(await problemOf(readKeyFile(path))).to.equal(`key file ${path}: does not exist`);
    });

    it('says when it is a folder', async () => {
      expect(await problemOf(readKeyFile(folder))).to.match(/is not a regular file|cannot be read/);
    });

    const malformed: readonly (readonly [what: string, content: unknown, problem: string])[] = [
      ['nothing', '', 'is not JSON'],
      ['a cut-off file', JSON.stringify(good).slice(0, -5), 'is not JSON'],
      ['a list', [good], 'must hold a JSON object'],
      ['null', null, 'must hold a JSON object'],
      ['no format', { ...good, format: undefined }, '"format" must be "glovebox-key-file/1"'],
      [
        'a later format',
        { ...good, format: 'glovebox-key-file/2' },
        '"format" must be "glovebox-key-file/1"',
      ],
      ['no keys', { ...good, keys: undefined }, '"keys" must be an object with at least one key'],
      ['an empty set of keys', { ...good, keys: {} }, '"keys" must be an object with at least one key'],
      ['a list of keys', { ...good, keys: [secret] }, '"keys" must be an object with at least one key'],
      ['no current key', { ...good, current: undefined }, '"current" must name one of the keys'],
      [
        'an unknown current key',
        { ...good, current: 'k3' },
        '"current" names a key that is not among "keys"',
      ],
      [
        'an inherited name as current key',
        { ...good, current: 'toString' },
        '"current" names a key that is not among "keys"',
      ],
      [
        'a key id with other characters',
        { ...good, keys: { 'k 1': secret } },
        'the id of a key must be 1 to 64 letters, digits, ".", "_" or "-"',
      ],
      ['a number as key', { ...good, keys: { k2: 5 } }, 'key "k2" must be 32 bytes in base64'],
      ['an empty key', { ...good, keys: { k2: '' } }, 'key "k2" must be 32 bytes in base64'],
      [
        'a key of 31 bytes',
        { ...good, keys: { k2: Buffer.alloc(31).toString('base64') } },
        'key "k2" must be 32 bytes in base64',
      ],
      [
        'a key of 33 bytes',
        { ...good, keys: { k2: Buffer.alloc(33).toString('base64') } },
        'key "k2" must be 32 bytes in base64',
      ],
      [
        'a key in hexadecimal',
        { ...good, keys: { k2: Buffer.alloc(32).toString('hex') } },
        'key "k2" must be 32 bytes in base64',
      ],
      [
        'a key with stray characters',
        { ...good, keys: { k2: `${secret.slice(0, 9)}!${secret.slice(9)}` } },
        'key "k2" must be 32 bytes in base64',
      ],
      ['70 KB', ' '.repeat(70_000), 'is larger than 65536 bytes'],
    ];
    for (const [what, content, problem] of malformed) {
      it(`refuses ${what} and says why`, async () => {
        await write(content);
        expect(await problemOf(readKeyFile(path))).to.equal(`key file ${path}: ${problem}`);
      });
    }

    it('never quotes a key in an error, not even in its cause', async () => {
      const broken = [
        `{"format": "glovebox-key-file/1", "keys": {"k2": ${secret}`,
        secret,
        JSON.stringify({ ...good, current: 'k3' }),
        JSON.stringify({ ...good, keys: { k2: `${secret}AAAA` } }),
      ];
      for (const content of broken) {
        await write(content);
        const error: unknown = await readKeyFile(path).catch((thrown: unknown) => thrown);
        expect(error).to.be.instanceOf(KeyFileError);
        if (!(error instanceof KeyFileError)) continue;
        expect(error.cause).to.equal(undefined);
        expect(`${error.message} ${error.stack ?? ''}`).not.to.include(secret.slice(0, 8));
      }
    });
  });
});
