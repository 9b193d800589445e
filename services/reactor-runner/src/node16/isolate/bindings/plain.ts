import type { Scope } from '../scope.ts';

/** The bindings that hold little more than constants. */
export function plainBindings({
  call,
  process,
}: Scope): Record<string, () => object> & { symbols: () => Record<string, symbol> } {
  const symbols: Record<string, symbol> = {};
  const nothing = () => {};
  return {
    config: () => ({
      hasIntl: true,
      hasOpenSSL: true,
      hasInspector: false,
      isDebugBuild: false,
      noBrowserGlobals: false,
      fipsMode: false,
      bits: 64,
    }),
    constants: () => readOnly(call('constants')),
    symbols: () =>
      new Proxy(symbols, {
        get: (target, name: string) => (target[name] ??= Symbol(name)),
      }),
    errors: () => ({
      setPrepareStackTraceCallback: nothing,
      setEnhanceStackForFatalException: nothing,
      triggerUncaughtException(error: unknown) {
        throw error;
      },
      exitCodes: { kNoFailure: 0, kGenericUserError: 1 },
    }),
    trace_events: () => ({
      trace: nothing,
      isTraceCategoryEnabled: () => false,
      setTraceCategoryStateUpdateHandler: nothing,
    }),
    uv: () => {
      const errors = new Map(call('uv.errors'));
      const codes = Object.fromEntries([...errors].map(([number, [name]]) => [`UV_${name}`, number]));
      return {
        ...codes,
        errname: (number: number) => errors.get(number)?.[0] ?? `Unknown system error ${number}`,
        getErrorMap: () => errors,
      };
    },
    os: () => {
      const mebibyte = 1024 * 1024;
      return {
        getCPUs: () => ['Virtual CPU', 1000, 0, 0, 0, 0, 0],
        getFreeMem: () => 64 * mebibyte,
        getTotalMem: () => 128 * mebibyte,
        getHomeDirectory: () => '/',
        getHostname: () => 'localhost',
        getInterfaceAddresses: () => [],
        getLoadAvg: (into: Float64Array) => into.fill(0),
        getPriority: () => 0,
        setPriority: () => 0,
        getOSInformation: () => ['Linux', '', '', 'x86_64'],
        getUptime: () => process.uptime(),
        getUserInfo: () => ({ uid: 1000, gid: 1000, username: 'user', homedir: '/', shell: null }),
        isBigEndian: false,
      };
    },
    credentials: () => ({ safeGetenv: () => undefined, implementsPosixCredentials: false }),
    worker: () => ({}),
    blob: () => ({ createBlob: nothing, storeDataObject: nothing, revokeDataObject: nothing }),
  };
}

/** Numbers in nested tables that can be added to, as Node.js has them. */
export function readOnly(table: object): object {
  const entries: [string, unknown][] = Object.entries(table);
  for (const [name, value] of entries) {
    if (typeof value === 'object' && value !== null) readOnly(value);
    else
      Object.defineProperty(table, name, { value, writable: false, configurable: false, enumerable: true });
  }
  return table;
}
