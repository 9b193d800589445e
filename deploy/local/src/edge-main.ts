import { type EdgeOptions, startEdge } from './edge.ts';

const options: EdgeOptions = JSON.parse(process.env['EDGE_OPTIONS'] ?? '');
const edge = await startEdge(options);

process.once('SIGTERM', stop);
// Our owner is gone.
process.once('disconnect', stop);

function stop(): void {
  void edge[Symbol.asyncDispose]().then(() => process.exit());
}
