import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { checkout } from '@glovebox/local/places';
import { expect } from 'chai';

import { developmentSecrets } from '../src/development-secrets.ts';
import { renderings } from '../src/rendering.ts';
import { type Manifest, nameOf, readManifests } from './harness/manifests.ts';

/** Packages with schemas and types of whole API groups, made from the projects' own definitions. */
const packages: Readonly<Record<string, string>> = {
  'cert-manager.io': '@kubernetes-models/cert-manager',
  'gateway.envoyproxy.io': '@kubernetes-models/envoy-gateway',
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
};

function moduleOf({ apiVersion, kind }: Manifest): string {
  const [group = ''] = apiVersion.split('/');
  return `${packages[group] ?? 'kubernetes-models'}/${apiVersion}/${kind}`;
}

interface Model {
  validate(): void;
}

describe('every object', () => {
  const all = (): Manifest[] => [
    ...renderings.flatMap(readManifests),
    ...(developmentSecrets() as unknown as Manifest[]),
  ];

  it('is what the schema of its kind asks for', async () => {
    const problems: string[] = [];
    for (const manifest of all()) {
      const classes = (await import(moduleOf(manifest))) as Record<string, new (data: Manifest) => Model>;
      try {
        new classes[manifest.kind]!(manifest).validate();
      } catch (error) {
        problems.push(`${nameOf(manifest)}: ${(error as Error).message}`);
      }
    }
    expect(problems).to.deep.equal([]);
  });

  it('would be refused with a value that its schema does not allow', async () => {
    const certificate = all().find(({ kind }) => kind === 'Certificate')!;
    const spec = { ...certificate.spec, usages: ['everything'] };
    const classes = (await import(moduleOf(certificate))) as Record<string, new (data: Manifest) => Model>;
    const model = new classes['Certificate']!({ ...certificate, spec } as Manifest);
    expect(() => model.validate()).to.throw(/usages/);
  });

  it('has no member that its kind does not know, at any depth', async () => {
    const typescript = all().map((manifest, index) => {
      const type = `import('${moduleOf(manifest)}').I${manifest.kind}`;
      return `// ${nameOf(manifest)}\nexport const object${index}: ${type} = ${JSON.stringify(manifest, null, 1)};\n`;
    });
    expect(await complaintsOf(typescript.join('\n'))).to.equal('');
  }).timeout(120_000);

  it('would be refused with a member that its kind does not know', async () => {
    const type = `import('kubernetes-models/v1/Service').IService`;
    const service = { apiVersion: 'v1', kind: 'Service', spec: { ports: [{ port: 1, targetPrt: 2 }] } };
    const complaints = await complaintsOf(`export const object: ${type} = ${JSON.stringify(service)};`);
    expect(complaints).to.contain(`'"targetPrt"' does not exist`);
  }).timeout(120_000);
});

/** What the compiler says of a text, which it looks at where the packages are found. */
async function complaintsOf(typescript: string): Promise<string> {
  const cache = join(checkout, 'node_modules/.cache');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'glovebox-objects-'));
  try {
    const file = join(folder, 'objects.ts');
    await writeFile(file, typescript);
    const flags = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2025'];
    const tsc = join(checkout, 'node_modules/typescript/bin/tsc');
    return await promisify(execFile)(process.execPath, [tsc, ...flags, '--ignoreConfig', file]).then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}
