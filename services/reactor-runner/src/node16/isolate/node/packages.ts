import type { CallHost } from '../bridge.ts';

export interface Packages {
  /** The exports of a package; undefined when there is no package of this name. */
  readonly find: (name: string) => { readonly exports: unknown } | undefined;
  readonly names: () => string[];
}

export interface PackagesParts {
  readonly call: CallHost;
  /** The value of one text of the pack (packages/user-packages): a function, or text of JSON. */
  readonly evaluate: (text: string) => unknown;
  /** Node's modules, as packages see them. */
  readonly require: (name: string) => unknown;
}

/** npm packages: each is evaluated when it is first asked for. */
export function makePackages({ call, evaluate, require }: PackagesParts): Packages {
  const byName = new Map<string, { readonly exports: unknown }>();
  const loaded = new Map<() => unknown, { readonly exports: unknown }>();
  const tables = new Map<string, Record<string, () => unknown>>();
  const data = new Map<string, unknown>();
  const { apply } = Reflect;
  const { parse } = JSON;

  const notLoaded = (name: string) => new Error(`The package ${name} could not be loaded`);

  function requireWithin(name: string): unknown {
    if (!name.startsWith('json:')) return require(name);
    if (data.has(name)) return data.get(name);
    const text = evaluate(name);
    if (typeof text !== 'string') throw notLoaded(name);
    const value: unknown = parse(text);
    data.set(name, value);
    return value;
  }

  function tableOf(bundle: string): Record<string, () => unknown> {
    const known = tables.get(bundle);
    if (known !== undefined) return known;
    const module: { exports: Record<string, () => unknown> } = { exports: {} };
    const folder = `/node_modules/${bundle}`;
    const args = [module.exports, requireWithin, module, `${folder}/index.js`, folder];
    const run = evaluate(bundle);
    if (typeof run !== 'function') throw notLoaded(bundle);
    apply(run, module.exports, args);
    tables.set(bundle, module.exports);
    return module.exports;
  }

  function load(loader: () => unknown): { readonly exports: unknown } {
    const box = loaded.get(loader) ?? { exports: loader() };
    loaded.set(loader, box);
    return box;
  }

  return {
    find(name) {
      const known = byName.get(name);
      if (known !== undefined) return known;
      const found = call('findPackage', name);
      if (found === undefined) return undefined;
      const box = load(tableOf(found.text)[found.name]!);
      byName.set(name, box);
      return box;
    },
    names: () => call('packageNames'),
  };
}
