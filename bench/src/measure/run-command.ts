import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** Runs a command to its end. @returns its standard output. @throws Error with its standard error when it fails. */
export async function runCommand(command: readonly string[]): Promise<string> {
  const [file = '', ...args] = command;
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${errors}`);
  return output;
}
