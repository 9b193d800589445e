import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { type Program, debianProgram, programOnPath } from '@glovebox/local/debian-program';
import { checkout, stateDirectory } from '@glovebox/local/places';

import type { System } from './system.ts';

interface Block {
  readonly language: string;
  /** Of a block that is saved: the second word behind its fence. */
  readonly file: string | undefined;
  readonly text: string;
}

export interface Step {
  readonly command: string;
  readonly printed: string;
  /** What the guide shows below the command; undefined where it shows nothing. */
  readonly shown: string | undefined;
}

function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)].map(
    ([, language = '', file, text = '']) => ({
      language,
      file,
      text,
    }),
  );
}

const mark = '=== a block of the guide ends ===';

/**
 * Does what a guide says, as somebody who pastes its blocks into one terminal: files are saved, commands run, and the
 * first that fails ends it. Of a page, blocks of other languages than these are refused.
 * @param ports names of variables that get free ports
 * @param variables other variables that the page has its reader set
 */
export async function followGuide(
  page: string,
  system: System,
  ports: readonly string[] = [],
  variables: Readonly<Record<string, string>> = {},
): Promise<Step[]> {
  const blocks = blocksOf(readFileSync(join(checkout, page), 'utf8'));
  const folder = mkdtempSync(join(tmpdir(), 'guide-'));
  try {
    mkdirSync(join(folder, '.glovebox'));
    symlinkSync(join(system.stateDir, 'dev.json'), join(folder, '.glovebox/dev.json'));
    symlinkSync(join(checkout, 'node_modules'), join(folder, 'node_modules'));
    const commands: Block[] = [];
    for (const block of blocks) {
      if (block.file !== undefined) save(join(folder, block.file), block.text);
      else if (block.language === 'sh') commands.push(block);
      else if (!['json', 'text'].includes(block.language)) throw new Error(`a block of ${block.language}`);
    }
    const script = commands.map(({ text }) => `${text}echo '${mark}'\n`).join('');
    const printed = await runInShell(script, folder, { ...variables, ...(await freePorts(ports)) });
    return commands.map((command, at) => ({
      command: command.text,
      printed: printed[at] ?? '',
      shown: shownBelow(blocks, command),
    }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function save(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function shownBelow(blocks: readonly Block[], command: Block): string | undefined {
  const next = blocks[blocks.indexOf(command) + 1];
  return next !== undefined && ['json', 'text'].includes(next.language) ? next.text.trim() : undefined;
}

async function runInShell(script: string, cwd: string, variables: Record<string, string>): Promise<string[]> {
  const curl = await findCurl();
  const env = {
    ...process.env,
    ...curl.env,
    ...variables,
    NODE_OPTIONS: '--conditions=source',
    PATH: [dirname(process.execPath), dirname(curl.command), process.env['PATH']].join(delimiter),
  };
  // What it has started ends with it.
  const whole = `trap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n${script}`;
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', whole], { cwd, env });
  return stdout.split(mark).map((text) => text.trim());
}

/** On PATH, else Debian's package, unpacked beside what `npm start` keeps. */
async function findCurl(): Promise<Program> {
  const wanted = { name: 'curl', package: 'curl', path: 'usr/bin/curl', versionOption: '--version' };
  const found =
    (await programOnPath(['curl'])) ??
    (await debianProgram(wanted, stateDirectory(), AbortSignal.timeout(30_000)));
  if (found === undefined)
    throw new Error('the guides need curl: it is not on PATH, and apt-get cannot fetch it');
  return found;
}

async function freePorts(names: readonly string[]): Promise<Record<string, string>> {
  const servers = names.map(() => createServer().listen(0));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => String((server.address() as AddressInfo).port));
  await Promise.all(servers.map((server) => promisify(server.close.bind(server))()));
  return Object.fromEntries(names.map((name, at) => [name, ports[at] ?? '']));
}

/** Whether a command printed what a guide shows, whatever the white space; `…` stands for any text. */
export function isAsShown({ printed, shown }: Step): boolean {
  if (shown === undefined) return true;
  const pattern = shown
    .replaceAll(/\s/g, '')
    .split('…')
    .map((text) => RegExp.escape(text))
    .join('.+?');
  return new RegExp(`^${pattern}$`, 's').test(printed.replaceAll(/\s/g, ''));
}
