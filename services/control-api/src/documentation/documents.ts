import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { openSite } from '@glovebox/docs-site/open-site';
import { readOpenApiDocument } from '@glovebox/openapi/document';

import { page, pagePolicy, sitePolicy, startScript } from './page.ts';

/** A file that anybody may read. */
export interface PublicDocument {
  readonly type: string;
  readonly body: Buffer;
  /** Strong (RFC 9110 section 8.8.3). */
  readonly etag: string;
  /** Content-Security-Policy. */
  readonly policy: string;
}

export type PublicDocuments = ReadonlyMap<string, PublicDocument>;

let documents: Promise<PublicDocuments> | undefined;

/** By path. Read when they are first asked for; they do not change while the service runs. */
export function publicDocuments(): Promise<PublicDocuments> {
  return (documents ??= readAll());
}

async function readAll(): Promise<PublicDocuments> {
  const site = Object.entries(await openSite());
  return new Map([
    ...site.map(([path, { type, text }]) => [path, of(type, text, sitePolicy)] as const),
    ['/openapi.json', of('application/json', JSON.stringify(readOpenApiDocument()), sitePolicy)],
    ['/docs/try', of('text/html; charset=utf-8', page, pagePolicy)],
    ['/docs/try/start.js', of('text/javascript; charset=utf-8', startScript, sitePolicy)],
    ...swaggerFiles.map(
      ([name, file, type]) => [`/docs/try/${name}`, of(type, readFileSync(file), sitePolicy)] as const,
    ),
  ]);
}

const swaggerFiles = [
  [
    'swagger-ui-bundle.js',
    new URL(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js')),
    'text/javascript; charset=utf-8',
  ],
  [
    'swagger-ui.css',
    new URL(import.meta.resolve('swagger-ui-dist/swagger-ui.css')),
    'text/css; charset=utf-8',
  ],
] as const;

function of(type: string, content: string | Buffer, policy: string): PublicDocument {
  const body = Buffer.from(content);
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  return { type, body, etag, policy };
}
