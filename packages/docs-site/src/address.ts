import { posix } from 'node:path';

/** The page of a Markdown file, as a path below the site's root. `docs/README.md` is the root itself. */
export function addressOf(source: string): string {
  if (source === 'docs/README.md') return '/docs';
  const below = source.startsWith('docs/') ? source.slice('docs/'.length) : source;
  const name = below.replace(/\.md$/, '').replace(/(^|\/)README$/, '');
  return `/docs/${name.toLowerCase()}`;
}

/** The file in the repository that a relative link of another one means. */
export function resolveSource(from: string, link: string): string {
  return posix.normalize(posix.join(posix.dirname(from), link));
}

/** The anchor of a heading, as GitHub makes it: links work in the repository and on the site. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-');
}
