import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { rejectTarget } from '../../../../../../src/cli/commands/batches/export-file.ts';
import { createOutput } from '../../../../../../src/cli/terminal/output.ts';

function outputTo({ isTTY }: { readonly isTTY: boolean }) {
  const stdout = Object.assign(new PassThrough(), { isTTY });
  return createOutput({ isJson: false, stdout, stderr: new PassThrough(), environment: {} });
}

test('bytes are not written to a terminal, and the error says where to', async () => {
  const output = outputTo({ isTTY: true });
  const refusal = rejectTarget({ output }, '-', { format: 'parquet' });
  await expect(refusal).rejects.toThrow('-o FILE.parquet');
});

test('bytes go to a program or a file behind stdout, and text to a terminal', async () => {
  await rejectTarget({ output: outputTo({ isTTY: false }) }, '-', { format: 'parquet' });
  await rejectTarget({ output: outputTo({ isTTY: true }) }, '-', { format: 'ndjson' });
  await rejectTarget({ output: outputTo({ isTTY: true }) }, '-', {});
});
