import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '@glovebox/local/places';
import { routeOf } from '@glovebox/local/route-table';
import {
  type Method,
  type OpenApiDocument,
  type Operation,
  methods,
} from '@glovebox/openapi/openapi-document';

import { publicDocuments } from '../../services/control-api/src/documentation/documents.ts';
import { auditKeysPath } from '../../services/control-api/src/transport/serve-audit-keys.ts';

/** One operation of the described API. */
export interface PublicOperation {
  readonly method: Method;
  readonly path: string;
  /** As in the document; several are joined by a comma. */
  readonly permission: string;
  /** Enough in place of it. */
  readonly orPermission?: string | undefined;
  readonly isOfGateway: boolean;
  readonly operation: Operation;
}

export function operationsOf({ paths }: OpenApiDocument): readonly PublicOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      const permission = String(operation['x-permission']);
      const orPermission = operation['x-or-permission'];
      const isOfGateway = routeOf(path).upstream === 'proxy-gateway';
      return [{ method, path, permission, orPermission, isOfGateway, operation }];
    }),
  );
}

/** The table in control-api's routes.ts and what it shows to everybody, with the paths as the document writes them. */
export async function controlOperations(): Promise<
  readonly Omit<PublicOperation, 'operation' | 'isOfGateway'>[]
> {
  const shown = [...(await publicDocuments()).keys(), auditKeysPath].map((path) =>
    path
      .replace(/^\/docs\/[^/]+\/.+/, '/docs/{folder}/{page}')
      .replace(/^\/docs\/(?!errors$)[^/]+$/, '/docs/{page}'),
  );
  const open = [...new Set(shown)].map((path) => ({ method: 'get', path, permission: 'none' }) as const);
  const source = readFileSync(join(checkout, 'services/control-api/src/transport/routes.ts'), 'utf8');
  const line = /\broute\(\s*'([a-z]+)',\s*'([^']+)',\s*(?:'([^']+)'|\[([^\]]+)\])/g;
  const asked = [...source.matchAll(line)].map(([, method, path = '', permission, several = '']) => ({
    method: method as Method,
    path: path.replaceAll(/:(\w+)/g, (_, name: string) => `{${snakeCase(name)}}`),
    permission: permission ?? [...several.matchAll(/'([^']+)'/g)].map(([, one]) => one).join(','),
  }));
  return [...open, ...asked];
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
