// What is done in every session, in this order: each step is a name and what it does with the session's s. s.good and
// s.refused call a tool and give the structured content or the error of the answer. A tool's name as the step's name
// says that the step calls it.
import assert from 'node:assert/strict';
import crypto from 'node:crypto';

const project = { project_id: 'shop' };
const grant = { grant_id: 'papers' };
const digest = (text) => crypto.createHash('sha256').update(text).digest('hex');

export const toolNames = [
  'health', 'list_projects', 'project_info', 'list_grants', 'tree', 'list_dir', 'read_file', 'glob', 'grep', 'create_file',
  'begin_document', 'write_chunk', 'finish_document', 'git_status', 'git_diff', 'index', 'status', 'search', 'read',
];

const overview = {
  'tools/list': async (s) => {
    assert.deepEqual(s.tools.map((tool) => tool.name), toolNames);
    for (const tool of s.tools) {
      assert.equal(tool.inputSchema.additionalProperties, false, tool.name);
      assert.ok(tool.outputSchema, tool.name);
      for (const hint of ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']) assert.equal(typeof tool.annotations[hint], 'boolean', `${tool.name} ${hint}`);
    }
    assert.deepEqual(Object.keys(s.session.capabilities()), ['tools']);
  },
  // A schema that takes anything would make every validation below worthless.
  'schemas refuse what no tool gives': (s) => {
    for (const [name, validate] of s.schemas) for (const value of [{}, { error: {} }, { error: { code: 1, message: 'm' } }]) assert.equal(validate(value).valid, false, `${name} ${JSON.stringify(value)}`);
  },
  'protocol revision': async (s) => assert.equal(s.session.revision(), s.kind === 'handshake' ? '2025-11-25' : s.kind),
  health: async (s) => {
    const health = await s.good('health');
    assert.equal(health.status, 'ok');
    assert.ok(health.protocol_versions.includes(s.session.revision()));
  },
  list_projects: async (s) => assert.deepEqual((await s.good('list_projects')).projects.map((p) => [p.project_id, p.available, p.git]), [['shop', true, true]]),
  project_info: async (s) => assert.equal((await s.good('project_info', project)).git_summary.branch, 'main'),
  list_grants: async (s) => assert.deepEqual((await s.good('list_grants')).grants.map((g) => [g.grant_id, g.status]), [['papers', 'active']]),
};

const reading = {
  tree: async (s) => assert.deepEqual((await s.good('tree', { ...project, max_depth: 1 })).entries.map((e) => e.path), ['README.md', 'src']),
  list_dir: async (s) => assert.deepEqual((await s.good('list_dir', grant)).entries.map((e) => [e.name, e.type]), [['paper.txt', 'file']]),
  read_file: async (s) => {
    const page = await s.good('read_file', { ...project, path: 'README.md' });
    assert.equal(page.content, s.world.read('shop/README.md'));
    assert.equal(page.sha256, digest(page.content));
  },
  'read_file by pages': async (s) => {
    let text = '', next = 0;
    do {
      const page = await s.good('read_file', { ...project, path: 'src/long.txt', offset_line: next, limit_lines: 500 });
      text += page.content;
      next = page.next_offset_line;
    } while (next !== null);
    assert.equal(text, s.world.read('shop/src/long.txt'));
  },
  glob: async (s) => assert.deepEqual((await s.good('glob', { ...project, pattern: '**/*_test.go' })).matches.map((m) => m.path), ['src/order_test.go']),
  grep: async (s) => assert.deepEqual((await s.good('grep', { ...project, pattern: 'func Reserve' })).matches.map((m) => [m.path, m.line_number]), [['src/order.go', 4]]),
  git_status: async (s) => {
    const status = await s.good('git_status', project);
    assert.deepEqual(status.entries.map((e) => e.path), ['README.md']);
    assert.equal(status.clean, false);
  },
  git_diff: async (s) => assert.match((await s.good('git_diff', project)).content, /^\+Edited\.$/m),
};

const documents = {
  create_file: async (s) => {
    const text = '# Ärger & 文档\n';
    const receipt = await s.good('create_file', { ...project, path: 'docs/short.md', content: text });
    assert.equal(receipt.sha256, digest(text));
    assert.equal(s.world.read('shop/docs/short.md'), text);
  },
  'create_file never overwrites': (s) => s.refused('already_exists', 'create_file', { ...project, path: 'docs/short.md', content: 'other' }),
  begin_document: async (s) => { s.upload = { ...project, upload_id: (await s.good('begin_document', { ...project, path: 'docs/deep/long.md' })).upload_id }; },
  'write_chunk out of order': async (s) => assert.equal((await s.good('write_chunk', { ...s.upload, index: 1, content: 'second\n' })).chunks_received, 1),
  'finish_document with a gap': (s) => s.refused('missing_chunks', 'finish_document', { ...s.upload, total_chunks: 2 }),
  write_chunk: async (s) => assert.equal((await s.good('write_chunk', { ...s.upload, index: 0, content: 'first\n' })).duplicate, false),
  'write_chunk again': async (s) => assert.equal((await s.good('write_chunk', { ...s.upload, index: 0, content: 'first\n' })).duplicate, true),
  'write_chunk with other text': (s) => s.refused('chunk_conflict', 'write_chunk', { ...s.upload, index: 0, content: 'other\n' }),
  finish_document: async (s) => {
    assert.equal((await s.good('finish_document', { ...s.upload, total_chunks: 2 })).repeated, false);
    assert.equal(s.world.read('shop/docs/deep/long.md'), 'first\nsecond\n');
  },
  'finish_document again': async (s) => assert.equal((await s.good('finish_document', { ...s.upload, total_chunks: 2 })).repeated, true),
};

const retrieval = {
  'status before an index': async (s) => assert.equal((await s.good('status', project)).indexed, false),
  'search before an index': (s) => s.refused('not_indexed', 'search', { ...project, query: 'reserve' }),
  index: async (s) => {
    const told = [];
    const built = await s.good('index', { ...project, mode: 'rebuild' }, { onprogress: (p) => told.push(p.progress) });
    assert.equal(built.coverage.stop_reason, 'complete');
    assert.ok(told.length > 0 && told.every((value, i) => i === 0 || value > told[i - 1]), `progress ${told}`);
  },
  status: async (s) => assert.equal((await s.good('status', project)).coverage.indexed_files, 4),
  search: async (s) => {
    const { hits } = await s.good('search', { ...project, query: 'Reserve', languages: ['go'] });
    assert.equal(hits[0].path, 'src/order.go');
    s.hit = hits[0];
  },
  read: async (s) => {
    const { path, source_hash, start_line, end_line, text } = s.hit;
    assert.equal((await s.good('read', { ...project, path, source_hash, start_line, end_line })).text, text);
  },
};

const refusals = {
  'no scope': (s) => s.refused('scope_required', 'tree', {}),
  'two scopes': (s) => s.refused('scope_conflict', 'tree', { ...project, ...grant }),
  'a grant for Git': (s) => s.refused('scope_not_supported', 'git_status', grant),
  'an unknown project': (s) => s.refused('project_not_found', 'list_dir', { project_id: 'nobody' }),
  'an unknown argument': (s) => s.refused('invalid_arguments', 'grep', { ...project, pattern: 'a', colour: true }),
  'a wrong type': (s) => s.refused('invalid_arguments', 'read_file', { ...project, path: 'README.md', limit_lines: 'many' }),
  'a path that leaves the root': (s) => s.refused('invalid_path', 'read_file', { ...project, path: '../papers/paper.txt' }),
  'a denied path': (s) => s.refused('path_denied', 'read_file', { ...project, path: '.env' }),
  'an ignored path': (s) => s.refused('path_ignored', 'list_dir', { ...project, path: '.git' }),
  'a missing file': (s) => s.refused('not_found', 'read_file', { ...project, path: 'absent.txt' }),
  'a bad expression': (s) => s.refused('invalid_pattern', 'grep', { ...project, pattern: '(' }),
  'a document outside the write directory': (s) => s.refused('write_not_allowed', 'create_file', { ...project, path: 'src/new.md', content: '' }),
  'a file that is no document': (s) => s.refused('invalid_extension', 'create_file', { ...project, path: 'docs/new.sh', content: '' }),
  'an unknown tool is a protocol error': (s) => assert.rejects(s.session.call('delete_file', {}), { code: -32602 }),
};

export const steps = Object.entries({ ...overview, ...reading, ...documents, ...retrieval, ...refusals });
