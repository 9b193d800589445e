import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { parts } from '@glovebox/docs-site/contents';
import { checkout } from '@glovebox/local/places';
import { expect } from 'chai';

import { filters } from '../../services/token-vault/src/expressions/filters/registry.ts';
import { renderCodePage, renderPackageTypes } from '../gen/code-page.ts';
import { evaluateFilters, filterGroups, refusalOf, renderFiltersPage } from '../gen/filters-page.ts';
import { concepts } from '../gen/pictures/concepts.ts';
import { draw } from '../gen/pictures/draw.ts';
import { readRecipe } from '../harness/cookbook.ts';

const read = (path: string) => readFileSync(join(checkout, path), 'utf8');
const words = (page: string) => page.replaceAll(/[-|\s]+/g, ' ');

describe('the reference', () => {
  const described = filterGroups.flatMap((group) => group.filters);

  it('is what the code gives (npm run reference)', () => {
    expect(words(read('docs/filters.md'))).to.equal(words(renderFiltersPage()));
    const code = read('docs/code.md');
    expect(words(code)).to.equal(words(renderCodePage(code)));
    expect(words(read('packages/code-types/packages.d.ts'))).to.equal(words(renderPackageTypes()));
  });

  it('has a page for each concept, with its picture as it is drawn (npm run reference)', () => {
    const pages = globSync('docs/concepts/*.md', { cwd: checkout }).map((path) => basename(path, '.md'));
    expect(pages.toSorted()).to.deep.equal(Object.keys(concepts).toSorted());
    for (const [name, picture] of Object.entries(concepts)) {
      expect(read(`docs/concepts/${name}.md`)).to.include(`](${name}.svg)`);
      expect(read(`docs/concepts/${name}.svg`)).to.equal(draw(picture));
    }
  });

  it('has recipes whose page shows the code that runs, each with a test that cooks it', () => {
    const names = globSync('docs/cookbook/*/', { cwd: checkout }).map((path) => basename(path));
    expect(names).to.have.length.at.least(20);
    const overview = read('docs/cookbook/README.md');
    const tests = globSync('test/stories/cookbook-*.it.test.ts', { cwd: checkout }).map(read).join('');
    for (const name of names) {
      const { blocks, code, file } = readRecipe(name);
      if (file !== undefined) expect(blocks.get(file), name).to.equal(code);
      expect(overview).to.include(`(${name}/README.md)`);
      expect(tests).to.match(new RegExp(`^ {2}it\\('${name}: `, 'm'));
    }
  });

  it('has every guide in its navigation', () => {
    const guides = globSync('docs/{*,contract/*,concepts/*,start/*,operate/*,moving/*,cookbook/**/*}.md', {
      cwd: checkout,
    });
    const listed = parts.flatMap(({ chapters }) => chapters.map(({ source }) => source));
    expect(guides).to.have.length.above(60);
    expect(guides.filter((guide) => !listed.includes(guide))).to.deep.equal([]);
    expect(listed).to.have.length(new Set(listed).size);
  });

  it('has every command of operators, with each of its flags', () => {
    const files = globSync(
      '{services/*/src/cli.ts,services/*/src/cli/*.ts,deploy/operator/src/commands.ts}',
      {
        cwd: checkout,
      },
    );
    const commands = files.flatMap((file) => [
      ...read(file).matchAll(/^ +name: '([a-z -]+)',\n +takes: '([^']*)',/gm),
    ]);
    expect(commands).to.have.length.above(15);
    const page = read('docs/operating.md');
    for (const [, name = '', takes = ''] of commands)
      for (const word of [`\`${name}`, ...(takes.match(/--[a-z-]+/g) ?? [])]) expect(page).to.include(word);
  });

  it('has types of code that accept good examples and find every mistake of bad ones', () => {
    const project = join(checkout, 'packages/code-types/examples');
    const command = [join(checkout, 'node_modules/typescript/bin/tsc'), '-p', project];
    const { stdout, status } = spawnSync(process.execPath, command, { encoding: 'utf8' });
    expect(stdout).to.equal('');
    expect(status).to.equal(0);
  });

  it('has every filter that there is, once, with the arguments that it takes', () => {
    expect(described.map(({ name }) => name).toSorted()).to.deep.equal([...filters.keys()].toSorted());
    for (const { name, parameters } of described) {
      const positional = parameters.filter(({ isNamed }) => isNamed !== true);
      const required = positional.filter(({ default: fallback }) => fallback === undefined);
      expect({
        minArgs: required.length,
        maxArgs: name === 'default' ? 1 : positional.length,
        namedArg: parameters.find(({ isNamed }) => isNamed === true)?.name,
      }).to.deep.equal(
        {
          minArgs: filters.get(name)?.minArgs,
          maxArgs: filters.get(name)?.maxArgs,
          namedArg: filters.get(name)?.namedArg,
        },
        name,
      );
    }
  });

  it('shows for every filter what it gives and, unless it accepts all, what it refuses', () => {
    const acceptAll = new Set(['first', 'last', 'size', 'stringify']);
    for (const { name, examples, refusals } of described) {
      const isItsOwn = new RegExp(`^${name}\\b`);
      expect(examples[0]?.[1], name).to.match(isItsOwn);
      for (const [input, chain, like] of examples) {
        const result = evaluateFilters(input, chain);
        if (like !== undefined) {
          expect(JSON.parse(result), chain).to.match(like.pattern);
          expect(like.shown, chain).to.match(like.pattern);
        }
      }
      if (!acceptAll.has(name)) expect(refusals, name).to.not.deep.equal([]);
      for (const [input, chain] of refusals) {
        expect(chain, name).to.match(isItsOwn);
        expect(refusalOf(input, chain), chain).to.match(/^Filter /);
      }
    }
  });
});
