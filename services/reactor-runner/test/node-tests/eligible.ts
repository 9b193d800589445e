import { execFile } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What the environment promises (issue: "The environment"), and what a test may require beside it. */
const promised = new Set(
  'assert assert/strict buffer console crypto events http https os path path/posix path/win32 process punycode querystring stream stream/promises string_decoder sys timers timers/promises url util util/types zlib _http_agent _http_client _http_common _http_incoming _http_outgoing _http_server _stream_duplex _stream_passthrough _stream_readable _stream_transform _stream_writable'.split(
    ' ',
  ),
);
const helpers = /^\.\.\/common(\/index|\/fixtures)?(\.js)?$/;

export interface TestFile {
  readonly name: string;
  readonly text: string;
}

/**
 * The files of `test/parallel` that require nothing but what is promised, need no flag, no server and no other process,
 * and that a real Node.js 16 passes.
 */
export async function eligibleTests(folder: string, node16: string): Promise<TestFile[]> {
  const names = (await readdir(folder)).filter((name) => /^test-.*\.js$/.test(name)).sort();
  const files = await Promise.all(
    names.map(async (name) => ({ name, text: await readFile(path.join(folder, name), 'utf8') })),
  );
  const candidates = files.filter(({ text }) => isCandidate(text));
  const passing: TestFile[] = [];
  const queue = [...candidates];
  const work = async () => {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      if (await passes(node16, path.join(folder, file.name))) passing.push(file);
    }
  };
  await Promise.all([work(), work()]);
  return passing.sort((a, b) => a.name.localeCompare(b.name));
}

function isCandidate(text: string): boolean {
  if (
    /^\/\/ Flags:/m.test(text) ||
    /internalBinding|child_process|process\.execPath|process\.binding|\bfork\(|tmpdir|import\(|createServer|\bServer\(|\.listen\(/.test(
      text,
    )
  )
    return false;
  const required = [...text.matchAll(/require\(\s*['"`]([^'"`]+)['"`]\s*\)/g)].map(
    (match) => match[1] as string,
  );
  const isDynamic = /require\(\s*[^'"`\s]/.test(text);
  return (
    !isDynamic && required.every((name) => promised.has(name.replace(/^node:/, '')) || helpers.test(name))
  );
}

async function passes(node16: string, file: string): Promise<boolean> {
  try {
    const { stdout } = await run(node16, [file], { timeout: 20_000, cwd: path.dirname(file) });
    return !stdout.startsWith('1..0 # Skipped');
  } catch {
    return false;
  }
}

export function areaOf(name: string): string {
  const areas: [string, RegExp][] = [
    ['buffer', /^test-(buffer|stringbytes)/],
    ['stream', /^test-stream/],
    ['url', /^test-(whatwg-)?url/],
    ['events', /^test-event/],
    ['path', /^test-path/],
    ['querystring', /^test-querystring/],
    ['string_decoder', /^test-string-decoder/],
    ['assert', /^test-assert/],
    ['util', /^test-util/],
    ['timers', /^test-timers?/],
    ['crypto', /^test-(crypto|webcrypto)/],
    ['zlib', /^test-zlib/],
    ['http', /^test-https?-/],
  ];
  return areas.find(([, pattern]) => pattern.test(name))?.[0] ?? 'misc';
}
