import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { checkout } from '@glovebox/local/places';
import { expect } from 'chai';

import { readManifests } from './harness/manifests.ts';
import { workloadsOf } from './harness/workloads.ts';

/** Of a cluster, a registry and a browser, which are not here: each writes down where it was called, and with what. */
const program = `#!/bin/sh
printf '%s\\t' "$PWD" "\${0##*/}" "$@" >> "$CALLS"
echo >> "$CALLS"
case \${0##*/} in skopeo) echo sha256:0 ;; openssl) echo 00 ;; esac
`;

/** Pastes the blocks into one shell, which stops at the first command that fails. */
async function pasted(blocks: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'installing-'));
  const programs = join(folder, 'programs');
  const root = join(folder, 'checkout');
  await Promise.all([mkdir(programs), mkdir(root)]);
  for (const name of ['deploy', '.node-version']) await symlink(join(checkout, name), join(root, name));
  for (const name of ['buildah', 'curl', 'kubectl', 'openssl', 'skopeo']) {
    await writeFile(join(programs, name), program);
    await chmod(join(programs, name), 0o755);
  }
  const log = join(folder, 'calls');
  const env = { ...process.env, PATH: `${programs}:${process.env['PATH']}`, CALLS: log };
  await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', blocks.join('\n')], { cwd: root, env });
  const calls = (await readFile(log, 'utf8')).split('\t\n').map((line) => line.split('\t'));
  return { folder, calls: calls.slice(0, -1), remove: () => rm(folder, { recursive: true }) };
}

/** The files and folders that an argument names. */
function pathsOf(argument: string, index: number, all: readonly string[]): string[] {
  const [, file] = /^--from-file=(?:[\w.-]+=)?(.+)$/.exec(argument) ?? [];
  if (file !== undefined) return [file];
  return ['-f', '-k'].includes(all[index - 1] ?? '') ? [argument] : [];
}

describe('the page about installing', () => {
  const page = readFileSync(join(checkout, 'docs/installing.md'), 'utf8');
  const containerfile = readFileSync(join(checkout, 'deploy/images/Containerfile'), 'utf8');
  const workloads = workloadsOf(readManifests('prod'));

  it('makes every Secret that the pods of prod read, with every key of it', () => {
    const made = new Map(
      [...page.matchAll(/^secret ([a-z-]+) (.+)$/gm)].map(([, name, rest = '']) => [
        name,
        [...rest.matchAll(/--from-file=([\w.-]+)/g)].map(([, key]) => key),
      ]),
    );
    const read = workloads.flatMap(({ containers, pod }) => [
      ...containers.flatMap(({ env = [] }) =>
        env.flatMap(({ valueFrom }) => {
          const { name, key } = valueFrom?.secretKeyRef ?? {};
          return key === undefined ? [] : [[name, key]];
        }),
      ),
      ...(pod.volumes ?? []).flatMap(({ secret }) =>
        (secret?.items ?? []).map(({ key }) => [secret?.secretName, key]),
      ),
    ]);
    expect(read).to.not.deep.equal([]);
    for (const [name, key] of read) expect(made.get(name), `${name}`).to.include(key);
    expect(new Set(made.keys())).to.deep.equal(new Set(read.map(([name]) => name)));
  });

  it('holds commands that run when they are pasted one after the other in the root of the checkout', async () => {
    const blocks = [...page.matchAll(/^```sh\n([\s\S]+?)^```$/gm)].map(([, block]) => block as string);
    expect(blocks).to.have.length.above(3);
    const { folder, calls, remove } = await pasted(blocks);
    try {
      const files = calls.flatMap((call) =>
        call
          .slice(1)
          .flatMap(pathsOf)
          .map((path) => resolve(call[0]!, path)),
      );
      expect(files.filter((path) => path.startsWith(folder))).to.have.length.above(15);
      for (const path of files) expect(existsSync(path), path).to.equal(true);
      const built = calls.filter(([, program, verb]) => program === 'buildah' && verb === 'build');
      const targets = [...containerfile.matchAll(/^FROM .* AS ([a-z-]+)$/gm)].map(([, name]) => name);
      for (const call of built) {
        expect(call).to.include.members(['NODE_DIGEST=sha256:0', 'POSTGRES_DIGEST=sha256:0']);
        expect(targets).to.include(call[call.indexOf('--target') + 1]);
      }
      expect(built).to.have.length(5);
    } finally {
      await remove();
    }
  });

  it('names every image that ours are built on', () => {
    const [node, postgres] = [...containerfile.matchAll(/^ARG \w+_IMAGE=docker\.io\/library\/(.+)$/gm)].map(
      ([, image]) => image as string,
    );
    const version = readFileSync(join(checkout, '.node-version'), 'utf8').trim();
    expect(node).to.equal(`node:${version}-bookworm-slim`);
    expect(page)
      .to.include('digest "node:$(cat .node-version)-bookworm-slim"')
      .and.include(`digest ${postgres}`);
  });

  it('waits for every Job, and patches every kind of workload', () => {
    for (const { kind, name } of workloads) {
      expect(page, name).to.include(`target: { kind: ${kind} }`);
      if (kind === 'Job') expect(page).to.include(`job/${name}`);
    }
  });
});
