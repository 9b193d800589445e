import { execFile } from 'node:child_process';

import { checkout } from '@glovebox/local/places';
import { serviceNames } from '@glovebox/local/service-names';
import { expect } from 'chai';

import { described } from '../gen/settings-page.ts';

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Packages of npm whose modules were loaded. */
  readonly loaded: readonly string[];
}

const notesWhatIsLoaded = `
import { registerHooks } from 'node:module';
const loaded = new Set();
registerHooks({
  load(url, context, next) {
    const name = /\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)\\//.exec(url)?.[1];
    if (name !== undefined) loaded.add(name);
    return next(url, context);
  },
});
process.on('exit', () => process.stderr.write('\\nloaded: ' + [...loaded].join(' ')));
`;

/** Runs a program of a service with these settings and no others. */
function run(module: string, settings: Readonly<Record<string, string>>): Promise<Ended> {
  const hook = `--import=data:text/javascript,${encodeURIComponent(notesWhatIsLoaded)}`;
  const env = { PATH: process.env['PATH'], ...settings };
  return new Promise((resolve) => {
    const args = ['--conditions=source', hook, module];
    execFile(process.execPath, args, { cwd: checkout, env }, (error, stdout, said) => {
      const [stderr = '', loaded = ''] = said.split('\nloaded: ');
      const code = error === null ? 0 : Number(error.code);
      resolve({ code, stdout, stderr, loaded: loaded.split(' ').filter(Boolean) });
    });
  });
}

/** Those that a service cannot start without, with a key file. */
function requiredSettings(service: string): string[] {
  const required = described[service]?.filter(
    (setting) => setting.default === undefined || setting.requiredWhen === 'for `file`',
  );
  return (required ?? []).map(({ name }) => name);
}

/** All but what reads addresses of networks. */
const isNotOfSettings = (name: string) => name !== 'ipaddr.js';

for (const service of serviceNames) {
  describe(`the settings of ${service}`, function () {
    this.timeout(30_000);
    const main = `services/${service}/src/main.ts`;

    it('are missed all at once, with the page that explains them, before anything else is loaded', async () => {
      const required = requiredSettings(service);
      expect(required).to.have.length.above(2);
      const { code, stdout, stderr, loaded } = await run(main, {});
      expect([code, stdout]).to.deep.equal([78, '']);
      for (const name of required) expect(stderr).to.include(`  - ${name} is required\n`);
      expect(stderr.match(/^ {2}- /gm)).to.have.length(required.length);
      expect(stderr)
        .to.include('docs/settings.md')
        .and.not.match(/^\s+at /m);
      expect(loaded.filter(isNotOfSettings)).to.deep.equal([]);
    });

    it('are reported all at once when they are wrong, without the value of any secret', async () => {
      const wrong = {
        LOG_LEVEL: 'loud',
        METRICS_PORT: '70000',
        SHUTDOWN_TIMEOUT_MS: '1s',
        REDIS_URL: 'http://:s3cret@x',
      };
      const { code, stderr, loaded } = await run(main, wrong);
      expect(code).to.equal(78);
      for (const name of Object.keys(wrong))
        expect(stderr).to.match(new RegExp(`^ {2}- ${name} must be `, 'm'));
      expect(stderr).to.include('docs/settings.md').and.not.include('s3cret');
      expect(loaded.filter(isNotOfSettings)).to.deep.equal([]);
    });
  });
}

for (const service of ['control-api', 'token-vault']) {
  it(`the migrations of ${service} miss their setting before anything else is loaded`, async () => {
    const { code, stderr, loaded } = await run(`services/${service}/src/migrate-main.ts`, {});
    expect(code).to.equal(78);
    expect(stderr).to.include('DATABASE_URL is required').and.to.include('docs/settings.md');
    expect(loaded.filter(isNotOfSettings)).to.deep.equal([]);
  });
}
