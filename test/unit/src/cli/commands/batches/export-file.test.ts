import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { rejectTarget } from '../../../../../../src/cli/commands/batches/export-file.ts';
import { createOutput } from '../../../../../../src/cli/terminal/output.ts';

function outputTo({ isTTY }: { readonly isTTY: boolean }) {
  const stdout = Object.assign(new PassThrough(), { isTTY });
  return createOutput({ isJson: false, stdout, stderr: new PassThrough(), environment: {} });
}

test('binary formats are rejected for a terminal, with a remedy', async () => {
  const output = outputTo({ isTTY: true });
  const refusal = rejectTarget({ output }, '-', { format: 'parquet' });
  await expect(refusal).rejects.toThrow('-o FILE.parquet');
});

test('binary formats go to a redirected stdout, and text formats to a terminal', async () => {
  await rejectTarget({ output: outputTo({ isTTY: false }) }, '-', { format: 'parquet' });
  await rejectTarget({ output: outputTo({ isTTY: true }) }, '-', { format: 'ndjson' });
  await rejectTarget({ output: outputTo({ isTTY: true }) }, '-', {});
});
