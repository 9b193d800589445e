import MarkdownIt, { type Token } from 'markdown-it';

import { addressOf, resolveSource, slugOf } from './address.ts';
import { escapeHtml } from './html.ts';

export interface Heading {
  readonly level: number;
  readonly text: string;
  readonly anchor: string;
}

export interface RenderedPage {
  readonly title: string;
  readonly html: string;
  readonly headings: readonly Heading[];
  /** Its text by sections, for the search. */
  readonly sections: readonly { readonly heading: string; readonly anchor: string; readonly text: string }[];
}

/** What links of a page lead to. */
export interface Linker {
  /** The file that the page is made of. */
  readonly source: string;
  readonly hasPage: (source: string) => boolean;
}

// Raw HTML is shown as text: the pages' policy allows no inline style or script.
const markdown = new MarkdownIt({ html: false });

// A block that is to be saved has its file's name above it: the second word behind its fence.
const renderFence = markdown.renderer.rules['fence'];
markdown.renderer.rules['fence'] = (tokens, at, ...rest) => {
  const file = tokens[at]?.info.trim().split(/\s+/)[1];
  const name = file === undefined ? '' : `<p class="file"><code>${escapeHtml(file)}</code></p>\n`;
  return name + (renderFence?.(tokens, at, ...rest) ?? '');
};

/** Notes to those who edit a file, on lines of their own. */
const comment = /^<!--.*?-->$/gms;

/** Renders text without headings, such as a description in the API document. */
export function renderFragment(text: string, linker: Linker): string {
  const tokens = markdown.parse(text, {});
  for (const token of tokens) relink(token, linker);
  return markdown.renderer.render(tokens, markdown.options, {});
}

/** Renders a Markdown file. Links to files without a page become plain text. */
export function renderPage(text: string, linker: Linker): RenderedPage {
  const tokens = markdown.parse(text.replaceAll(comment, ''), {});
  const headings: Heading[] = [];
  const used = new Map<string, number>();
  const sections = [{ heading: '', anchor: '', text: '' }];
  for (const [at, token] of tokens.entries()) {
    relink(token, linker);
    if (token.type === 'heading_open') {
      const heading = headingOf(token, tokens[at + 1], used);
      token.attrSet('id', heading.anchor);
      headings.push(heading);
      sections.push({ heading: heading.text, anchor: heading.anchor, text: '' });
    } else if (token.type === 'inline' && tokens[at - 1]?.type !== 'heading_open') {
      const section = sections.at(-1);
      if (section !== undefined) section.text += `${textOf(token)} `;
    } else if (token.type === 'fence') {
      const section = sections.at(-1);
      if (section !== undefined) section.text += `${token.content} `;
    }
  }
  // Wide parts scroll, for those who have a keyboard only too.
  const html = markdown.renderer
    .render(tokens, markdown.options, {})
    .replaceAll('<table>', '<div class="wide" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replaceAll(/ style="text-align:(left|right|center)"/g, ' class="$1"');
  return { title: headings[0]?.text ?? linker.source, html, headings, sections };
}

function headingOf(token: Token, inline: Token | undefined, used: Map<string, number>): Heading {
  const text = inline === undefined ? '' : textOf(inline);
  const slug = slugOf(text);
  const before = used.get(slug) ?? 0;
  used.set(slug, before + 1);
  return { level: Number(token.tag.slice(1)), text, anchor: before === 0 ? slug : `${slug}-${before}` };
}

function textOf(inline: Token): string {
  return (inline.children ?? []).map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('');
}

function relink(token: Token, { source, hasPage }: Linker): void {
  const children = token.children ?? [];
  let isPlain = false;
  for (const child of children) {
    if (child.type === 'image') child.attrSet('src', addressOfPicture(String(child.attrGet('src')), source));
    if (child.type === 'link_open') {
      const href = addressOfLink(String(child.attrGet('href')), source, hasPage);
      isPlain = href === undefined;
      if (href !== undefined) child.attrSet('href', href);
    }
    if (isPlain && child.type === 'link_open') Object.assign(child, { tag: 'span', attrs: null });
    if (isPlain && child.type === 'link_close') child.tag = 'span';
  }
}

function addressOfLink(
  href: string,
  source: string,
  hasPage: (source: string) => boolean,
): string | undefined {
  if (/^[a-z]+:/.test(href) || href.startsWith('/') || href.startsWith('#')) return href;
  const [path = '', anchor] = href.split('#');
  const target = resolveSource(source, path);
  if (target === 'docs/openapi.yaml') return '/openapi.json';
  const page = [target, `${target.replace(/\/$/, '')}/README.md`].find(hasPage);
  if (page === undefined) return undefined;
  return addressOf(page) + (anchor === undefined ? '' : `#${anchor}`);
}

/** Pictures have the address of their file. */
function addressOfPicture(path: string, source: string): string {
  return addressOf(resolveSource(source, path));
}
