// usage: node compare.mjs BINARY SERVER_FILESYSTEM_PACKAGE GO_SOURCE_TREE SCRATCH
// Prints a Markdown table of medians. What is compared runs in turns, so that the load of the machine meets both alike.
// Every answer is checked: a page that is not complete would be no measure.
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Session } from './session.mjs';

const [bin, reference, tree, scratch] = process.argv.slice(2);
const many = path.join(scratch, 'many');
const manyEntries = 100_000;
const env = { PATH: process.env.PATH, HOME: path.join(scratch, 'home'), RESEARCH_FILES_CONFIG_DIR: path.join(scratch, 'config') };

fs.mkdirSync(env.HOME);
fs.mkdirSync(many);
for (let i = 0; i < manyEntries; i++) fs.writeFileSync(path.join(many, `entry-${String(i).padStart(6, '0')}.txt`), '');
for (const [id, root] of [['go', tree], ['many', many]]) execFileSync(bin, ['project', 'add', '--id', id, '--name', id, '--root', root], { env });

const ours = () => new Session(bin, ['mcp', '--stdio'], env);
const theirs = () => new Session(process.execPath, [path.join(reference, 'dist/index.js'), tree, many], env);

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

// turns calls each function so many times, in turns, and gives their medians. A first round warms up and is not counted.
async function turns(times, ...functions) {
  const values = functions.map(() => []);
  for (let i = 0; i <= times; i++) {
    for (const [j, measure] of functions.entries()) {
      const value = await measure();
      if (i > 0) values[j].push(value);
    }
  }
  return values.map(median);
}

async function start(make) {
  const began = performance.now();
  const session = make();
  await session.open();
  const milliseconds = performance.now() - began;
  await session.close();
  return milliseconds;
}

async function idle(make) {
  const session = make();
  await session.open();
  const resident = session.resident();
  await session.close();
  return resident;
}

// fileOf gives the path below the tree of the Go file whose size is nearest to bytes, of those that one page can hold.
function fileOf(bytes) {
  const files = fs.readdirSync(tree, { recursive: true }).filter((name) => name.endsWith('.go'));
  const distance = (name) => Math.abs(fs.statSync(path.join(tree, name)).size - bytes);
  const near = files.filter((name) => distance(name) < bytes / 10).sort((a, b) => distance(a) - distance(b));
  return near.find((name) => fs.readFileSync(path.join(tree, name), 'utf8').split('\n').length <= 5000);
}

// ripgrep gives the milliseconds of a whole run, start of the process included.
function ripgrep(literal) {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const child = spawn('rg', ['--no-ignore', '--line-number', '--fixed-strings', '--', literal, tree], { stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.resume();
    child.on('close', (code) => (code === 0 ? resolve(performance.now() - began) : reject(new Error(`rg ended with ${code}`))));
  });
}

const rows = [];
// row takes both medians and what is promised: the most that their ratio may be, or of our own one.
const row = (what, unit, [own, other], most = '') => rows.push({ what, unit, own, other, ratio: own / other, most });
const loads = [os.loadavg()[0]];

row('start to the answer of tools/list', 'ms', await turns(11, () => start(ours), () => start(theirs)), 0.1);
row('resident memory after tools/list', 'MiB', await turns(5, () => idle(ours), () => idle(theirs)), 0.3);

const own = ours(), other = theirs();
await own.open();
await other.open();
const timed = (session, name, args, check = () => true) => async () => {
  const { result, milliseconds } = await session.call(name, args);
  if (!check(result.structuredContent)) throw new Error(`${name}: ${JSON.stringify(result.structuredContent).slice(0, 500)}`);
  return milliseconds;
};

const file = fileOf(140_000);
const text = fs.readFileSync(path.join(tree, file), 'utf8');
row(`read_file of ${file}, ${Buffer.byteLength(text)} bytes (read_text_file)`, 'ms', await turns(101,
  timed(own, 'read_file', { project_id: 'go', path: file, limit_lines: 5000 }, (page) => page.complete && page.content === text),
  timed(other, 'read_text_file', { path: path.join(tree, file) }, ({ content }) => content === text)), 0.3);

let found;
row('glob **/*_test.go (search_files)', 'ms', await turns(9,
  timed(own, 'glob', { project_id: 'go', pattern: '**/*_test.go', max_results: 2000 }, (page) => { found = page.total_count; return page.complete; }),
  timed(other, 'search_files', { path: tree, pattern: '**/*_test.go' })), 0.2);

for (const literal of ['errMissingHost', 'ErrUnexpectedEOF']) {
  row(`grep ${literal} (ripgrep)`, 'ms', await turns(15,
    timed(own, 'grep', { project_id: 'go', pattern: literal, max_results: 1000 }, (page) => page.complete && page.total_count > 0),
    () => ripgrep(literal)), 3);
}

row(`list_dir of ${manyEntries} entries, first page of 1000 (list_directory, all)`, 'ms', await turns(9,
  timed(own, 'list_dir', { project_id: 'many', limit: 1000 }, (page) => page.entries.length === 1000 && page.total_count === manyEntries),
  timed(other, 'list_directory', { path: many })), '1 s');
row('resident memory after all of this', 'MiB', [own.resident(), other.resident()]);
await own.close();
await other.close();
loads.push(os.loadavg()[0]);

const version = JSON.parse(fs.readFileSync(path.join(reference, 'package.json'))).version;
const digits = (value) => value.toFixed(value < 10 ? 2 : 1);
console.log(`# The MCP server beside others

Medians over stdio in one run, in turns, files in the page cache. Written by \`bench/mcp/compare.sh\`. The other server is
@modelcontextprotocol/server-filesystem ${version} on Node ${process.versions.node}; for grep it is
${execFileSync('rg', ['--version']).toString().split('\n')[0]}, its whole process. The tree is the source of
${execFileSync('go', ['env', 'GOVERSION']).toString().trim()}, of which glob finds ${found} files. Linux, ${os.cpus().length} processors; load
${loads.map((load) => load.toFixed(1)).join(' before and ')} after.

| measure | Project Knowledge | other | ratio | at most |
|---|---|---|---|---|
${rows.map((r) => `| ${r.what} | ${digits(r.own)} ${r.unit} | ${digits(r.other)} ${r.unit} | ${r.ratio.toFixed(3)} | ${r.most} |`).join('\n')}`);
