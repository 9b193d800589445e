import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export interface ProxyBenchOptions {
  readonly rounds: number;
  /** Of load on one contender in one round. */
  readonly seconds: number;
  readonly connections: number;
  /** The folder of another checkout: its gateway is compared with ours, and with nothing else. */
  readonly against: string | undefined;
}

/** `npm run bench -- proxy --rounds=7 --seconds=4 --connections=64 --against=<folder>` */
export function readOptions(args: readonly string[]): ProxyBenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '7' },
      seconds: { type: 'string', default: '4' },
      connections: { type: 'string', default: '64' },
      against: { type: 'string' },
    },
  });
  return {
    rounds: positive('rounds', values.rounds, 100),
    seconds: positive('seconds', values.seconds, 60),
    connections: positive('connections', values.connections, 1000),
    against: values.against === undefined ? undefined : resolve(values.against),
  };
}

function positive(name: string, text: string, most: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw new Error(`--${name} must be a whole number from 1 to ${most}`);
}
