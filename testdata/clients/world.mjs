// One installation of the program of its own: a repository registered as a project, a directory that is granted, and
// home, configuration, state and cache below one temporary directory.
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const files = {
  'README.md': '# Shop\n\nOrders are reserved before they are paid.\n',
  'src/order.go': 'package order\n\n// Reserve holds the goods of an order until it is paid.\nfunc Reserve(id string) error { return nil }\n',
  'src/order_test.go': 'package order\n\nfunc TestReserve() {}\n',
  'src/long.txt': Array.from({ length: 1200 }, (_, i) => `line ${i + 1}\n`).join(''),
};

export class World {
  constructor(bin, base, name) {
    this.bin = bin;
    this.dir = path.join(base, name);
    const below = (...parts) => path.join(this.dir, ...parts);
    this.env = {
      PATH: process.env.PATH, HOME: below('home'), RESEARCH_FILES_CONFIG_DIR: below('config'),
      XDG_STATE_HOME: below('state'), XDG_CACHE_HOME: below('cache'), GIT_CONFIG_NOSYSTEM: '1',
    };
    for (const directory of ['home', 'config', 'shop', 'papers']) fs.mkdirSync(below(directory), { recursive: true, mode: 0o700 });
    for (const [file, text] of Object.entries(files)) this.write(`shop/${file}`, text);
    this.write('papers/paper.txt', 'Of posting lists.\n');

    this.git('init', '-q');
    this.git('add', '-A');
    this.git('commit', '-q', '-m', 'first');
    this.write('shop/README.md', files['README.md'] + 'Edited.\n');
    this.run('project', 'add', '--id', 'shop', '--name', 'Shop', '--root', below('shop'), '--git', '--write-directory', 'docs');
    this.run('grant', 'add', '--id', 'papers', '--name', 'Papers', '--root', below('papers'), '--ttl', '1h');
  }

  write(file, text) {
    const full = path.join(this.dir, file);
    fs.mkdirSync(path.dirname(full), { recursive: true });
    fs.writeFileSync(full, text);
  }

  read(file) { return fs.readFileSync(path.join(this.dir, file), 'utf8'); }

  run(...args) { return execFileSync(this.bin, args, { env: this.env, stdio: ['ignore', 'pipe', 'inherit'] }); }

  git(...args) {
    const as = ['-C', path.join(this.dir, 'shop'), '-c', 'user.name=Somebody', '-c', 'user.email=somebody@example.invalid', '-c', 'init.defaultBranch=main'];
    return execFileSync('git', [...as, ...args], { env: this.env, stdio: ['ignore', 'pipe', 'inherit'] });
  }

  // serve starts the HTTP server on a free port and gives its URL and how to end it.
  serve() {
    const child = spawn(this.bin, ['mcp'], { env: { ...this.env, PROJECT_MCP_PORT: '0' }, stdio: ['ignore', 'ignore', 'pipe'] });
    const ended = new Promise((resolve) => child.on('close', resolve));
    const stop = async () => { child.kill('SIGTERM'); await ended; };
    return new Promise((resolve, reject) => {
      let told = '';
      ended.then(() => reject(new Error(`the server ended: ${told}`)));
      child.stderr.on('data', (piece) => {
        told += piece;
        const url = /^listening on (\S+)$/m.exec(told);
        if (url) resolve({ url: url[1], stop });
      });
    });
  }
}
