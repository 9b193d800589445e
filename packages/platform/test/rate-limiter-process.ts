import { RateLimiter } from '../src/db/rate-limiter.ts';
import { createRedis } from '../src/db/redis.ts';
import { Secret } from '../src/values/secret.ts';

/** Takes as much as it can for a key, says how much that was, and how often it asked Redis. */
const [url = '', prefix = '', points = '', attempts = ''] = process.argv.slice(2);
const redis = createRedis({
  url: new Secret(url),
  connectionName: 'limiter',
  commandTimeoutMs: 1000,
  onError: () => undefined,
});
await new Promise((resolve) => redis.once('ready', resolve));
const limiter = new RateLimiter({ redis, prefix, points: Number(points), windowMs: 60_000 });
let admitted = 0;
for (let n = 0; n < Number(attempts); n += 1) {
  if ((await limiter.take('key')) === undefined) admitted += 1;
}
process.stdout.write(String(admitted));
redis.disconnect();
