import { once } from 'node:events';
import { type ServerHttp2Session, connect as connectHttp2, createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';

import { expect } from 'chai';

import { EchoService, connect, startEcho, until } from '../../test/grpc-echo.ts';
import { flowControlWindow } from './flow-control.ts';

describe('flow control between services', () => {
  it('lets a frame of calls arrive at a server without its sender waiting in the middle', async () => {
    await using server = await startEcho({});
    const session = connectHttp2(`http://127.0.0.1:${server.port}`);
    const request = session.request({ ':method': 'POST', ':path': EchoService.exchange.path });
    request.on('error', () => undefined);
    await until(() => session.remoteSettings?.initialWindowSize === flowControlWindow);
    await until(() => session.state.remoteWindowSize === flowControlWindow);
    session.destroy();
  });

  it('lets a frame of replies arrive at a client in the same way', async () => {
    const sessions: ServerHttp2Session[] = [];
    const server = createServer().on('session', (session) => sessions.push(session));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const channel = connect((server.address() as AddressInfo).port);
    void channel.waitForReady(5000).catch(() => undefined);
    await until(() => sessions[0]?.state.remoteWindowSize === flowControlWindow);
    expect(sessions[0]?.remoteSettings.initialWindowSize).to.equal(flowControlWindow);
    channel.close();
    sessions[0]?.destroy();
    server.close();
  });
});
