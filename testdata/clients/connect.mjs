// The two official clients behind one face: what differs between them stands here alone.
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as FirstHTTP } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { AjvJsonSchemaValidator as FirstValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js';
import { Client as SecondClient, StreamableHTTPClientTransport as SecondHTTP } from '@modelcontextprotocol/client';
import { StdioClientTransport as SecondStdio } from '@modelcontextprotocol/client/stdio';
import { AjvJsonSchemaValidator as SecondValidator } from '@modelcontextprotocol/client/validators/ajv';

const about = { name: 'project-knowledge-clients', version: '1' };

// Counting is a client's own validator that counts how often the client asks it about a result.
const counting = (Validator) => {
  const inner = new Validator();
  const counter = {
    asked: 0,
    getValidator(schema) {
      const validate = inner.getValidator(schema);
      return (value) => { counter.asked++; return validate(value); };
    },
  };
  return counter;
};

const kinds = {
  // The revisions with a handshake; the client offers the newest of them that it knows.
  handshake: {
    Validator: FirstValidator, Stdio: FirstStdio, HTTP: FirstHTTP,
    client: (options) => new FirstClient(about, options),
    call: (client, request, options) => client.callTool(request, undefined, options),
  },
  '2026-07-28': {
    Validator: SecondValidator, Stdio: SecondStdio, HTTP: SecondHTTP,
    client: (options) => new SecondClient(about, { ...options, versionNegotiation: { mode: { pin: '2026-07-28' } } }),
    call: (client, request, options) => client.callTool(request, options),
  },
};

export const kindNames = Object.keys(kinds);

// connect opens a session of a kind: over HTTP when a URL is given, else with a process of its own.
export async function connect(kindName, world, url) {
  const kind = kinds[kindName];
  const validator = counting(kind.Validator);
  const client = kind.client({ jsonSchemaValidator: validator });
  const transport = url ? new kind.HTTP(new URL(url))
    : new kind.Stdio({ command: world.bin, args: ['mcp', '--stdio'], env: world.env, stderr: 'ignore', cwd: world.dir });
  // Over stdio the first client keeps the revision to itself, but tells it to a transport that wants to know.
  let revision;
  const set = transport.setProtocolVersion?.bind(transport);
  transport.setProtocolVersion = (version) => { revision = version; set?.(version); };
  await client.connect(transport);
  return {
    validator,
    revision: () => client.getNegotiatedProtocolVersion?.() ?? revision,
    capabilities: () => client.getServerCapabilities(),
    tools: async () => (await client.listTools()).tools,
    call: (name, args, options) => kind.call(client, { name, arguments: args }, options),
    close: () => client.close(),
  };
}
