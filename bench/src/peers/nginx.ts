import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Name and version, or undefined when there is no nginx on PATH. */
export function nginxVersion(): string | undefined {
  const { error, stdout, stderr } = spawnSync('nginx', ['-v'], { encoding: 'utf8' });
  return error === undefined ? (/nginx\/\S+/.exec(stdout + stderr)?.[0] ?? 'nginx') : undefined;
}

/** A destination that reads any request and answers a small JSON. */
export function nginxOrigin(folder: string, port: number): readonly string[] {
  return nginx(
    folder,
    `server { ${listen(port)} location / { default_type application/json; return 200 '{"ok":true}'; } }`,
  );
}

/** A plain reverse proxy with as many kept connections as anyone here needs. */
export function nginxProxy(folder: string, port: number, destination: number): readonly string[] {
  return nginx(
    folder,
    `upstream destination { server 127.0.0.1:${destination}; keepalive 256; keepalive_requests 1000000000; }
  server { ${listen(port)} location / {
    proxy_pass http://destination; proxy_http_version 1.1; proxy_set_header Connection "";
  } }`,
  );
}

const listen = (port: number) => `listen 127.0.0.1:${port}; client_max_body_size 0;`;

/** Command of an nginx of one process, which is what is measured, with all its files in `folder`. */
function nginx(folder: string, servers: string): readonly string[] {
  mkdirSync(folder, { recursive: true });
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; master_process off; pid ${join(folder, 'nginx.pid')}; error_log stderr;
events { worker_connections 4096; }
http {
  access_log off; keepalive_requests 1000000000; keepalive_timeout 300s;
  ${temporary.join(' ')}
  ${servers}
}
`,
  );
  return ['nginx', '-e', 'stderr', '-p', folder, '-c', file];
}
