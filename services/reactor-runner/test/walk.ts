/**
 * The text of a function that walks over all that it reaches from what it is given: own and inherited properties of
 * every kind of name, getters and what they give, prototypes, entries of maps and sets. It gives what is not of its own
 * realm, and which native functions it met. Nothing in it comes from outside.
 */
export const walkText = `(function walk(roots, limit = 300_000) {
  const seen = new Map();
  const queue = [];
  const strange = [];
  const natives = new Map();
  const { getPrototypeOf, ownKeys, getOwnPropertyDescriptor, apply } = Reflect;
  const toString = Function.prototype.toString;
  const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';
  const add = (value, path) => {
    if (!isObject(value) || seen.has(value)) return;
    seen.set(value, path);
    queue.push(value);
  };

  function lookAtRealm(value, path) {
    let top = value;
    for (let next = getPrototypeOf(top); next !== null; next = getPrototypeOf(top)) top = next;
    if (top !== Object.prototype && Object.hasOwn(top, '__lookupGetter__')) strange.push(path + ': an object of another realm');
    if (typeof value !== 'function') return;
    const name = getOwnPropertyDescriptor(value, 'name')?.value ?? '';
    const isNative = apply(toString, value, []).endsWith('{ [native code] }') && !String(name).startsWith('bound ');
    if (isNative && !natives.has(name)) natives.set(name, path);
  }

  function open(value, path) {
    add(getPrototypeOf(value), path + '.[[Prototype]]');
    for (const key of ownKeys(value)) {
      const place = path + '.' + String(key);
      const { get, set, value: held } = getOwnPropertyDescriptor(value, key) ?? {};
      add(held, place);
      add(get, place + '[get]');
      add(set, place + '[set]');
      if (get === undefined) continue;
      try {
        add(value[key], place);
      } catch (thrown) {
        add(thrown, place + '[throws]');
      }
    }
    const entries = value instanceof Map || value instanceof Set ? value : [];
    try {
      for (const entry of entries) add(entry, path + '[entry]');
    } catch (thrown) {
      add(thrown, path + '[entries throw]');
    }
  }

  for (const [name, value] of Object.entries(roots)) add(value, name);
  for (let at = 0; at < queue.length && at < limit; at += 1) {
    const value = queue[at];
    const path = seen.get(value);
    try {
      lookAtRealm(value, path);
      open(value, path);
    } catch (thrown) {
      add(thrown, path + '[throws]');
    }
  }
  return { strange, natives: [...natives], seen: queue.length };
})`;

/** The text of a function that gives what every realm has, as roots of a walk. */
export const realmText = `(function roots() {
  const thrown = (act) => {
    try {
      return act();
    } catch (error) {
      return error;
    }
  };
  const { prepareStackTrace } = Error;
  Error.prepareStackTrace = (error, sites) => sites;
  const sites = new Error('sites').stack;
  Error.prepareStackTrace = prepareStackTrace;
  return {
    globalThis,
    sites: [...sites],
    functions: [function* () {}, async () => {}, async function* () {}, class {}, (function () {}).bind()],
    generators: [(function* () {})(), (async function* () {})(), (async () => {})().catch(() => {})],
    iterators: [[][Symbol.iterator](), new Map().entries(), new Set().values(), ''[Symbol.iterator](), 'a'.matchAll(/a/g)],
    more: [[].values().map((x) => x), Iterator.from({ next() {} }), new Intl.Segmenter().segment('a b')],
    arguments: (function () { return arguments; })(1),
    errors: [
      thrown(() => null.x),
      thrown(() => undefinedName),
      thrown(() => eval('(')),
      thrown(() => new Array(-1)),
      thrown(() => (function f() { f(); })()),
      thrown(() => JSON.parse('{')),
      thrown(() => decodeURIComponent('%')),
      thrown(() => BigInt('x')),
      thrown(() => new Proxy({}, null)),
    ],
    matches: [/(?<name>a)/d.exec('a'), Intl.DateTimeFormat().formatToParts(0), Object.groupBy([1], String)],
  };
})`;

/**
 * The text of an async function that gives what modules throw, return and call back with, when everything in them is
 * called with arguments that are no good, and a few with good ones.
 */
export const provokeText = `(async function provoke(modules) {
  const met = { thrown: [], returned: [], calledWith: [] };
  const tried = new Set();
  const bad = [
    [], [undefined], [null, null], [{}], [Symbol('bad'), {}], [-1, -1, -1, -1], ['none', 'none', 'none', 'none', 'none'],
    [new Proxy({}, {}), () => {}], [Buffer.alloc(3), Buffer.alloc(3), 'x', 1e9, NaN], [() => {}, [], {}, 'x'], [[[[]]], 2n, true],
  ];
  const keep = (place, value) => {
    if (met[place].length < 40_000) met[place].push(value);
    const keepError = (error) => void met.thrown.push(error);
    try {
      value?.catch?.(keepError);
      value?.on?.('error', keepError);
    } catch (error) {
      keepError(error);
    }
  };
  const callback = (...args) => void met.calledWith.push(args);
  const attempt = (act) => {
    try {
      keep('returned', act());
    } catch (error) {
      keep('thrown', error);
    }
  };

  function provokeAll(holder, depth) {
    if (tried.has(holder)) return;
    tried.add(holder);
    for (const key of Reflect.ownKeys(holder)) {
      let member;
      try {
        member = holder[key];
      } catch (error) {
        met.thrown.push(error);
        continue;
      }
      if (typeof member === 'function' && !tried.has(member)) {
        for (const args of bad) {
          attempt(() => Reflect.apply(member, undefined, args));
          attempt(() => Reflect.construct(member, args));
        }
        if (member.prototype) provokeAll(member.prototype, depth);
      }
      const isHolder = (typeof member === 'object' || typeof member === 'function') && member !== null;
      if (isHolder && depth > 0) provokeAll(member, depth - 1);
    }
  }

  for (const module of modules) provokeAll(module, 1);
  // Only now: what was called just before may have taken all listeners away.
  process.on('uncaughtException', (error) => met.thrown.push(error));
  const crypto = require('crypto');
  const zlib = require('zlib');
  const { privateKey } = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' });
  crypto.randomBytes(8, callback);
  crypto.pbkdf2('a', 'b', 1, 8, 'sha1', callback);
  crypto.scrypt('a', 'b', 8, callback);
  crypto.hkdf('sha1', 'a', 'b', 'c', 8, callback);
  crypto.generateKeyPair('ed25519', callback);
  crypto.generateKeyPair('rsa', { modulusLength: 1 }, callback);
  crypto.sign('sha256', Buffer.from('a'), privateKey, callback);
  crypto.generatePrime(16, callback);
  zlib.gzip('text', callback);
  zlib.gunzip('no gzip', callback);
  zlib.createBrotliDecompress().on('data', callback).on('error', callback).end('no brotli');
  require('https').get('https://host.invalid/', callback).on('error', callback).on('socket', callback).on('close', callback);
  setTimeout(function (...args) { callback(this, ...args); }, 1, {});
  setImmediate(callback, {});
  process.nextTick(callback, {});
  queueMicrotask(callback);
  await crypto.webcrypto.subtle.digest('SHA-256', Buffer.alloc(1)).then(callback, callback);
  await crypto.webcrypto.subtle.importKey('none', {}, {}, {}, {}).then(callback, callback);
  await require('timers/promises').setTimeout(200);
  return met;
})`;
