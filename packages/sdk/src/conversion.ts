import { renameKeys, toCamelCase, toSnakeCase } from './case.ts';

/** How a family of calls spells its bodies: snake_case on the wire, camelCase in code. */
export interface Conversion {
  readonly toWire: (body: unknown) => unknown;
  readonly fromWire: (body: unknown) => unknown;
}

/** All keys, except below the named members of the outermost object, which belong to the tenant. */
function except(...untouched: string[]): Conversion {
  return {
    toWire: (body) => renameKeys(body, toSnakeCase, untouched),
    fromWire: (body) => renameKeys(body, toCamelCase, untouched),
  };
}

export const everything: Conversion = except();
export const token: Conversion = except('data', 'metadata');
/** Of proxies and reactors. */
export const configured: Conversion = except('configuration');
export const nothing: Conversion = { toWire: (body) => body, fromWire: (body) => body };

/** `{pagination, data: […]}`, each item by its own conversion. */
export function pageOf(item: Conversion): Conversion {
  return {
    toWire: nothing.toWire,
    fromWire(page) {
      const { data, ...rest } = (page ?? {}) as { readonly data?: unknown };
      const items: unknown = Array.isArray(data) ? data.map(item.fromWire) : data;
      return { ...(everything.fromWire(rest) as object), data: items };
    },
  };
}
