import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { checkout } from '@glovebox/local/places';
import { readOpenApiDocument } from '@glovebox/openapi/document';
import { methods } from '@glovebox/openapi/openapi-document';
import { errorCodes } from '@glovebox/platform/errors/app-error';
import { statusOf } from '@glovebox/platform/errors/http';
import { expect } from 'chai';

import { filters } from '../../services/token-vault/src/expressions/filters/registry.ts';
import { campaigns } from '../evidence/campaigns.ts';
import { renderPage, renderPictures } from '../evidence/report/page.ts';
import { renderSettingsPage } from '../gen/settings-page.ts';

const read = (path: string) => readFileSync(join(checkout, path), 'utf8');

describe('the documentation', () => {
  it('has the tables of settings that the declarations give (npm run settings)', () => {
    // The formatter may set other columns.
    const compact = (page: string) => page.replaceAll(/ {2,}|-{3,}/g, ' ');
    const page = read('docs/settings.md');
    expect(compact(page)).to.equal(compact(renderSettingsPage(page)));
  });

  it('shows of the evidence what runs have found, and nothing else (npm run evidence)', () => {
    const words = (page: string) => page.replaceAll(/[-|\s]+/g, ' ');
    expect(words(read('docs/evidence.md'))).to.equal(words(renderPage(campaigns)));
    for (const [name, picture] of renderPictures(campaigns))
      expect(read(`docs/evidence/${name}`), name).to.equal(picture);
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
          const or = item[method]?.['x-or-permission'];
          const all = or === undefined ? [permission].flat() : [permission, 'or', or];
          const names = all.join(' ').replace('any-key', 'any key');
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
