import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { checkout } from '@glovebox/local/places';

/** What a run of the users' program came to. */
export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** The program in place of the bundle of this checkout. */
  readonly program?: string;
  readonly onStart?: (child: ChildProcess) => void;
  readonly onStderr?: (text: string, child: ChildProcess) => void;
}

let bundled: string | undefined;

/** Makes the published file once for all tests. */
export function userCliProgram(): string {
  if (bundled === undefined) {
    execFileSync(process.execPath, ['--conditions=source', 'packages/cli/src/bundle-main.ts'], {
      cwd: checkout,
    });
    bundled = join(checkout, 'packages/cli/dist/bundle/glovebox.mjs');
  }
  return bundled;
}

/** Runs the program as its users do: the published file, in a process of its own, with nothing else in its environment. */
export async function runUserCli(
  folder: string,
  args: readonly string[],
  { env = {}, input = '', program = userCliProgram(), onStart, onStderr }: RunOptions = {},
): Promise<Ran> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
    onStderr?.(stderr, child);
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  onStart?.(child);
  const code = await new Promise<number | null>((resolve) => {
    child.once('close', (status) => resolve(status));
  });
  return { code, stdout, stderr };
}

/** A new folder with files, removed at the end of its block. */
export function folderOf(files: Readonly<Record<string, string>>): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'glovebox-cli-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
