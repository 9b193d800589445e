import type { Asks } from './make-asks.ts';

export interface Bt {
  /** What `require('@glovebox/sdk')` gives. */
  readonly module: () => unknown;
  /** Gives the argument of an invocation its `bt`: an instance of that module, bound to the invocation. */
  readonly addTo: (argument: object, which: number) => void;
}

interface SdkModule {
  readonly Glovebox: new () => { init(apiKey: undefined, options: object): Promise<unknown> };
}

type BundleFunction = (exports: object, require: unknown, module: object) => void;

/** @param bundle gives the function of a package's text (packages/user-packages), undefined without the package. */
export function makeBt(bundle: (name: string) => unknown, { transportOf }: Asks): Bt {
  const { defineProperty } = Reflect;
  const name = '@glovebox/sdk';
  let sdk: SdkModule | undefined;

  /** It needs nothing of Node.js, so no environment is made for it. */
  function evaluate(): SdkModule {
    const run = bundle(name) as BundleFunction | undefined;
    if (run === undefined) throw new Error(`The package ${name} is not installed on this runner`);
    const module: { exports: unknown } = { exports: {} };
    run(module.exports as object, undefined, module);
    const table = module.exports as Record<string, () => SdkModule>;
    return (table[name] as () => SdkModule)();
  }

  function instance(which: number): object {
    const made = new (sdk ??= evaluate()).Glovebox();
    void made.init(undefined, { transport: transportOf(which) });
    return made;
  }

  return {
    module: () => (sdk ??= evaluate()),
    addTo(argument, which) {
      const shown = { configurable: true, enumerable: true };
      try {
        defineProperty(argument, 'bt', { ...shown, writable: true, value: instance(which) });
      } catch (error) {
        // Code that does not use it is none the worse.
        const get = () => {
          throw error;
        };
        defineProperty(argument, 'bt', { ...shown, get });
      }
    },
  };
}
