import { readdirSync } from 'node:fs';

/** How the runner may end code that goes too far. */
export type InvocationEnd = 'timeout' | 'memory' | 'crashed';

export type Expectation =
  /** It is ended, or fails by itself where `fails` says how. */
  | { readonly ends: readonly InvocationEnd[]; readonly fails?: RegExp }
  /** It gets nothing and harms nobody: it settles with this. */
  | { readonly returns: unknown }
  /** It fails, and this is what its caller reads. */
  | { readonly fails: RegExp };

/** Code that a tenant might paste, as data. */
export interface Attack {
  /** What the code does, after "it". */
  readonly name: string;
  /** Its target: the time or the memory of others, the host, or the reader of its result. */
  readonly target: 'time' | 'memory' | 'host' | 'reader';
  readonly code: string;
  readonly argument?: unknown;
  readonly expectation: Expectation;
}

/** It goes on until its time is over, and its worker may go on. */
export const timesOut: Expectation = { ends: ['timeout'] };
/** Whatever comes first. */
export const isStopped: Expectation = { ends: ['timeout', 'memory', 'crashed'] };

const folder = new URL('attacks/', import.meta.url);

/** Every file in `attacks/` is one. */
export async function readAttacks(): Promise<Attack[]> {
  const files = readdirSync(folder).toSorted();
  const modules = files.map((file) => import(new URL(file, folder).href) as Promise<{ attack: Attack }>);
  return (await Promise.all(modules)).map(({ attack }) => attack);
}
