import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { checkout } from '@glovebox/local/places';
import { expect } from 'chai';

const folder = 'docs/adr';
const read = (name: string) => readFileSync(join(checkout, folder, name), 'utf8');
const records = globSync(`${folder}/[0-9]*.md`, { cwd: checkout })
  .map((path) => basename(path))
  .sort();
const link = '\\[ADR \\d+\\]\\(\\d{4}-[a-z0-9-]+\\.md\\)';
const form = new RegExp(
  `^# (\\d+)\\. (.+)\\n\\n\\*\\*Status:\\*\\* (Accepted|(?:Accepted, in part s|S)uperseded by ${link})\\n\\n`,
);

describe('decisions', () => {
  it('are numbered from 1 without gaps', () => {
    expect(records.map((name) => name.slice(0, 5))).to.deep.equal(
      records.map((_, index) => `${String(index + 1).padStart(4, '0')}-`),
    );
  });

  it('begin with their number, title and status', () => {
    const wrong = records.filter((name) => Number(form.exec(read(name))?.[1]) !== Number(name.slice(0, 4)));
    expect(wrong).to.deep.equal([]);
  });

  it('are in the index, each with a line and its status', () => {
    const expected = records.map((name) => {
      const [, number, title, status] = form.exec(read(name)) ?? [];
      return `${number} [${title}](${name}) ${status}`;
    });
    const rows = [
      ...read('README.md').matchAll(/^\| (\d+) +\| (\[.+?\]\(\S+\)) +\| \S.+? +\| (\S.*?) +\|$/gm),
    ];
    expect(rows.map(([, number, title, status]) => `${number} ${title} ${status}`)).to.deep.equal(expected);
  });
});
