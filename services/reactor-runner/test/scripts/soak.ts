/** Soaks the runner for as many seconds as its argument says (300): `node --conditions=source soak.ts 60`. */
import { growthOf, lastingWorkers, soak } from '../soak.ts';

const seconds = Number(process.argv[2] ?? '300');
const { calls, surprises, samples } = await soak(seconds, ({ second, heap, resident, workers }) => {
  if (second % 5 !== 0) return;
  const each = [...workers.values()].map((mb) => mb.toFixed(0)).join(' ');
  process.stdout.write(
    `${second} s: heap ${heap.toFixed(1)}, resident ${resident.toFixed(0)}, workers ${each} MB\n`,
  );
});
const runner = growthOf(samples.map(({ heap }) => heap));
const workers = lastingWorkers(samples).map((values) => growthOf(values).toFixed(1));
process.stdout.write(
  `${calls} calls, ${surprises.length} surprises ${surprises.slice(0, 3).join('; ')}\n` +
    `from the second third to the last: heap ${runner.toFixed(1)} MB, workers that lasted ${workers.join(', ')} MB\n`,
);
