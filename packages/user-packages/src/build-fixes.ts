export interface BuildFix {
  /** Below node_modules. */
  readonly file: string;
  readonly find: string;
  readonly replacement: string;
}

/** Where a package does what a bundle does not survive, or what isolates do not have. One for each file. */
export const buildFixes: readonly BuildFix[] = [
  // The fonts that every reader of PDF has are loaded by a `require` of its own making.
  { file: 'pdfkit/js/pdfkit.js', find: `require$1('#`, replacement: `require('#` },
  // One of the ciphers is made of WebAssembly: it is not proposed, and nothing waits for it.
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
  // Its worker is a process. Here it is no more than a queue, before an engine of JavaScript.
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
  // Between processes bytes had become an object, whose copies an isolate has no room for.
  {
    file: 'tesseract.js/src/worker-script/utils/setImage.js',
    find: `Buffer.from(Array.from({ ...image, length: Object.keys(image).length }))`,
    replacement: `Buffer.from(image)`,
  },
  // It would end itself at any rejection of the run that nobody handles, and throw on what the run throws.
  {
    file: 'tesseract.js-core/tesseract-core.asm.js',
    find: `process["on"]("uncaughtException",function(ex){if(!(ex instanceof ExitStatus)){throw ex}});process["on"]("unhandledRejection",abort);`,
    replacement: '',
  },
];

/** @throws Error when there is nothing to be replaced any more. */
export function fixed(text: string, { file, find, replacement }: BuildFix): string {
  if (!text.includes(find)) throw new Error(`${file} does not hold ${find} any more: look at build-fixes.ts`);
  return text.replaceAll(find, () => replacement);
}
