import { readFileSync, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

import { CliError, messageOf } from './cli-error.ts';

/** Of a file that a flag names, in bytes. */
const maxInputBytes = 16 * 1024 * 1024;

/** The text of a file, or of standard input for `-`. @throws CliError */
export function readInput(path: string): string {
  try {
    if (path !== '-' && statSync(path).size > maxInputBytes) {
      throw new CliError(`${path} is larger than ${maxInputBytes} bytes`);
    }
    return readFileSync(path === '-' ? 0 : path, 'utf8');
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(`${path} cannot be read: ${messageOf(error)}`);
  }
}

/** JSON of a file, or of standard input for `-`. @throws CliError */
export function readJson(path: string): unknown {
  const text = readInput(path);
  try {
    return JSON.parse(text);
  } catch {
    throw new CliError(`${path} is not JSON`);
  }
}

/** Asks at the terminal, without showing what is typed. */
export function askHidden(question: string): Promise<string> {
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output: silent, terminal: true });
  return new Promise((resolve, reject) => {
    reader.once('SIGINT', () => {
      reader.close();
      reject(new CliError('interrupted'));
    });
    reader.question('', (answer) => {
      reader.close();
      process.stderr.write('\n');
      resolve(answer.trim());
    });
  });
}
