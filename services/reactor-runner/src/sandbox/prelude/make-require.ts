/** Makes the `require` of user code. */
export function makeRequire(): (name: unknown) => unknown {
  const { assign } = Object;
  return (name) => {
    const error = new Error(`Cannot find module '${String(name)}'. No modules are available.`);
    throw assign(error, { code: 'MODULE_NOT_FOUND' });
  };
}
