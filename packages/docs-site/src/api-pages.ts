import { dereference } from '@glovebox/openapi/dereference';
import type {
  Content,
  OpenApiDocument,
  Operation,
  PathItem,
  Response,
  Schema,
} from '@glovebox/openapi/openapi-document';
import { methods } from '@glovebox/openapi/openapi-document';

import { escapeHtml } from './html.ts';
import { addressOfTag } from './layout.ts';
import { type Linker, type RenderedPage, renderFragment } from './markdown.ts';
import { fieldsOf } from './schema-fields.ts';
import { groups } from './tasks.ts';

interface Place {
  readonly method: string;
  readonly path: string;
  readonly item: PathItem;
  readonly operation: Operation;
}

export interface ApiPage extends RenderedPage {
  readonly address: string;
}

/** One page for each tag of the API document, and one that lists all operations by task. */
export function apiPages(document: OpenApiDocument, linker: Linker): readonly ApiPage[] {
  const places = placesOf(document);
  const render = (text: string) => renderFragment(text, linker);
  const pages = document.tags.map(({ name, description }) => {
    const own = places.filter(({ operation }) => operation.tags[0] === name);
    const sections = own.map((place) => sectionOf(place, document, render));
    return pageOf(addressOfTag(name), name, `<p>${escapeHtml(description)}</p>\n${sections.join('\n')}`, own);
  });
  return [overview(document, places, render), ...pages];
}

function placesOf(document: OpenApiDocument): readonly Place[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [{ method: method.toUpperCase(), path, item, operation }];
    }),
  );
}

function pageOf(address: string, title: string, body: string, places: readonly Place[]): ApiPage {
  const headings = places.map(({ operation }) => ({
    level: 2,
    text: operation.summary,
    anchor: operation.operationId,
  }));
  const sections = places.map(({ method, path, operation }) => ({
    heading: `${operation.summary}: ${method} ${path}`,
    anchor: operation.operationId,
    text: `${operation.description} ${permissionOf(operation)}`,
  }));
  return { address, title, html: `<h1>${escapeHtml(title)}</h1>\n${body}`, headings, sections };
}

function overview(
  document: OpenApiDocument,
  places: readonly Place[],
  render: (text: string) => string,
): ApiPage {
  const lists = groups.map(({ name, tags }) => {
    const own = tags.flatMap((tag) => places.filter(({ operation }) => operation.tags[0] === tag));
    const rows = own.map(({ method, path, operation }) => {
      const href = `${addressOfTag(operation.tags[0] ?? '')}#${operation.operationId}`;
      return `<tr><td><code>${method} ${escapeHtml(path)}</code></td><td><a href="${href}">${escapeHtml(operation.summary)}</a></td></tr>`;
    });
    return `<h2>${escapeHtml(name)}</h2>\n<div class="wide" tabindex="0"><table><thead><tr><th>Request</th><th>What it does</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
  });
  const { description = '' } = document.info;
  const start = `${render(description)}<p>The same as a file: <a href="/openapi.json">openapi.json</a>. You can <a href="/docs/try">send requests</a> from your browser.</p>`;
  const title = 'HTTP API';
  const sections = [{ heading: title, anchor: '', text: description }];
  return {
    address: '/docs/api',
    title,
    html: `<h1>${title}</h1>\n${start}\n${lists.join('\n')}`,
    headings: [],
    sections,
  };
}

function sectionOf(
  { method, path, item, operation }: Place,
  document: OpenApiDocument,
  render: (text: string) => string,
): string {
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((one) =>
    dereference(document.components.parameters, one),
  );
  const request = operation.requestBody?.content;
  return [
    `<section class="operation"><h2 id="${operation.operationId}">${escapeHtml(operation.summary)}</h2>`,
    `<p><code class="request">${method} ${escapeHtml(path)}</code></p>`,
    render(operation.description),
    `<p class="permission">${escapeHtml(permissionOf(operation))}</p>`,
    parameters.length === 0
      ? ''
      : `<h3>Parameters</h3>${tableOf(
          parameters.map((one) => ({
            name: one.name,
            type: `${typeText(one.schema, document)}, in the ${one.in}${one.required === true ? ', required' : ''}`,
            text: descriptionOf(one),
          })),
          render,
        )}`,
    request === undefined ? '' : `<h3>Request</h3>${contentOf(request, document, render)}`,
    '<h3>Answers</h3>',
    ...Object.entries(operation.responses).map(([status, response]) =>
      answerOf(status, dereference(document.components.responses, response), document, render),
    ),
    '</section>',
  ].join('\n');
}

function permissionOf({ 'x-permission': permission, 'x-or-permission': other }: Operation): string {
  if (permission === 'none') return 'Needs no key.';
  if (permission === 'any-key') return 'Any valid API key.';
  if (other !== undefined) return `Permission: ${String(permission)} or ${other}.`;
  return `Permission: ${typeof permission === 'string' ? permission : permission.join(' and ')}.`;
}

function answerOf(
  status: string,
  response: Response,
  document: OpenApiDocument,
  render: (text: string) => string,
): string {
  const head = `<p><code>${escapeHtml(status)}</code> ${escapeHtml(response.description)}</p>`;
  const isSuccess = status.startsWith('2');
  return isSuccess && response.content !== undefined
    ? head + contentOf(response.content, document, render)
    : head;
}

function contentOf(content: Content, document: OpenApiDocument, render: (text: string) => string): string {
  return Object.entries(content)
    .map(([type, { schema, example }]) => {
      const fields = fieldsOf(schema, document.components.schemas).map((field) => ({
        name: field.path,
        type: field.type + (field.isRequired ? ', required' : ''),
        text: field.description,
      }));
      const shown =
        example === undefined
          ? ''
          : `<pre tabindex="0"><code>${escapeHtml(typeof example === 'string' ? example : JSON.stringify(example, null, 2))}</code></pre>`;
      return `<p><code>${escapeHtml(type)}</code></p>${fields.length === 0 ? '' : tableOf(fields, render)}${shown}`;
    })
    .join('\n');
}

function tableOf(
  rows: readonly { readonly name: string; readonly type: string; readonly text: string }[],
  render: (text: string) => string,
): string {
  const body = rows.map(
    ({ name, type, text }) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${escapeHtml(type)}</td><td>${render(text)}</td></tr>`,
  );
  return `<div class="wide" tabindex="0"><table><thead><tr><th>Name</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${body.join('')}</tbody></table></div>`;
}

function typeText(schema: Schema | undefined, document: OpenApiDocument): string {
  return schema === undefined
    ? 'text'
    : (fieldsOf({ properties: { it: schema } }, document.components.schemas)[0]?.type ?? 'text');
}

function descriptionOf(value: object): string {
  return 'description' in value && typeof value.description === 'string' ? value.description : '';
}
