import { PassThrough } from 'node:stream';
import type { App } from '../../src/app/app.ts';
import type { CommandContext } from '../../src/cli/context/command-context.ts';
import { createOutput } from '../../src/cli/terminal/output.ts';

/** Context of a command without a terminal, for running the product's own commands here. */
export function quietContext(app: App): CommandContext {
  const nowhere = new PassThrough();
  return {
    output: createOutput({ isJson: true, stdout: nowhere, stderr: nowhere, environment: {} }),
    log: app.log,
    stdin: nowhere,
    signal: new AbortController().signal,
    environment: {},
    config: () => app.config,
    app: () => Promise.resolve(app),
    onEnd: () => undefined,
  };
}
