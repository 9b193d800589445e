export interface BuildFix {
  /** Below node_modules. */
  readonly file: string;
  readonly find: string;
  readonly replacement: string;
}

/** Replacements where a package does something that bundles or isolates do not support. One for each file. */
export const buildFixes: readonly BuildFix[] = [
  // The standard PDF fonts are loaded by a computed `require`.
  { file: 'pdfkit/js/pdfkit.js', find: `require$1('#`, replacement: `require('#` },
  // One of the ciphers is WebAssembly. It is not offered, and loading it is not awaited.
  {
    file: 'ssh2/lib/protocol/constants.js',
    find: `DEFAULT_CIPHER = DEFAULT_CIPHER.filter(canUseCipher)`,
    replacement: `DEFAULT_CIPHER = DEFAULT_CIPHER.filter((name) => !name.startsWith('chacha20') && canUseCipher(name))`,
  },
  {
    file: 'ssh2/lib/protocol/crypto.js',
    find: `POLY1305_WASM_MODULE = await require('./crypto/poly1305.js')()`,
    replacement: `return resolve()`,
  },
  // The package runs its worker as a process. Here the worker is a queue in front of a JavaScript engine.
  {
    file: 'tesseract.js/src/worker/node/index.js',
    find: `const spawnWorker = require('./spawnWorker');`,
    replacement: `const spawnWorker = require('@glovebox/user-packages/tesseract-workers').tesseractWorkers({
      script: require('../../worker-script'),
      core: () => require('tesseract.js-core/tesseract-core.asm.js'),
      fetch: require('node-fetch'),
      gunzip: require('zlib').gunzipSync,
      languages: { eng: () => require('base64:@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz') },
      usualPath: defaultOptions.langPath,
    });`,
  },
  // Between processes, bytes become a plain object, whose copies do not fit into an isolate.
  {
    file: 'tesseract.js/src/worker-script/utils/setImage.js',
    find: `Buffer.from(Array.from({ ...image, length: Object.keys(image).length }))`,
    replacement: `Buffer.from(image)`,
  },
  // It would exit on any unhandled rejection of the run, and rethrow what the run throws.
  {
    file: 'tesseract.js-core/tesseract-core.asm.js',
    find: `process["on"]("uncaughtException",function(ex){if(!(ex instanceof ExitStatus)){throw ex}});process["on"]("unhandledRejection",abort);`,
    replacement: '',
  },
];

/** @throws Error when the text to replace is not there any more */
export function fixed(text: string, { file, find, replacement }: BuildFix): string {
  if (!text.includes(find)) throw new Error(`${file} does not hold ${find} any more: look at build-fixes.ts`);
  return text.replaceAll(find, () => replacement);
}
