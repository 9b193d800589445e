import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';

import { parts } from '@glovebox/docs-site/contents';
import { checkout } from '@glovebox/local/places';
import { expect } from 'chai';
import { parseAllDocuments } from 'yaml';

const read = (path: string) => readFileSync(join(checkout, path), 'utf8');

/** Tests that run, or compile, what these pages show. Those of recipes are found by `test/fences/reference.test.ts`. */
const runBy: Readonly<Record<string, string>> = {
  'docs/cli.md': 'test/stories/user-cli.it.test.ts',
  'docs/code.md': 'test/fences/reference.test.ts',
  'docs/installing.md': 'deploy/k8s/test/installing.it.test.ts',
  'packages/sdk/README.md': 'test/stories/readme-of-the-client.it.test.ts',
};

/** What a test cannot run here, or what a test of the same behaviour runs in other words. */
const notRun: Readonly<Record<string, string>> = {
  'deploy/images/README.md': 'builds images; npm run smoke -w deploy/k8s runs them',
  'deploy/k8s/README.md': 'needs a cluster',
  'docs/air-gapped.md': 'needs a registry of images',
  'docs/client-encryption.md': 'a fragment; test/stories/client-encryption.it.test.ts encrypts like this',
  'docs/contract/audit-export.md': 'needs an export; test/stories/uses-and-evidence.it.test.ts verifies one',
  'docs/contract/erasure.md': 'a command of operators; test/stories/tenant-is-erased.it.test.ts calls it',
  'docs/contract/examples.md': 'as HTTP; test/stories/worked-examples.it.test.ts sends it',
  'docs/contract/proxies.md': 'reads the certificate of a destination of yours',
  'docs/contract/rollouts.md': 'as HTTP; test/stories/rollouts.it.test.ts sends it',
  'docs/contract/transforms.md': 'the shape of a module; every recipe has one',
  'docs/contract/versions.md': 'as HTTP; services/control-api/test has the stories of versions',
  'docs/operate/sizing.md': 'runs benchmarks',
  'docs/operating.md': 'needs a cluster; test/stories/backup.it.test.ts and others call the commands',
  'docs/runbooks/README.md': 'needs a cluster',
  'docs/user-packages.md': 'changes the checkout',
  'packages/code-types/README.md': 'installs a package that is published',
};

interface Block {
  readonly page: string;
  readonly language: string;
  readonly text: string;
}

const pages = [
  ...new Set([
    ...parts.flatMap(({ chapters }) => chapters.map(({ source }) => source)),
    ...globSync('docs/runbooks/*.md', { cwd: checkout }),
  ]),
];
const blocks = pages.flatMap((page): Block[] =>
  [...read(page).matchAll(/^( *)```(\w+)[^\n]*\n(.*?)^\1```$/gms)].map(
    ([, indent = '', language = '', text = '']) => ({
      page,
      language,
      text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  ),
);
const of = (...languages: string[]) => blocks.filter(({ language }) => languages.includes(language));

describe('commands and code that the documentation shows', () => {
  it('are run by a test, or this list says why not', () => {
    const guides = read('test/stories/guides.it.test.ts');
    const isRun = (page: string) =>
      page.startsWith('docs/cookbook/') || guides.includes(`'${page}'`) || runBy[page] !== undefined;
    const shown = new Set(of('sh', 'js', 'ts', 'sql', 'yaml', 'http').map(({ page }) => page));
    expect([...shown].filter((page) => !isRun(page)).toSorted()).to.deep.equal(
      Object.keys(notRun).toSorted(),
    );
    for (const [page, test] of Object.entries(runBy)) expect(read(test), test).to.include(page);
  });

  it('can be read by what they are written for', () => {
    const readers: Readonly<Record<string, (text: string) => unknown>> = {
      js: stripTypeScriptTypes,
      yaml: (text) => {
        for (const { errors } of parseAllDocuments(text)) if (errors[0] !== undefined) throw errors[0];
      },
      sh: (text) => {
        const { stderr } = spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' });
        if (stderr !== '') throw new Error(stderr);
      },
    };
    const broken = of('js', 'yaml', 'sh').flatMap(({ page, language, text }) => {
      try {
        readers[language]?.(text);
        return [];
      } catch (error) {
        return [`${page}: ${String(error)}\n${text}`];
      }
    });
    expect(broken).to.deep.equal([]);
  });

  it('name only commands of glovebox that there are', () => {
    const files = '{services/*/src/cli.ts,services/*/src/cli/*.ts,deploy/operator/src/commands.ts}';
    const ofOperators = globSync(files, { cwd: checkout }).flatMap((file) =>
      [...read(file).matchAll(/^ +name: '([a-z -]+)',/gm)].map(([, name]) => name),
    );
    // A test compares the page with the program.
    const ofUsers = [...read('docs/cli.md').matchAll(/^### ([a-z-]+(?: [a-z-]+)*)/gm)].map(
      ([, name]) => name,
    );
    const known = new Set([...ofOperators, ...ofUsers]);
    const called = of('sh').flatMap(({ page, text }) =>
      [...text.matchAll(/^(?:glovebox|npm run glovebox --|.* -- glovebox) ([a-z-]+)(?: ([a-z-]+))?/gm)].map(
        ([, first = '', second = '']) => ({ page, names: [first, `${first} ${second}`] }),
      ),
    );
    expect(called).to.have.length.above(15);
    expect(called.filter(({ names }) => !names.some((name) => known.has(name)))).to.deep.equal([]);
  });
});
