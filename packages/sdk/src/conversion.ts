import { renameKeys, toCamelCase, toSnakeCase } from './case.ts';

/** Converts bodies between snake_case on the wire and camelCase in code. */
export interface Conversion {
  readonly toWire: (body: unknown) => unknown;
  readonly fromWire: (body: unknown) => unknown;
}

/** Converts all keys, except below the named members of the outermost object, whose keys are the tenant's. */
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
/** Of code that is tried: what it gets and returns is the tenant's. */
export const trial: Conversion = except('event', 'configuration', 'result');
export const unconverted: Conversion = { toWire: (body) => body, fromWire: (body) => body };

/** Of a version, whose definition is converted like the resource itself. */
export function versionOf(item: Conversion): Conversion {
  return {
    toWire: unconverted.toWire,
    fromWire(version) {
      const { definition, ...rest } = (version ?? {}) as { readonly definition?: unknown };
      const shown = everything.fromWire(rest) as object;
      return definition === undefined ? shown : { ...shown, definition: item.fromWire(definition) };
    },
  };
}

/** Converts `{pagination, data: […]}`, each item by the given conversion. */
export function pageOf(item: Conversion): Conversion {
  return {
    toWire: unconverted.toWire,
    fromWire(page) {
      const { data, ...rest } = (page ?? {}) as { readonly data?: unknown };
      const items: unknown = Array.isArray(data) ? data.map(item.fromWire) : data;
      return { ...(everything.fromWire(rest) as object), data: items };
    },
  };
}
