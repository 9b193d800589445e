import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import { keepLatest } from './keep-latest.ts';
import { isTaken, libraryKey } from './library-modules.ts';
import { libraryScripts, scriptsKey } from './library-scripts.ts';
import { libraryFile, licenceFile, nodePackages, nodeVersion } from './node-library.ts';
import { preparedFolder } from './prepared-folder.ts';

const run = promisify(execFile);
const printTexts = `process.stdout.write(JSON.stringify(process.binding('natives')))`;
/** The start of the runner waits for the download. */
const downloadTimeoutMs = 12_000;
const maxTextBytes = 32 * 1024 * 1024;

/**
 * Gives the file with the scripts of Node.js 16's library and of the environment. The first time it takes the library's text
 * from the build of Node.js on npm, whose integrity is checked against the hash kept here; nothing of that build is run later.
 *
 * @throws Error that says what to do, when the package can't be had.
 */
export async function prepareLibrary(arch: string = process.arch): Promise<string> {
  const { file, key: textsKey } = await prepareTexts(arch);
  const key = keyOf(textsKey, scriptsKey());
  const folder = await preparedFolder(`library-${key}`, async (draft) => {
    const scripts = libraryScripts(JSON.parse(await readFile(file, 'utf8')));
    await writeFile(path.join(draft, libraryFile), JSON.stringify(scripts));
  });
  await keepLatest(folder, 'library-');
  return path.join(folder, libraryFile);
}

/** The texts of the library's modules, by which nothing has to be downloaded when only the environment has changed. */
async function prepareTexts(arch: string): Promise<{ readonly file: string; readonly key: string }> {
  const source = nodePackages[arch];
  if (source === undefined)
    throw new Error(
      `There is no text of the library for user code for ${arch}: only ${Object.keys(nodePackages).join(', ')}.`,
    );
  const key = keyOf(source.integrity, libraryKey);
  const folder = await preparedFolder(`node-${nodeVersion}-${key}`, (draft) => writeTexts(draft, source));
  await keepLatest(folder, 'node-');
  return { file: path.join(folder, libraryFile), key };
}

function keyOf(first: string, second: string): string {
  return createHash('sha256').update(first).update(second).digest('hex').slice(0, 16);
}

async function writeTexts(folder: string, source: { name: string; integrity: string }): Promise<void> {
  const scratch = path.join(folder, 'scratch');
  await mkdir(scratch);
  const tarball = await download(`${source.name}@${nodeVersion}`, scratch);
  const [algorithm, expected] = source.integrity.split('-', 2);
  const found = createHash(algorithm!)
    .update(await readFile(tarball))
    .digest('base64');
  if (found !== expected)
    throw new Error(
      `The library for user code was not taken: ${source.name}@${nodeVersion} has an unexpected hash.`,
    );
  await run('tar', ['-xzf', tarball, '-C', scratch, 'package/bin/node', 'package/LICENSE']);
  const node = path.join(scratch, 'package/bin/node');
  const { stdout } = await run(node, ['--no-deprecation', '-e', printTexts], {
    env: {},
    maxBuffer: maxTextBytes,
  });
  const modules: Record<string, string> = JSON.parse(stdout);
  const texts = Object.entries(modules).filter(([name]) => isTaken(name));
  await writeFile(path.join(folder, libraryFile), JSON.stringify(Object.fromEntries(texts)));
  await copyFile(path.join(scratch, 'package/LICENSE'), path.join(folder, licenceFile));
  await rm(scratch, { recursive: true });
}

async function download(spec: string, folder: string): Promise<string> {
  try {
    const options = ['--prefer-offline', '--silent', '--fetch-retries=0', '--pack-destination', folder];
    await run('npm', ['pack', spec, ...options], { timeout: downloadTimeoutMs });
  } catch (cause) {
    throw new Error(
      `The library for user code could not be downloaded from ${spec} on npm: can the registry be reached?`,
      { cause },
    );
  }
  const [name] = await readdir(folder);
  if (name === undefined)
    throw new Error(`The library for user code could not be downloaded: npm gave no file for ${spec}.`);
  return path.join(folder, name);
}
