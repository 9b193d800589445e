import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

import { CliError, messageOf } from './cli-error.ts';

/** Editors write a file in several steps. */
const settledMs = 100;

/**
 * Yields at once, and then after each change of one of the files, until the signal. Watches their folders: many editors put
 * a new file in the place of the old one.
 * @throws CliError when a folder cannot be watched
 */
export async function* changesOf(files: readonly string[], signal: AbortSignal): AsyncGenerator<void> {
  let change = Promise.withResolvers<void>();
  let timer: NodeJS.Timeout | undefined;
  const note = () => {
    clearTimeout(timer);
    timer = setTimeout(() => change.resolve(), settledMs);
  };
  const watchers: FSWatcher[] = [];
  signal.addEventListener('abort', () => change.resolve(), { once: true });
  try {
    for (const folder of new Set(files.map((file) => dirname(file)))) {
      const names = new Set(files.filter((file) => dirname(file) === folder).map((file) => basename(file)));
      const watcher = watch(folder, (_event, name) => {
        if (name === null || names.has(name)) note();
      });
      watchers.push(watcher.on('error', () => undefined));
    }
    while (!signal.aborted) {
      yield;
      // A change during the trial has resolved it already.
      await change.promise;
      change = Promise.withResolvers<void>();
    }
  } catch (error) {
    throw new CliError(`the files cannot be watched: ${messageOf(error)}`);
  } finally {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  }
}
