import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

const licenceFile = /^(licen[cs]e|copying|notice)/i;

/** The licences of the packages in these folders as one text. They must accompany copies of the packages. */
export function licencesOf(folders: readonly string[]): string {
  return folders.map(licenceOf).join(`\n${'='.repeat(80)}\n\n`);
}

function licenceOf(folder: string): string {
  const { name, version, license }: { name: string; version: string; license?: unknown } = JSON.parse(
    readFileSync(path.join(folder, 'package.json'), 'utf8'),
  );
  const texts = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && licenceFile.test(entry.name))
    .map((entry) => readFileSync(path.join(folder, entry.name), 'utf8').trim());
  const own = typeof license === 'string' ? license : JSON.stringify(license ?? 'see its own text');
  return `${name} ${version}: ${own}\n\n${texts.join('\n\n')}\n`;
}
