import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { readOpenApiDocument } from '@glovebox/openapi/document';

import { errorsPage } from './errors-page.ts';
import { page, startScript } from './page.ts';

/** A file that anybody may read. */
export interface PublicDocument {
  readonly type: string;
  readonly body: Buffer;
  /** Strong (RFC 9110 section 8.8.3). */
  readonly etag: string;
}

/** By path. Read once; they do not change while the service runs. */
export function publicDocuments(): ReadonlyMap<string, PublicDocument> {
  const bundle = readFileSync(new URL(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js')));
  const style = readFileSync(new URL(import.meta.resolve('swagger-ui-dist/swagger-ui.css')));
  const icon = readFileSync(new URL(import.meta.resolve('swagger-ui-dist/favicon-32x32.png')));
  return new Map([
    ['/openapi.json', of('application/json', JSON.stringify(readOpenApiDocument()))],
    ['/docs', of('text/html; charset=utf-8', page)],
    ['/docs/errors', of('text/html; charset=utf-8', errorsPage)],
    ['/docs/start.js', of('text/javascript; charset=utf-8', startScript)],
    ['/docs/swagger-ui-bundle.js', of('text/javascript; charset=utf-8', bundle)],
    ['/docs/swagger-ui.css', of('text/css; charset=utf-8', style)],
    ['/docs/favicon-32x32.png', of('image/png', icon)],
  ]);
}

function of(type: string, content: string | Buffer): PublicDocument {
  const body = Buffer.from(content);
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  return { type, body, etag };
}
