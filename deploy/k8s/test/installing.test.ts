import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '@glovebox/local/places';
import { expect } from 'chai';

import { readManifests } from './harness/manifests.ts';
import { workloadsOf } from './harness/workloads.ts';

describe('the page about installing', () => {
  const page = readFileSync(join(checkout, 'docs/installing.md'), 'utf8');
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

  it('waits for every Job, and patches every kind of workload', () => {
    for (const { kind, name } of workloads) {
      expect(page, name).to.include(`target: { kind: ${kind} }`);
      if (kind === 'Job') expect(page).to.include(`job/${name}`);
    }
  });
});
