import { expect } from 'chai';

import { rooms } from './rooms.ts';
import { type Workspace, importedPath, leaves, readWorkspaces } from './workspace.ts';

/** docs/architecture.md#packages-and-services: what may import what. No service is in it. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  '@glovebox/platform': [],
  '@glovebox/access': [],
  '@glovebox/expressions': [],
  '@glovebox/egress': ['@glovebox/expressions', '@glovebox/platform'],
  '@glovebox/openapi': [],
  '@glovebox/cli': ['@glovebox/openapi', '@glovebox/platform'],
  '@glovebox/console': [],
  '@glovebox/docs-site': ['@glovebox/openapi', '@glovebox/platform'],
  '@glovebox/user-packages': ['@glovebox/sdk'],
  '@glovebox/vault-client': ['@glovebox/platform', '@glovebox/protos'],
  '@glovebox/published': ['@glovebox/access', '@glovebox/platform', '@glovebox/protos'],
};
const forServices = [...Object.keys(arrows).filter((name) => name !== '@glovebox/cli'), '@glovebox/protos'];

/** Rooms whose modules do no I/O; what they may import of Node, and packages that do none. */
const pure: Readonly<Record<string, readonly string[]>> = {
  'packages/access': ['node:crypto', 'tldts'],
  'packages/expressions': ['node:buffer'],
};

/** Who may read the environment, or names it for code that runs elsewhere. */
const environmentReaders = [
  /\/config\.ts$/,
  /^packages\/platform\/src\/telemetry\/exporter\.ts$/,
  /^packages\/user-packages\/src\/bundle\.ts$/,
  /^packages\/cli\/src\/main\.ts$/,
];

/** Packages that only one room imports, because of what they can do. */
const confined: Readonly<Record<string, RegExp>> = {
  '@aws-sdk/client-kms': /^services\/token-vault\/src\/keys\/services\/aws-kms\.ts$/,
  bullmq: /^services\/reactor-runner\/src\/(async|deliveries|queues)\//,
  '@swc/wasm-typescript': /^packages\/cli\/src\/files\/compile-code\.ts$/,
  esbuild: /^packages\/(user-packages\/src\/bundle|cli\/src\/bundle|sdk\/build\/bundle-main)\.ts$/,
  'isolated-vm': /^services\/reactor-runner\/src\/sandbox\/isolated-vm\//,
  pg: /^packages\/platform\/src\//,
  undici: /^(packages\/egress\/src\/|services\/proxy-gateway\/src\/)/,
};

describe('architecture', () => {
  const workspaces = readWorkspaces();
  const isService = ({ folder }: Workspace) => folder.startsWith('services/');
  const eachImport = () =>
    workspaces.flatMap((workspace) =>
      workspace.sources.flatMap((source) =>
        source.imports.map((specifier) => ({ workspace, source, specifier })),
      ),
    );
  const packageOf = (specifier: string) =>
    specifier.startsWith('@')
      ? specifier.split('/').slice(0, 2).join('/')
      : (specifier.split('/')[0] as string);

  it('is looked at whole', () => {
    expect(workspaces.map(({ folder }) => folder)).to.include.members([
      'packages/platform',
      'services/control-api',
      'services/proxy-gateway',
      'services/reactor-runner',
      'services/token-vault',
    ]);
    for (const { sources, folder } of workspaces) expect(sources, folder).to.not.have.length(0);
  });

  it('has no import of another service, and none that points upward', () => {
    const wrong = eachImport()
      .filter(({ specifier }) => specifier.startsWith('@glovebox/'))
      .filter(({ workspace, specifier }) => {
        const allowed = isService(workspace) ? forServices : (arrows[workspace.name] ?? []);
        return !allowed.includes(packageOf(specifier));
      })
      .map(({ source, specifier }) => `${source.path} imports ${specifier}`);
    expect(wrong).to.deep.equal([]);
  });

  it('has no relative import that leaves its workspace', () => {
    const wrong = eachImport()
      .filter(({ specifier }) => specifier.startsWith('.'))
      .filter(({ workspace, source, specifier }) => leaves(source, workspace, specifier))
      .map(({ source, specifier }) => `${source.path} imports ${specifier}`);
    expect(wrong).to.deep.equal([]);
  });

  it('has rooms in layers: none imports a room above it', () => {
    const roomOf = (names: readonly string[], folder: string, path: string) => {
      const inside = path.slice(`${folder}/src/`.length);
      const fitting = names.filter((name) => inside.startsWith(`${name}/`));
      return fitting.sort((one, other) => other.length - one.length)[0] ?? '.';
    };
    const wrong = workspaces.flatMap(({ folder, sources }) => {
      const names = rooms[folder];
      if (names === undefined) return [];
      return sources.flatMap((source) => {
        const room = roomOf(names, folder, source.path);
        if (!names.includes(room)) return [`${source.path} is in no room`];
        return source.imports
          .filter((specifier) => specifier.startsWith('.'))
          .map((specifier) => roomOf(names, folder, importedPath(source, specifier)))
          .filter((imported) => names.indexOf(imported) < names.indexOf(room))
          .map((imported) => `${source.path} imports from ${imported}, which is above ${room}`);
      });
    });
    expect(wrong).to.deep.equal([]);
  });

  it('declares every package that it imports, in package.json and among the references', () => {
    const wrong = eachImport()
      .filter(({ specifier }) => !specifier.startsWith('.') && !specifier.startsWith('node:'))
      .flatMap(({ workspace, source, specifier }) => {
        const name = packageOf(specifier);
        const problems = workspace.dependencies.includes(name)
          ? []
          : [`${source.path}: ${name} is no dependency`];
        const target = workspaces.find((candidate) => candidate.name === name);
        return target === undefined || workspace.references.includes(target.folder)
          ? problems
          : [...problems, `${source.path}: ${target.folder} is no reference`];
      });
    expect([...new Set(wrong)]).to.deep.equal([]);
  });

  it('reads the environment in config files only', () => {
    const wrong = workspaces
      .flatMap(({ sources }) => sources)
      .filter(({ text }) => /\bprocess\.env\b|\bfrom 'node:process'/.test(text))
      .filter(({ path }) => !environmentReaders.some((reader) => reader.test(path)))
      .map(({ path }) => path);
    expect(wrong).to.deep.equal([]);
  });

  it('keeps its pure rooms free of I/O', () => {
    const wrong = eachImport()
      .filter(({ workspace }) => pure[workspace.folder] !== undefined)
      .filter(({ workspace, specifier }) => {
        return !specifier.startsWith('.') && !pure[workspace.folder]!.includes(specifier);
      })
      .map(({ source, specifier }) => `${source.path} imports ${specifier}`);
    expect(wrong).to.deep.equal([]);
  });

  it('keeps dangerous packages in the rooms that are made for them', () => {
    const wrong = eachImport()
      .filter(({ source, specifier }) => confined[packageOf(specifier)]?.test(source.path) === false)
      .map(({ source, specifier }) => `${source.path} imports ${specifier}`);
    expect(wrong).to.deep.equal([]);
  });

  it('gives the vault’s database to the vault alone', () => {
    const wrong = workspaces
      .filter(({ folder }) => folder !== 'services/token-vault')
      .flatMap(({ sources }) => sources)
      .filter(({ text }) => /\b(token_keys|tenant_keys|FROM tokens|INTO tokens)\b/.test(text))
      .map(({ path }) => path);
    expect(wrong).to.deep.equal([]);
  });
});
