/** No Unix sockets, nothing beyond this machine; and a log that never repeats a row's content. */
export function serverSettings(port: number, ephemeral: boolean): string[] {
  const values: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 300,
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
    ...(ephemeral ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } : {}),
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
