/** `npm run bench -- <name>`: measures one part of the system; without a name it lists them. */
const benches: Readonly<Record<string, { readonly what: string; run(): Promise<void> }>> = {
  proxy: {
    what: 'the gateway against a minimal undici proxy, http-proxy-3 and nginx (G0-G3, G8, G11 of the goals)',
    run: async () => (await import('./proxy.ts')).run(),
  },
  cold: {
    what: 'the first 1,000 requests of a gateway, with and without a warm-up, against those after 50,000; `-- cold <starts> <requests>` for others',
    run: async () => (await import('./cold.ts')).run(),
  },
  transform: {
    what: 'a token and a transform against neither, and against workerd (G4, G5); cold starts',
    run: async () => (await import('./transform.ts')).run(),
  },
  topology: {
    what: 'one, two and three gateways behind HAProxy: requests per second, and CPU per request',
    run: async () => (await import('./topology.ts')).run(),
  },
  vault: {
    what: 'uses of tokens per core of the vault (G6)',
    run: async () => (await import('./vault.ts')).run(),
  },
  guard: {
    what: 'the modes of the leak guard against none, of one token and an answer of 2 KB',
    run: async () => (await import('./guard.ts')).run(),
  },
  configuration: {
    what: 'publication with 200,000 proxies: rebuild, updates, writes, start; `-- configuration <count>` for fewer',
    run: async () => (await import('./configuration.ts')).run(),
  },
  growth: {
    what: 'statements of the vault and work on its log with 100,000 and 2,000,000 rows; `-- growth <rows> …` for others',
    run: async () => (await import('./growth.ts')).run(),
  },
  hostile: {
    what: 'the worst requests of 10 KB: CPU of the vault and the gateway for each; `-- hostile <regular expression>` for some',
    run: async () => (await import('./hostile.ts')).run(),
  },
  blast: {
    what: 'calls of one tenant beside code of the same tenant that does harm, with two workers',
    run: async () => (await import('./blast.ts')).run(),
  },
  neighbours: {
    what: 'small requests of one tenant beside batches of another; `-- neighbours <regular expression>` for some',
    run: async () => (await import('./neighbours.ts')).run(),
  },
  fleet: {
    what: 'a large fleet, simulated: 1000 readers of the configuration, 300 clients of 20 servers, the loss of a zone',
    run: async () => (await import('./fleet.ts')).run(),
  },
  page: {
    what: 'nothing: writes docs/benchmarks.md from the newest results of the others',
    run: async () => (await import('./page.ts')).run(),
  },
  runner: {
    what: 'warm transforms per core of the runner (G7)',
    run: async () => (await import('./runner.ts')).run(),
  },
};

const bench = benches[process.argv[2] ?? ''];
if (bench === undefined) {
  console.log('npm run bench -- <name>');
  for (const [name, { what }] of Object.entries(benches)) console.log(`  ${name.padEnd(12)}${what}`);
  process.exitCode = process.argv[2] === undefined ? 0 : 1;
} else {
  await bench.run();
}
