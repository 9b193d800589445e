/**
 * A Redis substitute in JavaScript, for trying out the system without a real one: it stores nothing on disk. Its
 * settings come from the environment because every user can read the command line.
 */
import { RedisServerState, Resp2Server, createRedisCommandExecutor } from 'js-redis-server/core';

const state = new RedisServerState({
  databaseCount: 16,
  requirepass: process.env['REDIS_PASSWORD'] ?? '',
});
const redis = new Resp2Server({
  server: state,
  executor: createRedisCommandExecutor(),
  logger: { error: (error: unknown) => console.error(error) },
});
// Its own `listen` takes no address and would serve the whole network.
redis.server.listen(Number(process.env['REDIS_PORT']), '127.0.0.1');

process.on('SIGTERM', () => process.exit());
process.on('disconnect', () => process.exit());
