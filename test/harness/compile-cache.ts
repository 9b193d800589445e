/** Where processes of the tests keep compiled code for one another, as an environment: a third of the time they need to start. */
export const compileCache: Readonly<Record<string, string>> =
  process.env['NODE_COMPILE_CACHE'] === undefined
    ? {}
    : { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] };
