import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { checkout } from '@glovebox/local/places';
import { readOpenApiDocument } from '@glovebox/openapi/document';
import { methods } from '@glovebox/openapi/openapi-document';
import { errorCodes } from '@glovebox/platform/errors/app-error';
import { statusOf } from '@glovebox/platform/errors/http';
import { ConfigError, EnvReader } from '@glovebox/platform/settings/env';
import { expect } from 'chai';

import { readControlConfig } from '../../services/control-api/src/config.ts';
import { readConfig as readGatewayConfig } from '../../services/proxy-gateway/src/config.ts';
import { readConfig as readRunnerConfig } from '../../services/reactor-runner/src/config.ts';
import { readConfig as readVaultConfig } from '../../services/token-vault/src/config.ts';
import { filters } from '../../services/token-vault/src/expressions/filters/registry.ts';

const services = {
  'control-api': readControlConfig,
  gateway: readGatewayConfig,
  vault: readVaultConfig,
  runner: readRunnerConfig,
};

/** `MAX_RULES 100 1 1000 control-api, vault`: what each service asks for when it reads its configuration. */
function limitsInCode(): string[] {
  const asked = new Map<string, Set<string>>();
  const { integer } = EnvReader.prototype;
  try {
    for (const [service, readConfig] of Object.entries(services)) {
      EnvReader.prototype.integer = function note(name, range = {}) {
        if (/^MAX_.*(?<!_MS)$/.test(name)) {
          const limit = `${name} ${range.default} ${range.min} ${range.max}`;
          asked.set(limit, (asked.get(limit) ?? new Set()).add(service));
        }
        return integer.call(this, name, range);
      };
      expect(() => readConfig({})).to.throw(ConfigError);
    }
  } finally {
    EnvReader.prototype.integer = integer;
  }
  return [...asked].map(([limit, of]) => `${limit} ${[...of].join(', ')}`);
}

const read = (path: string) => readFileSync(join(checkout, path), 'utf8');

describe('the documentation', () => {
  it('names every setting of every service, and none that there is not', () => {
    const page = read('docs/settings.md');
    const inCode = new Set(
      globSync(
        '{services/*/src/{config,egress-config,**/read-limits,**/read-keys-config},packages/{access,egress,expressions,platform,published}/src/{,*/}read-*,deploy/operator/src/config}.ts',
        {
          cwd: checkout,
        },
      ).flatMap((path) =>
        [...read(path).matchAll(/'([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|PEERS|WORKERS)'/g)].map(
          ([, name]) => name as string,
        ),
      ),
    );
    const onPage = new Set(
      [...page.matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|PEERS|WORKERS)`/g)].map(
        ([, name]) => name as string,
      ),
    );
    expect([...inCode].filter((name) => !onPage.has(name))).to.deep.equal([]);
    expect([...onPage].filter((name) => !inCode.has(name))).to.deep.equal([]);
  });

  it('gives every limit with its default and its range, as the services that have it do', () => {
    const rows = [
      ...read('docs/settings.md').matchAll(
        /^\| `(MAX_[A-Z_]+)` +\| ([\d,]+) +\| ([\d,]+) to ([\d,]+) +\| .* \| ([a-z-]+(?:, [a-z-]+)*) +\|$/gm,
      ),
    ].map(([, ...cells]) => cells.map((cell) => cell.replaceAll(/(?<=\d),(?=\d)/g, '')).join(' '));
    expect(rows).to.have.members(limitsInCode());
  });

  it('explains every code of an error, with its status', () => {
    const explained = [
      ...read('docs/failure-modes.md').matchAll(/^### ([a-z_]+)\n\n\*\*Status:\*\* (\d+)\./gm),
    ];
    expect(explained.map(([, code, status]) => `${code} ${status}`)).to.deep.equal(
      errorCodes.map((code) => `${code} ${statusOf(code)}`),
    );
  });

  it('gives every code of an error in the contract too', () => {
    const listed = [...read('docs/contract/errors.md').matchAll(/^\| `([a-z_]+)` +\| (\d{3}) /gm)];
    expect(listed.map(([, code, status]) => `${code} ${status}`)).to.deep.equal(
      errorCodes.map((code) => `${code} ${statusOf(code)}`),
    );
  });

  it('lists every filter of expressions, and no other', () => {
    const [, section = ''] = read('docs/contract/expressions.md').split('\n## Filters\n');
    const listed = [...section.matchAll(/^\| (`[^|]*`) +\|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([a-z0-9_]+)`/g)].map(([, name]) => name as string),
    );
    expect(listed).to.have.members([...filters.keys()]);
  });

  it('lists every operation of the API with its permission', () => {
    const described = Object.entries(readOpenApiDocument().paths)
      .filter(([path]) => !/^\/proxy(?:\/|$)/.test(path))
      .flatMap(([path, item]) =>
        methods.flatMap((method) => {
          const permission = item[method]?.['x-permission'] ?? 'none';
          if (permission === 'none') return [];
          const names = [permission].flat().join(' ').replace('any-key', 'any key');
          return [`${method.toUpperCase()} ${path} ${names}`];
        }),
      );
    const listed = [...read('docs/contract/errors.md').matchAll(/^\| `([A-Z]+ \/\S+)` +\| (.+?) +\|/gm)].map(
      ([, operation, permissions = '']) =>
        `${operation} ${permissions.replaceAll(/[`,]/g, '').replace(/^any key.*/, 'any key')}`,
    );
    expect(listed).to.have.members(described);
  });

  it('lists every package that user code may require, with its version, and no other', () => {
    const listed = [
      ...read('packages/user-packages/src/allow-list.ts').matchAll(
        /\{\s+name: '([^']+)',(?:\s+version: '([^']+)',)?/g,
      ),
    ].map(([, name, version = 'ours']) => `${name} ${version}`);
    const onPage = [...read('docs/user-packages.md').matchAll(/^\| `([^`]+)` +\| (\S+)/gm)].map(
      ([, name, version]) => `${name} ${version}`,
    );
    expect(listed).to.have.length.above(30);
    expect(onPage).to.deep.equal(listed);
  });

  it('links to nothing that does not exist', () => {
    const pages = globSync(['*.md', 'docs/**/*.md', 'deploy/**/README.md'], { cwd: checkout });
    expect(pages).to.include('README.md');
    const broken = pages
      .filter((page) => !page.includes('node_modules'))
      .flatMap((page) =>
        [...read(page).matchAll(/\]\((?!https?:)([^)#]+)/g)]
          .map(([, target]) => join(dirname(page), target as string))
          .filter((target) => !existsSync(join(checkout, target)))
          .map((target) => `${page}: ${target}`),
      );
    expect(broken).to.deep.equal([]);
  });

  it('names only verbs that package.json has', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [...(read('README.md') + read('CONTRIBUTING.md')).matchAll(/npm run ([a-z:]+)/g)].map(
      ([, verb]) => verb as string,
    );
    const unknown = named.filter((verb) => scripts[verb] === undefined && verb !== 'start:');
    expect(unknown).to.deep.equal([]);
  });
});
