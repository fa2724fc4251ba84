// A client over stdio that does nothing but wait for lines, so that both servers are measured and not the client.
import { spawn } from 'node:child_process';
import fs from 'node:fs';

export class Session {
  constructor(command, args, env) {
    this.child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
    this.ended = new Promise((resolve) => this.child.on('close', resolve));
    this.next = 0;
    this.pieces = [];
    this.child.stdout.on('data', (piece) => {
      this.pieces.push(piece);
      if (piece.at(-1) === 0x0a) this.arrived?.(performance.now());
    });
  }

  send(message) { this.child.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n'); }

  // request gives the result and the milliseconds until its last byte was there; parsing it is not counted. Servers send
  // nothing but answers here, since no capability is offered to them and no progress is asked for.
  async request(method, params) {
    const id = ++this.next;
    const began = performance.now();
    const arrival = new Promise((resolve, reject) => { this.arrived = resolve; this.ended.then(() => reject(new Error('the server ended'))); });
    this.send({ id, method, params });
    const milliseconds = await arrival - began;
    const answer = JSON.parse(Buffer.concat(this.pieces.splice(0)).toString());
    if (answer.id !== id || !answer.result || answer.result.isError) throw new Error(`${method}: ${JSON.stringify(answer).slice(0, 500)}`);
    return { result: answer.result, milliseconds };
  }

  async open() {
    await this.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } });
    this.send({ method: 'notifications/initialized' });
    await this.request('tools/list', {});
  }

  call(name, args) { return this.request('tools/call', { name, arguments: args }); }

  // resident is the resident memory in MiB.
  resident() {
    const kib = /^VmRSS:\s+(\d+) kB$/m.exec(fs.readFileSync(`/proc/${this.child.pid}/status`, 'utf8'))[1];
    return kib / 1024;
  }

  async close() { this.child.stdin.end(); this.child.kill('SIGTERM'); await this.ended; }
}
