import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Name and version, or undefined when there is no workerd on PATH (npm package workerd). */
export function workerdVersion(): string | undefined {
  const { error, stdout } = spawnSync('workerd', ['--version'], { encoding: 'utf8' });
  return error === undefined ? stdout.trim() : undefined;
}

/** Command of a workerd that reads a JSON body, changes a field and sends it on, with its files in `folder`. */
export function workerdTransform(folder: string, port: number, destination: number): readonly string[] {
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'worker.js'),
    `export default {
  async fetch(request) {
    const body = { ...(await request.json()), reference: 'changed' };
    const headers = { 'Content-Type': 'application/json' };
    return fetch('http://127.0.0.1:${destination}/charges', { method: 'POST', headers, body: JSON.stringify(body) });
  },
};
`,
  );
  const file = join(folder, 'workerd.capnp');
  writeFileSync(
    file,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "transform", worker = .transform),
    (name = "internet", network = (allow = ["local", "private", "public"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "transform")],
);
const transform :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.js")],
  compatibilityDate = "2025-01-01",
);
`,
  );
  return ['workerd', 'serve', file];
}
