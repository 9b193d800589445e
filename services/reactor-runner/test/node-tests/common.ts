/**
 * Stands for Node's `test/common`, which needs files and processes, as CommonJS text: what its tests use of it,
 * written anew. `finish` tells what was not called as often as it must be.
 */
export const commonText = `
const assert = require('assert');
const { inspect } = require('util');
const checks = [];
const noop = () => {};
function mustCallInner(fn, criteria, field) {
  if (typeof fn === 'number') { criteria = fn; fn = noop; }
  if (fn === undefined) fn = noop;
  const context = { expected: criteria ?? 1, actual: 0, field, name: fn.name || '<anonymous>', stack: inspect(new Error()) };
  checks.push(context);
  const wrapped = function (...args) { context.actual += 1; return fn.apply(this, args); };
  Object.defineProperties(wrapped, {
    name: { value: fn.name, writable: false, enumerable: false, configurable: true },
    length: { value: fn.length, writable: false, enumerable: false, configurable: true },
  });
  return wrapped;
}
const mustCall = (fn, exact) => mustCallInner(fn, exact, 'exact');
const mustCallAtLeast = (fn, least) => mustCallInner(fn, least, 'least');
const mustSucceed = (fn, exact) => mustCall(function (err, ...args) { assert.ifError(err); if (typeof fn === 'function') return fn.apply(this, args); }, exact);
const mustNotCall = (message) => function mustNotCall(...args) {
  assert.fail((message || 'function should not have been called') + (args.length ? ' with arguments: ' + args.map((a) => inspect(a)).join(', ') : ''));
};
const expectsError = (validator, exact) => mustCall((...args) => {
  assert.strictEqual(args.length, 1);
  assert.throws(() => { throw args[0]; }, validator);
  return true;
}, exact);
let catchWarning;
function expectWarning(nameOrMap, expected, code) {
  if (catchWarning === undefined) {
    catchWarning = {};
    process.on('warning', (warning) => { if (catchWarning[warning.name]) catchWarning[warning.name](warning); });
  }
  const byName = (name, list, code) => {
    if (typeof list === 'string') list = [[list, code]];
    else if (!Array.isArray(list)) list = Object.entries(list).map(([a, b]) => [b, a]);
    else if (list.length !== 0 && !Array.isArray(list[0])) list = [[list[0], list[1]]];
    catchWarning[name] = mustCall((warning) => {
      const next = list.shift();
      assert(next, 'unexpected warning ' + warning);
      assert.strictEqual(warning.message, next[0]);
      assert.strictEqual(warning.code, next[1]);
    }, list.length);
  };
  if (typeof nameOrMap === 'string') byName(nameOrMap, expected, code);
  else for (const [name, list] of Object.entries(nameOrMap)) byName(name, list);
}
function invalidArgTypeHelper(input) {
  if (input == null) return ' Received ' + input;
  if (typeof input === 'function' && input.name) return ' Received function ' + input.name;
  if (typeof input === 'object') {
    if (input.constructor?.name) return ' Received an instance of ' + input.constructor.name;
    return ' Received ' + inspect(input, { depth: -1 });
  }
  let inspected = inspect(input, { colors: false });
  if (inspected.length > 28) inspected = inspected.slice(0, 25) + '...';
  return ' Received type ' + typeof input + ' (' + inspected + ')';
}
function getArrayBufferViews(buf) {
  const { buffer, byteOffset, byteLength } = buf;
  return [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array, BigInt64Array, BigUint64Array, DataView]
    .filter((type) => byteLength % (type.BYTES_PER_ELEMENT ?? 1) === 0)
    .map((type) => new type(buffer, byteOffset, byteLength / (type.BYTES_PER_ELEMENT ?? 1)));
}
const immutable = new WeakMap();
function mustNotMutateObjectDeep(original) {
  if ((typeof original !== 'object' && typeof original !== 'function') || original === null || ArrayBuffer.isView(original) || original instanceof ArrayBuffer) return original;
  if (immutable.has(original)) return immutable.get(original);
  const refuse = (what) => () => assert.fail('Expected no side effects, got ' + what);
  const proxy = new Proxy(original, {
    defineProperty: refuse('defineProperty'), deleteProperty: refuse('deleteProperty'), set: refuse('set'), setPrototypeOf: refuse('setPrototypeOf'), preventExtensions: refuse('preventExtensions'),
    get(target, name, receiver) { return mustNotMutateObjectDeep(Reflect.get(target, name, receiver)); },
  });
  immutable.set(original, proxy);
  return proxy;
}
module.exports = {
  mustCall, mustCallAtLeast, mustSucceed, mustNotCall, expectsError, expectWarning, invalidArgTypeHelper, getArrayBufferViews, mustNotMutateObjectDeep,
  getBufferSources: (buf) => [...getArrayBufferViews(buf), new Uint8Array(buf).buffer],
  platformTimeout: (ms) => ms, allowGlobals: noop, printSkipMessage: noop, crashOnUnhandledRejection: noop, disableCrashOnUnhandledRejection: noop,
  skip(reason) { throw Object.assign(new Error('skipped: ' + reason), { isSkip: true }); },
  skipIf32Bits: noop, skipIfWorker: noop, skipIfEslintMissing() { this.skip('eslint'); }, skipIfInspectorDisabled() { this.skip('inspector'); },
  isWindows: false, isLinux: true, isAIX: false, isOSX: false, isFreeBSD: false, isSunOS: false, isIBMi: false, isOpenBSD: false, isDumbTerminal: true, isMainThread: true,
  hasCrypto: true, hasQuic: process.config.variables.openssl_quic, hasIntl: true, hasFipsCrypto: false, hasOpenSSL3: false, hasIPv6: false, enoughTestMem: false, opensslCli: false, buildType: 'Release', bits: 64,
  runWithInvalidFD: noop, canCreateSymLink: () => false, nodeProcessAborted: () => false, localhostIPv4: '127.0.0.1', PORT: 12346, checkoutEOL: '\\n',
  getCallSite: () => '', isAlive: () => false, pwdCommand: ['pwd', []], PIPE: '', requireNoPackageJSONAbove: noop,
  finish() {
    const failed = checks.filter(({ field, actual, expected }) => field === 'exact' ? actual !== expected : actual < expected);
    if (failed.length > 0) throw new Error(failed.map((c) => 'Mismatched ' + c.name + ' function calls. Expected ' + c.expected + ', actual ' + c.actual + '.\\n' + c.stack).join('\\n'));
  },
};`;
