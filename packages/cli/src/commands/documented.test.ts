import { readFileSync } from 'node:fs';

import { expect } from 'chai';

import { schema } from '../gen/schema.ts';
import { renderSchema } from '../render-schema.ts';
import { commands } from './all.ts';

const page = readFileSync(new URL('../../../../docs/cli.md', import.meta.url), 'utf8');

describe('the page of the command line', () => {
  it('has every command with what it takes, what it does and all its flags, and no other', () => {
    const [, section = ''] = page.split('\n## Commands\n');
    const shown = section
      .split('\n### ')
      .slice(1)
      .map((part) => {
        const [title = '', ...rest] = part.split('\n');
        const does = rest.find((line) => line !== '');
        const flags = [...part.matchAll(/^\| `--([^`]+)`(?:, `-(\w)`)? +\| (.*?) +\|$/gm)];
        return { title, does, flags: flags.map(([, flag, short, text]) => [flag, short, text]) };
      });
    expect(shown).to.deep.equal(
      commands.map(({ name, takes, does, flags }) => ({
        title: [name, ...takes].join(' '),
        does,
        flags: Object.entries(flags).map(([flag, { value, short, does: text }]) => [
          value === undefined ? flag : `${flag} ${value}`,
          short,
          text,
        ]),
      })),
    );
  });

  it('refers editors to a schema that is made of the description of the API (render-schema-main.ts)', () => {
    const rendered = /^export const schema = ([^]*);\n$/m.exec(renderSchema())?.[1] ?? '';
    expect(schema).to.deep.equal(JSON.parse(rendered));
  });
});
