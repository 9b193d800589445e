import type { Bridge } from '../../node16/isolate/bridge.ts';
import type { BtRequests } from './make-bt-requests.ts';

export interface Bt {
  /** What `require('@glovebox/sdk')` gives. */
  readonly module: () => unknown;
  /** Gives the argument of an invocation its `bt`: an instance of that module, bound to the invocation. */
  readonly addTo: (argument: object, which: number) => void;
}

export interface BtParts {
  readonly btRequests: BtRequests;
  readonly bridge: Bridge;
  /** Gives the function of a package's text (packages/user-packages); undefined while there is none. */
  readonly bundle: (name: string) => unknown;
}

interface SdkModule {
  readonly GloveboxApiError: { readonly prototype: Error };
  readonly Glovebox: new () => { init(apiKey: undefined, options: object): Promise<unknown> };
}

export function makeBt({ btRequests, bridge, bundle }: BtParts): Bt {
  const { apply, defineProperty } = Reflect;
  const name = '@glovebox/sdk';
  /**
   * Code that was written for the hosted service knows the failure of a call by it
   * (contract/transforms.md#the-bt-object).
   */
  const errorName = 'BasisTheoryApiError';
  let sdk: SdkModule | undefined;

  /** It needs nothing of Node.js, so no environment is made for it. */
  function evaluate(): SdkModule {
    const run = bundle(name);
    if (typeof run !== 'function') throw new Error(`The package ${name} is not installed on this runner`);
    const module: { exports: Record<string, () => SdkModule> } = { exports: {} };
    apply(run, undefined, [module.exports, undefined, module]);
    const evaluated = module.exports[name]!();
    evaluated.GloveboxApiError.prototype.name = errorName;
    return evaluated;
  }

  /** The host may wait for packages that are being prepared. */
  function awaited(): SdkModule {
    const { e } = bridge('findPackage', name);
    if (e !== undefined) throw new Error(e.message);
    return evaluate();
  }

  function instance(which: number, { Glovebox }: SdkModule): object {
    const made = new Glovebox();
    void made.init(undefined, { transport: btRequests.transportOf(which) });
    return made;
  }

  return {
    module: () => (sdk ??= awaited()),
    addTo(argument, which) {
      const shown = { configurable: true, enumerable: true };
      const define = (value: object) => defineProperty(argument, 'bt', { ...shown, writable: true, value });
      try {
        define(instance(which, (sdk ??= evaluate())));
      } catch {
        // Code that does not use it is none the worse.
        const get = () => {
          const value = instance(which, (sdk ??= awaited()));
          define(value);
          return value;
        };
        defineProperty(argument, 'bt', { ...shown, get });
      }
    },
  };
}
