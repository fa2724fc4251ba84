// Both official clients against the program, each over stdio and over HTTP: every tool is called, and every structured
// content is held against the tool's outputSchema by the client's own validator.
// usage: node clients.mjs BINARY DIRECTORY, an empty one to work in
import assert from 'node:assert/strict';
import { connect, kindNames } from './connect.mjs';
import { steps, toolNames } from './steps.mjs';
import { World } from './world.mjs';

const [bin, base] = process.argv.slice(2);
let passed = 0, failed = 0;

async function step(title, run) {
  try {
    await run();
    passed++;
  } catch (error) {
    failed++;
    console.log(`FAIL ${title}: ${error.message}`);
  }
}

// Session is what the steps work with: a connection and what they leave to later ones.
class Session {
  constructor(kind, world, session, tools) {
    Object.assign(this, { kind, world, session, tools });
    this.called = new Set();
    this.schemas = new Map(tools.map((tool) => [tool.name, session.validator.getValidator(tool.outputSchema)]));
  }

  async good(name, args = {}, options) {
    const before = this.session.validator.asked;
    const result = await this.session.call(name, args, options);
    assert.ok(!result.isError, `${name}: ${JSON.stringify(result.structuredContent)}`);
    assert.equal(this.session.validator.asked, before + 1, `${name}: the client did not validate`);
    this.called.add(name);
    return this.content(name, result);
  }

  async refused(code, name, args) {
    const result = await this.session.call(name, args);
    assert.equal(result.isError, true, `${name} was accepted`);
    const { error } = this.content(name, result);
    assert.equal(error.code, code);
    assert.ok(!JSON.stringify(result).includes(this.world.dir), `${name} tells a path of the machine`);
  }

  // The second client leaves out the validation of errors, so it is asked for once more.
  content(name, { content, structuredContent }) {
    assert.deepEqual(this.schemas.get(name)(structuredContent).errorMessage, undefined);
    assert.equal(content.length, 1);
    assert.deepEqual(JSON.parse(content[0].text), structuredContent);
    return structuredContent;
  }
}

async function run(kind, transport) {
  const title = `${kind} ${transport}`;
  const world = new World(bin, base, `${kind}-${transport}`);
  const server = transport === 'http' ? await world.serve() : undefined;
  try {
    const connection = await connect(kind, world, server?.url);
    const session = new Session(kind, world, connection, await connection.tools());
    for (const [name, act] of steps) await step(`${title}: ${name}`, () => act(session));
    await step(`${title}: every tool was called`, () => assert.deepEqual(toolNames.filter((name) => !session.called.has(name)), []));
    await connection.close();
  } finally {
    await server?.stop();
  }
}

for (const kind of kindNames) {
  for (const transport of ['stdio', 'http']) {
    await step(`${kind} ${transport}: session`, () => run(kind, transport));
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
