import { addressOf } from './address.ts';
import { parts } from './contents.ts';
import { escapeHtml } from './html.ts';
import type { Heading } from './markdown.ts';
import { groups } from './tasks.ts';

export interface PageContent {
  readonly address: string;
  readonly title: string;
  /** Of the article, without a title of its own above it. */
  readonly html: string;
  readonly headings: readonly Heading[];
}

/** A whole page. It reads without its script, which adds the search only. */
export function layout({ address, title, html, headings }: PageContent): string {
  const name = escapeHtml(title);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${address === '/docs' ? 'Glovebox' : `${name} · Glovebox`}</title>
<link rel="icon" type="image/svg+xml" href="/docs/assets/icon.svg">
<link rel="stylesheet" href="/docs/assets/docs.css">
<script src="/docs/assets/minisearch.js" defer></script>
<script src="/docs/assets/docs.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<a class="brand" href="/docs">Glovebox</a>
<search><label for="query">Search</label> <input id="query" type="search" placeholder="Search (press /)" autocomplete="off" role="combobox" aria-expanded="false" aria-controls="results" aria-autocomplete="list"><ul id="results" role="listbox" aria-label="Results" hidden></ul></search>
</header>
<div class="columns">
<nav aria-label="Pages"><details open><summary>Pages</summary>
${navigation(address)}
</details></nav>
<main id="content" tabindex="-1">
${html}
</main>
${onThisPage(headings)}
</div>
</body>
</html>
`;
}

function navigation(address: string): string {
  const api = section('HTTP API', [
    link('/docs/api', 'All operations', address),
    ...groups.flatMap(({ tags }) => tags.map((tag) => link(addressOfTag(tag), tag, address))),
    link('/docs/try', 'Try it', address),
    link('/docs/errors', 'Errors', address),
  ]);
  const guides = parts.flatMap(({ title, chapters }) => {
    const part = section(
      title,
      chapters.map((one) => link(addressOf(one.source), one.title, address)),
    );
    return title === 'Reference' ? [part, api] : [part];
  });
  return guides.join('\n');
}

/** Of the operations of one tag in the API document. */
export function addressOfTag(tag: string): string {
  return `/docs/api/${tag.toLowerCase().replaceAll(' ', '-')}`;
}

function section(title: string, links: readonly string[]): string {
  return `<h2>${escapeHtml(title)}</h2>\n<ul>${links.map((one) => `<li>${one}</li>`).join('')}</ul>`;
}

function link(href: string, text: string, address: string): string {
  const current = href === address ? ' aria-current="page"' : '';
  return `<a href="${href}"${current}>${escapeHtml(text)}</a>`;
}

function onThisPage(headings: readonly Heading[]): string {
  const shown = headings.filter(({ level }) => level === 2 || level === 3);
  if (shown.length < 2) return '';
  const links = shown.map(
    ({ level, text, anchor }) =>
      `<li class="level-${level}"><a href="#${anchor}">${escapeHtml(text)}</a></li>`,
  );
  return `<aside aria-label="On this page"><h2>On this page</h2><ul>${links.join('')}</ul></aside>`;
}
