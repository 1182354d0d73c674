import type { Command } from 'commander';

import { UsageError } from '../../command-line/errors.ts';
import type * as Tools from './serve-tools.ts';

const EXAMPLES = `
The command needs the package @modelcontextprotocol/sdk:
  $ npm install --save-dev hookproof @modelcontextprotocol/sdk

Examples:
  $ hookproof serve --forward-to http://localhost:3000/   in its own terminal
  $ claude mcp add hookproof -- npx hookproof mcp         or for your client:
    { "mcpServers": { "hookproof":
      { "command": "npx", "args": ["hookproof", "mcp"] } } }`;

/** Adds `hookproof mcp`, which offers the running server and the checks to a coding agent. */
export function addMcp(program: Command): void {
  program
    .command('mcp')
    .description('Offers deliveries, explain and checks to a coding agent (MCP).')
    .addHelpText('after', EXAMPLES)
    .action(async () => {
      const { serveTools } = await loaded();
      await serveTools(program.version() ?? '');
    });
}

/** The library is no dependency, because it is larger than everything else that the command line installs. */
async function loaded(): Promise<typeof Tools> {
  try {
    return await import('./serve-tools.ts');
  } catch (error) {
    const isMissing =
      error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    if (!isMissing || !/'(@modelcontextprotocol\/sdk|zod)'/.test(error.message)) throw error;
    throw new UsageError(
      'hookproof mcp requires the package @modelcontextprotocol/sdk, which is not here. Run npm install --save-dev @modelcontextprotocol/sdk.',
    );
  }
}
