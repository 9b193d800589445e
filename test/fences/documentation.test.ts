import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { checkout } from '@glovebox/local/places';
import { expect } from 'chai';

const read = (path: string) => readFileSync(join(checkout, path), 'utf8');

describe('the documentation', () => {
  it('names every setting of every service, and none that there is not', () => {
    const page = read('docs/settings.md');
    const inCode = new Set(
      globSync(
        '{services/*/src/{config,egress-config,**/read-limits,**/read-keys-config},packages/{egress,platform,published}/src/read-*,deploy/operator/src/config}.ts',
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
    const pages = globSync(['README.md', 'docs/**/*.md', 'deploy/**/README.md'], { cwd: checkout });
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
    const named = [...read('README.md').matchAll(/npm run ([a-z:]+)/g)].map(([, verb]) => verb as string);
    const unknown = named.filter((verb) => scripts[verb] === undefined && verb !== 'start:');
    expect(unknown).to.deep.equal([]);
  });
});
