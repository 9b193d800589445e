import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { writePrivateJson } from './private-file.ts';
import { childrenOf } from './processes.ts';
import type { DevelopmentTenant } from './settings.ts';

/** For tools, while the system runs: `.glovebox/dev.json`. */
export interface DevFile extends DevelopmentTenant {
  readonly base_url: string;
  /** Each public listener itself, past the edge. */
  readonly service_urls: Readonly<Record<'control-api' | 'proxy-gateway', string>>;
  readonly processes: readonly NamedProcess[];
  readonly data_dirs: readonly string[];
  readonly log_files: readonly string[];
}

export interface NamedProcess {
  readonly name: string;
  readonly pid: number;
}

const refreshMs = 500;

/** Writes the file and keeps its process list current until disposed, which removes the file. */
export function keepDevFile(
  stateDir: string,
  content: Omit<DevFile, 'processes'>,
  processes: () => readonly NamedProcess[],
): Disposable {
  const path = join(stateDir, 'dev.json');
  let written = '';
  const refresh = () => {
    const file: DevFile = { ...content, processes: withIsolateWorkers(processes()) };
    const text = JSON.stringify(file);
    if (text === written) return;
    writePrivateJson(path, file);
    written = text;
  };
  refresh();
  const timer = setInterval(refresh, refreshMs);
  return {
    [Symbol.dispose]() {
      clearInterval(timer);
      removeDevFile(stateDir);
    },
  };
}

export function removeDevFile(stateDir: string): void {
  rmSync(join(stateDir, 'dev.json'), { force: true });
}

function withIsolateWorkers(processes: readonly NamedProcess[]): NamedProcess[] {
  const runner = processes.find(({ name }) => name === 'reactor-runner');
  const workers = runner === undefined ? [] : childrenOf(runner.pid);
  return [...processes, ...workers.map((pid) => ({ name: 'isolate-worker', pid }))];
}
