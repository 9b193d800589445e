// compile-ahead.mjs <service> <folder>: V8's compile cache of what a service loads at its start, as the user of the images.
// Node looks for it by the paths of the files, the version of V8 and the user id; where any differs, it compiles as ever.
import { chownSync, mkdirSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';

const user = 65_532;
const entries = {
  'control-api': 'control-api',
  'proxy-gateway': 'gateway',
  'reactor-runner': 'runner',
  'token-vault': 'vault',
};

const [service = '', folder = ''] = process.argv.slice(2);
const entry = entries[service];
if (entry === undefined) throw new Error(`there is no service ${service}`);
mkdirSync(folder, { recursive: true });
if (process.getuid() === 0) {
  chownSync(folder, user, user);
  process.setgroups([]);
  process.setgid(user);
  process.setuid(user);
}
enableCompileCache(folder);
await import('@glovebox/platform/process/lifecycle');
await import(`@glovebox/${service}/config`);
await import(`@glovebox/${service}/${entry}`);
flushCompileCache();
// Some modules have timers.
process.exit();
